public import Geometry

/// Writes the line of `dockface track` and of the control API's `tracking` topic: the subjects of one frame.
public struct SubjectEncoder: Sendable {
    private var writer = JSONWriter()

    /// Creates an encoder, which reuses its memory from line to line.
    public init() {}

    /// Appends a complete line, including its line end, to `output`.
    ///
    /// `time` is the time to report: the stream's own in a filter, the exposure in the daemon.
    public mutating func write(
        sequence: Int?, time: Seconds?, subjects: [TrackedSubject], isSelected: (Int) -> Bool,
        to output: inout [UInt8]
    ) {
        writer.bytes.removeAll(keepingCapacity: true)
        writer.raw(#"{"type":"tracking","seq":"#)
        if let sequence { writer.integer(sequence) } else { writer.raw("null") }
        writer.raw(#","t":"#)
        writer.optional(time, decimals: 6)
        writer.raw(#","subjects":["#)
        for (index, subject) in subjects.enumerated() {
            if index > 0 { writer.raw(",") }
            write(subject, isSelected: isSelected(subject.id))
        }
        writer.raw("]}\n")
        output.append(contentsOf: writer.bytes)
    }

    private mutating func write(_ subject: TrackedSubject, isSelected: Bool) {
        writer.raw(#"{"id":"#)
        writer.integer(subject.id)
        writer.raw(subject.kind == .person ? #","kind":"person","rect":["# : #","kind":"object","rect":["#)
        writer.rect(subject.rect)
        writer.raw(#"],"saliency":"#)
        if let rank = subject.salienceRank { writer.integer(rank) } else { writer.raw("null") }
        writer.raw(#","age":"#)
        writer.number(subject.age, decimals: 3)
        writer.raw(subject.coasting ? #","coasting":true,"score":"# : #","coasting":false,"score":"#)
        writer.number(subject.score, decimals: 3)
        for attribute in FaceAttribute.all {
            let coding = attribute.coding
            writer.key(coding.name)
            writer.optional(subject.attributes[attribute], decimals: coding.decimals)
        }
        writer.raw(isSelected ? #","selected":true}"# : #","selected":false}"#)
    }
}

extension JSONWriter {
    /// Adds a comma and the name of the next member.
    mutating func key(_ name: StaticString) {
        raw(",\"")
        raw(name)
        raw("\":")
    }

    /// Adds a rectangle's four numbers without their brackets.
    mutating func rect(_ rect: Rect) {
        number(rect.x, decimals: 5)
        raw(",")
        number(rect.y, decimals: 5)
        raw(",")
        number(rect.width, decimals: 5)
        raw(",")
        number(rect.height, decimals: 5)
    }
}
