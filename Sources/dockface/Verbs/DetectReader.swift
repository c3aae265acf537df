import Camera
import Companion
import ControlProtocol
import CPosix
import FaceTracker
import Geometry
import Glibc

/// Reads the detections and counts them.
struct DetectReader {
    private(set) var descriptor: Int32
    private var decoder: DetectionDecoder
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var tally = DetectTally()
    /// The last informational messages. They are printed at the end, when no image is on the screen.
    private(set) var said: [String] = [] { didSet { if said.count > 4 { said.removeFirst() } } }

    init(descriptor: Int32, isFilm: Bool) {
        self.descriptor = descriptor
        var options = DecoderOptions()
        options.isLive = !isFilm
        options.acceptsCommands = false
        decoder = DetectionDecoder(options: options)
    }

    /// The number of frames.
    var frames: Int { tally.frames }

    /// Whether more can arrive.
    var isOpen: Bool { descriptor >= 0 }

    /// Reads once. Returns false if the output no longer has a reader.
    mutating func read(_ show: (DetectEvent) -> Bool) -> Bool {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        if count == 0 {
            decoder.finish()
            descriptor = -1
        } else {
            buffer[..<count].withUnsafeBytes { decoder.feed($0) }
        }
        let now = cposix_monotonic_now()
        while let event = decoder.next(arrival: now, realtime: cposix_realtime_now()) {
            switch event {
            case .frame:
                tally.count(decoder.frame, now: now)
                if !show(.frame(decoder.frame, others: PassedOn(line: decoder.line))) { return false }
            case .hello(let hello): if !show(.hello(hello)) { return false }
            case .status("info", _, let text): said.append(text)
            case .status(_, _, let text): warn(text)
            case .bye: descriptor = -1
            default: break
            }
        }
        return true
    }

    func summary(_ state: VisionHealth) -> String {
        let detector = state.detectors.first
        return tally.summary(
            latency: detector?.latency, p95: detector?.latencyP95,
            restarts: (detector?.restarts ?? 0) + (state.camera?.restarts ?? 0))
    }
}

/// Counts the frames and faces of a stream.
struct DetectTally {
    private(set) var frames = 0
    private var faces = 0, most = 0
    private var began: Seconds?, last: Seconds = 0

    mutating func count(_ frame: DetectionFrame, now: Seconds) {
        frames += 1
        faces += frame.detections.count
        most = max(most, frame.detections.count)
        began = began ?? now
        last = now
    }

    /// Returns the line of `--summary`: with the detector's time for a frame, in seconds, and how often it and the
    /// camera were restarted.
    func summary(latency: Seconds?, p95: Seconds?, restarts: Int) -> String {
        func milliseconds(_ value: Seconds?) -> String {
            value.map { "\(Double(Int($0.clamped(to: 0...1e6) * 1e5 + 0.5)) / 100)" } ?? "null"
        }
        let elapsed = last - (began ?? last)
        let rate = elapsed > 0 ? Double(Int(Double(frames - 1) / elapsed * 10 + 0.5)) / 10 : 0
        return """
            {"frames":\(frames),"faces":\(faces),"mostInAPicture":\(most),"framesPerSecond":\(rate),\
            "latencyMs":{"p50":\(milliseconds(latency)),"p95":\(milliseconds(p95))},\
            "restarts":\(restarts)}
            """
    }
}
