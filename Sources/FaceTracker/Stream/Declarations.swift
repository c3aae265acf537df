internal import PlainText

/// The rare members of a line: the declarations of a hello, and the texts of status and bye.
struct Declarations: Sendable {
    private(set) var hello = StreamHello()
    /// The version that the stream names, if it is not 1.
    private(set) var wrongVersion: String?
    /// A declaration whose value is unknown.
    private(set) var unknownKey: String?
    private(set) var level = "", code = "", text = "", reason = ""

    /// Reads a member.
    mutating func member(
        _ key: JSONScanner.Text, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONScanner.Failure) {
        switch scanner.string(key, bytes) {
        case "v": try readVersion(&scanner, bytes)
        case "detector": hello.detector = try word(&scanner, bytes)
        case "clock": hello.clock = try known("clock", &scanner, bytes)
        case "origin": hello.origin = try known("origin", &scanner, bytes)
        case "format": hello.format = try known("format", &scanner, bytes)
        case "units":
            let said = try word(&scanner, bytes)
            switch said {
            case "px", "pixels": hello.units = .pixels
            case "normalised", "normalized", "unit": hello.units = .normalised
            case nil: break
            default: unknownKey = "units"
            }
        case "fps":
            let rate = try scanner.numberIfAny(bytes) ?? .nan
            // Beyond this range a period is meaningless.
            hello.framesPerSecond = (0.001...100_000).contains(rate) ? rate : nil
        case "mirrored": hello.mirrored = try scanner.flagIfAny(bytes)
        case "rotate":
            let degrees = try scanner.numberIfAny(bytes)
            if let degrees, [0, 90, 180, 270].contains(degrees) {
                hello.rotate = Int(degrees)
            } else if degrees != nil {
                unknownKey = "rotate"
            }
        case "image": try readImage(&scanner, bytes)
        case "intrinsics": try readIntrinsics(&scanner, bytes)
        case "landmarks": try readNames(&scanner, bytes)
        case "level": level = try word(&scanner, bytes) ?? ""
        case "code": code = try word(&scanner, bytes) ?? ""
        case "text": text = try word(&scanner, bytes) ?? ""
        case "reason": reason = try word(&scanner, bytes) ?? ""
        default: try scanner.skip(bytes)
        }
    }

    private func word(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONScanner.Failure) -> String? {
        guard let text = try scanner.textIfAny(bytes) else { return nil }
        return Self.plain(scanner.string(text, bytes))
    }

    /// Makes a text safe for logs and screens.
    private static func plain(_ text: String) -> String { ForeignText.line(text, longest: longestText) }
    private static let longestText = 400

    private mutating func known<Value: RawRepresentable<String>>(
        _ key: String, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONScanner.Failure) -> Value? {
        guard let said = try word(&scanner, bytes) else { return nil }
        if let value = Value(rawValue: said) { return value }
        unknownKey = key
        return nil
    }

    private mutating func readVersion(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONScanner.Failure) {
        _ = scanner.peek(bytes)
        let start = scanner.position
        if scanner.peek(bytes) == 0x22 || scanner.peek(bytes) == 0x7B {
            try scanner.skip(bytes)
        } else if try scanner.numberIfAny(bytes) == 1 {
            return
        }
        wrongVersion = Self.plain(scanner.string(.init(start: start, end: scanner.position, isEscaped: false), bytes))
    }

    /// Reads the members of an object of numbers. A member of another type is not a number.
    /// - Returns: false if there is no such object or it is empty.
    private func readNumbers(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>, _ receive: (_ key: String, _ number: Double) -> Void
    ) throws(JSONScanner.Failure) -> Bool {
        guard scanner.consume(0x7B, bytes) else {
            try scanner.skip(bytes)
            return false
        }
        if scanner.consume(0x7D, bytes) { return false }
        repeat {
            let key = try scanner.key(bytes)
            let number = try scanner.numberIfAny(bytes) ?? .nan
            receive(scanner.string(key, bytes), number)
        } while try scanner.more(until: 0x7D, bytes)
        return true
    }

    private mutating func readImage(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONScanner.Failure) {
        var (width, height) = (Double.nan, Double.nan)
        let isObject = try readNumbers(&scanner, bytes) { key, number in
            switch key {
            case "w": width = number
            case "h": height = number
            default: break
            }
        }
        guard isObject else { return }
        guard width > 0, height > 0, width.isFinite, height.isFinite else { return }
        hello.image = PictureSize(width: width, height: height)
    }

    private mutating func readIntrinsics(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONScanner.Failure) {
        var numbers = CameraIntrinsics(fx: .nan, fy: .nan, cx: .nan, cy: .nan)
        let isObject = try readNumbers(&scanner, bytes) { key, number in
            switch key {
            case "fx": numbers.fx = number
            case "fy": numbers.fy = number
            case "cx": numbers.cx = number
            case "cy": numbers.cy = number
            default: break
            }
        }
        guard isObject else { return }
        guard numbers.fx > 0, numbers.fy > 0, (numbers.fx + numbers.fy + numbers.cx + numbers.cy).isFinite else {
            return
        }
        hello.intrinsics = numbers
    }

    private mutating func readNames(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONScanner.Failure) {
        hello.landmarks = []
        guard scanner.consume(0x5B, bytes) else { return try scanner.skip(bytes) }
        if scanner.consume(0x5D, bytes) { return }
        repeat { hello.landmarks.append(try word(&scanner, bytes) ?? "") } while try scanner.more(until: 0x5D, bytes)
    }
}
