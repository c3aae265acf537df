import Geometry

/// One line of a stream as it was written: its numbers are not converted, and its times are not mapped. It is reused
/// from line to line.
struct ParsedLine: Sendable {
    /// The type of the line.
    enum Kind: Sendable { case frame, hello, status, bye, pong, call, other }

    /// A face as it was written.
    struct Face: Sendable {
        var numbers = SIMD4<Double>(repeating: .nan)
        var detection = Detection(rect: .init(x: 0, y: 0, width: 0, height: 0))
    }

    var kind: Kind?
    var hasFaces = false
    var facesAreWrong = false
    var timeIsWrong = false
    var sequence: Int?
    var time: Double?
    var sent: Double?
    var size: PictureSize?
    var optics = FrameOptics.usual
    var faces: [Face] = []
    /// Rectangles that may be faces: the detector is too unsure to report them as such.
    var maybe: [Face] = []
    var maybeIsWrong = false
    /// The rare members, or nil if the line has none.
    private var rare: Declarations?
    /// The declarations of a hello, and the texts of status and bye.
    var declarations: Declarations { rare ?? Declarations() }

    mutating func parse(_ bytes: Span<UInt8>) throws(JSONScanner.Failure) {
        clear()
        var scanner = JSONScanner()
        try scanner.expect(0x7B, bytes)
        if !scanner.consume(0x7D, bytes) {
            repeat {
                let key = try scanner.key(bytes)
                try member(key, &scanner, bytes)
                if kind == .call { return }
            } while try scanner.more(until: 0x7D, bytes)
        }
        _ = scanner.peek(bytes)
        guard scanner.position == bytes.count else { throw JSONScanner.Failure(position: scanner.position) }
        if kind == nil, hasFaces { kind = .frame }
    }

    private mutating func clear() {
        rare = nil
        kind = nil
        hasFaces = false
        facesAreWrong = false
        timeIsWrong = false
        sequence = nil
        time = nil
        sent = nil
        size = nil
        optics = .usual
        faces.removeAll(keepingCapacity: true)
        maybe.removeAll(keepingCapacity: true)
        maybeIsWrong = false
    }

    private mutating func member(
        _ key: JSONScanner.Text, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONScanner.Failure) {
        if scanner.matches(key, "faces", bytes) {
            hasFaces = true
            facesAreWrong = try !Self.read(into: &faces, &scanner, bytes)
        } else if scanner.matches(key, "maybe", bytes) {
            maybeIsWrong = try !Self.read(into: &maybe, &scanner, bytes)
        } else if scanner.matches(key, "t", bytes) {
            let isNull = scanner.peek(bytes) == 0x6E
            time = try scanner.numberIfAny(bytes)
            timeIsWrong = !(time?.isFinite ?? isNull)
        } else if scanner.matches(key, "seq", bytes) {
            sequence = try scanner.numberIfAny(bytes).flatMap { Int(exactly: $0) }
        } else if scanner.matches(key, "type", bytes) {
            guard let value = try scanner.textIfAny(bytes) else { return }
            kind = kind(value, scanner, bytes)
        } else if scanner.matches(key, "method", bytes) {
            kind = .call
        } else if scanner.matches(key, "size", bytes) {
            size = try readSize(&scanner, bytes)
        } else if scanner.matches(key, "zoom", bytes) {
            optics = FrameOptics(camera: optics.camera, zoom: try scanner.numberIfAny(bytes) ?? 1)
        } else if scanner.matches(key, "camera", bytes) {
            optics.camera = try readCamera(&scanner, bytes)
        } else if scanner.matches(key, "sent", bytes) {
            sent = try scanner.numberIfAny(bytes)
        } else {
            var read = declarations
            defer { rare = read }
            try read.member(key, &scanner, bytes)
        }
    }

    private func kind(_ value: JSONScanner.Text, _ scanner: JSONScanner, _ bytes: Span<UInt8>) -> Kind {
        if scanner.matches(value, "frame", bytes) { return .frame }
        if scanner.matches(value, "hello", bytes) { return .hello }
        if scanner.matches(value, "status", bytes) { return .status }
        if scanner.matches(value, "bye", bytes) { return .bye }
        if scanner.matches(value, "pong", bytes) { return .pong }
        return .other
    }

    private func readSize(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONScanner.Failure) -> PictureSize? {
        let (numbers, count) = try scanner.fourNumbers(bytes)
        guard count == 2, numbers[0] > 0, numbers[1] > 0, numbers[0].isFinite, numbers[1].isFinite else { return nil }
        return PictureSize(width: numbers[0], height: numbers[1])
    }

    private func readCamera(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONScanner.Failure) -> Int {
        let number = try scanner.numberIfAny(bytes).flatMap { Int(exactly: $0) }
        return number.flatMap { FrameOptics.cameras.contains($0) ? $0 : nil } ?? 0
    }

    /// Reads a list of faces. Returns whether it is a list.
    private static func read(
        into faces: inout [Face], _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONScanner.Failure) -> Bool {
        guard scanner.consume(0x5B, bytes) else {
            try scanner.skip(bytes)
            return false
        }
        faces.removeAll(keepingCapacity: true)
        if scanner.consume(0x5D, bytes) { return true }
        repeat {
            faces.append(Face())
            guard scanner.consume(0x7B, bytes) else {
                try scanner.skip(bytes)
                continue
            }
            if !scanner.consume(0x7D, bytes) {
                try faces[faces.count - 1].read(&scanner, bytes)
            }
        } while try scanner.more(until: 0x5D, bytes)
        return true
    }
}

extension ParsedLine.Face {
    /// Reads the members of a face up to its closing brace.
    fileprivate mutating func read(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONScanner.Failure) {
        repeat {
            let key = try scanner.key(bytes)
            if scanner.matches(key, "rect", bytes) {
                let (values, count) = try scanner.fourNumbers(bytes)
                if count == 4 { numbers = values }
            } else if scanner.matches(key, "score", bytes) {
                let score = try scanner.numberIfAny(bytes) ?? 1
                detection.score = score.isNaN ? .nan : score.clamped(to: 0...1)
            } else if scanner.matches(key, "lm", bytes) {
                try readLandmarks(&scanner, bytes)
            } else if scanner.matches(key, "kind", bytes) {
                guard let value = try scanner.textIfAny(bytes) else { continue }
                detection.kind = scanner.matches(value, "object", bytes) ? .object : .person
            } else if let attribute = FaceAttribute.all.first(where: { scanner.matches(key, $0.coding.name, bytes) }) {
                detection.attributes[attribute] = attribute.coding.value(of: try scanner.numberIfAny(bytes))
            } else {
                try scanner.skip(bytes)
            }
        } while try scanner.more(until: 0x7D, bytes)
    }

    private mutating func readLandmarks(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONScanner.Failure) {
        detection.landmarks = Landmarks()
        guard scanner.consume(0x5B, bytes) else { return try scanner.skip(bytes) }
        if scanner.consume(0x5D, bytes) { return }
        var x: Double?
        repeat {
            let number = try scanner.numberIfAny(bytes) ?? .nan
            if let left = x {
                detection.landmarks.append(.init(x: left, y: number))
                x = nil
            } else {
                x = number
            }
        } while try scanner.more(until: 0x5D, bytes)
    }
}

extension JSONScanner {
    /// Reads a list of numbers. Returns the first four and the number of all, which is 0 for anything else.
    mutating func fourNumbers(_ bytes: Span<UInt8>) throws(Failure) -> (SIMD4<Double>, count: Int) {
        var numbers = SIMD4<Double>(repeating: .nan)
        guard consume(0x5B, bytes) else {
            try skip(bytes)
            return (numbers, 0)
        }
        if consume(0x5D, bytes) { return (numbers, 0) }
        var count = 0
        repeat {
            let number = try numberIfAny(bytes) ?? .nan
            if count < 4 { numbers[count] = number }
            count += 1
        } while try more(until: 0x5D, bytes)
        return (numbers, count)
    }
}
