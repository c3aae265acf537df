import Camera
import Companion
import CPosix
import FaceTracker
import Files
import Geometry
import Glibc
import PlainText
import Processes
import RobotFace

/// The input of a `DetectShow`.
enum DetectEvent {
    case hello(StreamHello)
    case frame(DetectionFrame)
}

/// An output format of `dockface detect`.
protocol DetectShow {
    /// Begins the output. Returns false if it cannot be used.
    mutating func begin() -> Bool
    /// Shows an event. Returns false if the output no longer has a reader.
    mutating func show(_ event: DetectEvent) -> Bool
    /// Reports that no frame has arrived for a while.
    mutating func waits(_ state: VisionHealth)
    /// The descriptor for `poll`. It is readable when keys were pressed, and -1 if there are none.
    var keys: Int32 { get }
    /// Reads the keys. Returns whether one of them ends the program.
    mutating func readsEnd() -> Bool
    mutating func finish()
}

extension DetectShow {
    mutating func begin() -> Bool { true }
    mutating func waits(_ state: VisionHealth) {}
    var keys: Int32 { -1 }
    mutating func readsEnd() -> Bool { false }
    mutating func finish() {}
}

/// The output for programs: the detection stream.
struct JSONShow: DetectShow {
    let isFilm: Bool
    private var encoder = DetectionEncoder()
    private var sequence = 0

    init(isFilm: Bool) { self.isFilm = isFilm }

    mutating func show(_ event: DetectEvent) -> Bool {
        var bytes: [UInt8] = []
        switch event {
        case .hello(let hello):
            encoder.writeHello(
                detector: hello.detector ?? "detector", clock: isFilm ? .media : .monotonic,
                landmarks: hello.landmarks, to: &bytes)
        case .frame(let frame):
            encoder.writeFrame(
                sequence: frame.sequence ?? sequence, time: frame.exposure, detections: frame.detections, to: &bytes)
            sequence += 1
        }
        return writeAll(bytes)
    }

    mutating func finish() {
        var bytes: [UInt8] = []
        encoder.writeBye(reason: "eof", to: &bytes)
        _ = writeAll(bytes)
    }
}

/// The output for people without a terminal on standard output: one line per frame.
struct TextShow: DetectShow {
    mutating func show(_ event: DetectEvent) -> Bool {
        switch event {
        case .hello(let hello): return printLine("detector \(hello.detector ?? "without a name")")
        case .frame(let frame): return writeAll(Array((Self.line(frame) + "\n").utf8))
        }
    }

    static func line(_ frame: DetectionFrame) -> String {
        let faces = frame.detections.map { face in
            let rect = [face.rect.x, face.rect.y, face.rect.width, face.rect.height].map { "\(percent($0))" }
            let looks = face.looking.map { ", looks \(percent($0)) %" } ?? ""
            return "at \(rect[0]),\(rect[1]) size \(rect[2])x\(rect[3]) % (sure \(percent(face.score)) %\(looks))"
        }
        let count = faces.count == 1 ? "1 face" : "\(faces.count) faces"
        let time = frame.exposure.isFinite ? frame.exposure.clamped(to: -1e12...1e12) : 0
        return "\(Double(Int(time * 1000 + 0.5)) / 1000) s  \(count)"
            + (faces.isEmpty ? "" : ": " + faces.joined(separator: "; "))
    }

    private static func percent(_ value: Double) -> Int {
        value.isFinite ? Int((value.clamped(to: -10...10) * 100).rounded()) : 0
    }
}

/// The output for people: a small image with a box around each face, until q.
struct PictureShow: DetectShow {
    private let tap: FrameTap
    private let screen: PictureScreen
    private var encoder: FrameEncoder
    private let depth: ColourDepth
    private var frame: CameraFrame?

    /// Takes over the terminal.
    /// - Throws: `TerminalError` if there is no terminal to take over.
    init(tap: FrameTap) throws {
        self.tap = tap
        screen = try PictureScreen()
        var guess = TerminalGuess.ofProcess()
        guess.askTmux()
        depth = ProcessEnvironment.value("NO_COLOR") != nil ? .mono : guess.depth
        encoder = FrameEncoder(depth: depth == .trueColour ? .trueColour : .palette256, tolerance: 0)
    }

    var keys: Int32 { screen.keys }

    func begin() -> Bool { screen.begin() }

    func finish() { screen.end() }

    func readsEnd() -> Bool { screen.readsEnd() }

    mutating func waits(_ state: VisionHealth) {
        // A short pause is not worth a message, but a missing camera is.
        guard frame == nil || state.camera?.state != .running else { return }
        let text = state.camera?.problem ?? state.detectors.first?.problem ?? "waiting for the first frame (q quits)"
        _ = screen.draw { $0 += Array("\u{1b}[1;1H\u{1b}[0m\(ForeignText.line(text, longest: 200))\u{1b}[K".utf8) }
    }

    mutating func show(_ event: DetectEvent) -> Bool {
        guard case .frame(let found) = event else { return true }
        if let new = tap.take() { frame = new }
        guard let frame else { return true }
        let size = screen.size
        let grid = PictureGrid.draw(frame, found.detections, columns: size.columns, rows: size.rows - 1, depth: depth)
        let line = (TextShow.line(found) + "  (q quits)").prefix(size.columns - 1)
        return screen.draw { bytes in
            encoder.encode(grid, into: &bytes)
            bytes += Array("\u{1b}[\(size.rows);1H\u{1b}[0m\(line)\u{1b}[K".utf8)
        }
    }
}
