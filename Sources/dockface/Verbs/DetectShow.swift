import ControlProtocol
import FaceTracker
import Geometry
import PlainText

/// The input of a `DetectShow`.
enum DetectEvent {
    case hello(StreamHello)
    /// A frame, and what its line has beyond faces, which is passed on unchanged.
    case frame(DetectionFrame, others: PassedOn)
}

/// Why no frame arrives.
struct DetectPause {
    /// Whether the camera works, so that a short pause is not worth a message.
    var isCameraRunning: Bool
    /// What is wrong, or nil if nothing is.
    var problem: String?
}

/// An output format of `dockface detect`.
protocol DetectShow {
    /// Begins the output. Returns false if it cannot be used.
    mutating func begin() -> Bool
    /// Shows an event. Returns false if the output no longer has a reader.
    mutating func show(_ event: DetectEvent) -> Bool
    /// Reports that no frame has arrived for a while.
    mutating func waits(_ pause: DetectPause)
    /// The descriptor for `poll`. It is readable when keys were pressed, and -1 if there are none.
    var keys: Int32 { get }
    /// Reads the keys. Returns whether one of them ends the program.
    mutating func readsEnd() -> Bool
    mutating func finish()
}

extension DetectShow {
    mutating func begin() -> Bool { true }
    mutating func waits(_ pause: DetectPause) {}
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
        case .frame(let frame, let others):
            encoder.writeFrame(
                sequence: frame.sequence ?? sequence, time: frame.exposure, detections: frame.detections,
                maybe: frame.maybe, optics: frame.optics, others: others.members, to: &bytes)
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
        case .frame(let frame, let others): return writeAll(Array((Self.line(frame, others) + "\n").utf8))
        }
    }

    /// What a frame shows: faces, and then things.
    static func line(_ frame: DetectionFrame, _ others: PassedOn = PassedOn()) -> String {
        let faces = frame.detections.map { face in
            let rect = [face.rect.x, face.rect.y, face.rect.width, face.rect.height].map { "\(percent($0))" }
            let looks = face.looking.map { ", looks \(percent($0)) %" } ?? ""
            return "at \(rect[0]),\(rect[1]) size \(rect[2])x\(rect[3]) % (sure \(percent(face.score)) %\(looks))"
        }
        let count = faces.count == 1 ? "1 face" : "\(faces.count) faces"
        let time = frame.exposure.isFinite ? frame.exposure.clamped(to: -1e12...1e12) : 0
        return "\(Double(Int(time * 1000 + 0.5)) / 1000) s  \(count)"
            + (faces.isEmpty ? "" : ": " + faces.joined(separator: "; ")) + things(others.objects)
    }

    /// The things that a detector names, such as ", 1 thing: cup at 37,52 size 22x28 % (sure 64 %)".
    private static func things(_ objects: [JSONValue]) -> String {
        let words = objects.prefix(mostThings).map { one -> String in
            let label = ForeignText.line(one["label"]?.string ?? "?", longest: longestLabel)
            let rect = one["rect"]?.rect.map { rect in
                " at \(percent(rect.x)),\(percent(rect.y)) size \(percent(rect.width))x\(percent(rect.height)) %"
            }
            return label + (rect ?? "") + (one["score"]?.number.map { " (sure \(percent($0)) %)" } ?? "")
        }
        let more = objects.count > mostThings ? "; ..." : ""
        guard !words.isEmpty else { return "" }
        return ", \(objects.count) thing\(objects.count == 1 ? "" : "s"): " + words.joined(separator: "; ") + more
    }

    /// The most things in a line, and the longest label, in characters.
    private static let mostThings = 12, longestLabel = 40

    private static func percent(_ value: Double) -> Int {
        value.isFinite ? Int((value.clamped(to: -10...10) * 100).rounded()) : 0
    }
}
