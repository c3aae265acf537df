public import Geometry

/// Writes a detection stream in this library's own convention, for replays, simulated cameras and recorders.
public struct DetectionEncoder: Sendable {
    private var writer = JSONWriter()

    /// Creates an encoder, which reuses its memory from line to line.
    public init() {}

    /// Adds a hello line: version 1, normalised, top-left, upright, unmirrored, times on `clock`.
    public mutating func writeHello(
        detector: String, clock: StreamClock, image: PictureSize? = nil, framesPerSecond: Double? = nil,
        landmarks: [String] = [], to output: inout [UInt8]
    ) {
        writer.bytes.removeAll(keepingCapacity: true)
        writer.raw(#"{"type":"hello","v":1,"detector":"#)
        writer.string(detector)
        writer.raw(#","clock":"#)
        writer.string(clock.rawValue)
        if let image {
            writer.raw(#","image":{"w":"#)
            writer.number(image.width, decimals: 0)
            writer.raw(#","h":"#)
            writer.number(image.height, decimals: 0)
            writer.raw("}")
        }
        if let framesPerSecond {
            writer.raw(#","fps":"#)
            writer.number(framesPerSecond, decimals: 3)
        }
        for (index, name) in landmarks.enumerated() {
            writer.raw(index == 0 ? #","landmarks":["# : ",")
            writer.string(name)
        }
        if !landmarks.isEmpty { writer.raw("]") }
        writer.raw(",\"mirrored\":false,\"rotate\":0}\n")
        output.append(contentsOf: writer.bytes)
    }

    /// Adds a frame line. The optics are written if they are not the usual ones. `others`: further members as JSON, each
    /// with a comma before it.
    public mutating func writeFrame(
        sequence: Int, time: Seconds, detections: [Detection], maybe: [Detection] = [],
        optics: FrameOptics = .usual, others: [UInt8] = [], to output: inout [UInt8]
    ) {
        writer.bytes.removeAll(keepingCapacity: true)
        writer.raw(#"{"type":"frame","seq":"#)
        writer.integer(sequence)
        writer.raw(#","t":"#)
        writer.number(time, decimals: 6)
        if optics != .usual {
            writer.raw(#","camera":"#)
            writer.integer(optics.camera)
            writer.raw(#","zoom":"#)
            writer.number(optics.zoom, decimals: 3)
        }
        write("faces", detections)
        if !maybe.isEmpty { write("maybe", maybe) }
        writer.bytes.append(contentsOf: others)
        writer.raw("}\n")
        output.append(contentsOf: writer.bytes)
    }

    /// Adds the line that ends a stream.
    public mutating func writeBye(reason: String, to output: inout [UInt8]) {
        writer.bytes.removeAll(keepingCapacity: true)
        writer.raw(#"{"type":"bye","reason":"#)
        writer.string(reason)
        writer.raw("}\n")
        output.append(contentsOf: writer.bytes)
    }

    private mutating func write(_ name: StaticString, _ detections: [Detection]) {
        writer.raw(",\"")
        writer.raw(name)
        writer.raw("\":[")
        for (index, detection) in detections.enumerated() {
            if index > 0 { writer.raw(",") }
            write(detection)
        }
        writer.raw("]")
    }

    private mutating func write(_ detection: Detection) {
        writer.raw(#"{"rect":["#)
        writer.rect(detection.rect)
        writer.raw(#"],"score":"#)
        writer.number(detection.score, decimals: 4)
        if detection.kind == .object { writer.raw(#","kind":"object""#) }
        for attribute in FaceAttribute.all {
            guard let value = detection.attributes[attribute] else { continue }
            writer.key(attribute.coding.name)
            writer.number(value, decimals: 4)
        }
        for index in 0..<detection.landmarks.count {
            guard let point = detection.landmarks[index] else { break }
            writer.raw(index == 0 ? #","lm":["# : ",")
            writer.number(point.x, decimals: 5)
            writer.raw(",")
            writer.number(point.y, decimals: 5)
        }
        writer.raw(detection.landmarks.count > 0 ? "]}" : "}")
    }
}
