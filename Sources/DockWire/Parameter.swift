/// The parameters of a dock.
public enum ParameterKey: UInt8, Sendable, CaseIterable {
    /// Rate of MOTION reports per second, 1...100. A host sets 50 while moving and 10 at rest.
    case motionRate = 1
    /// Added to the pan reading, milli-degrees.
    case panTrim = 2
    /// Added to the tilt reading, milli-degrees.
    case tiltTrim = 3
    /// Seconds without a set-point after which the dock holds with low torque; 0 = never.
    case idleRelax = 4
}

/// The operation of a PARAM message.
public enum ParameterOperation: UInt8, Sendable {
    /// Reads the value.
    case get = 0
    /// Changes the value.
    case set = 1
}

/// A request about a parameter.
public struct ParameterRequest: Sendable, Equatable {
    /// Get or set.
    public var operation: ParameterOperation
    /// The number of the parameter; a dock answers keys outside ``ParameterKey`` with `range`.
    public var key: UInt8
    /// The new value; unused for `get`.
    public var value: Int32

    /// A request from its parts.
    public init(_ operation: ParameterOperation, key: UInt8, value: Int32 = 0) {
        self.operation = operation
        self.key = key
        self.value = value
    }

    /// Reads a value.
    public static func get(_ key: ParameterKey) -> ParameterRequest { ParameterRequest(.get, key: key.rawValue) }

    /// Changes a value.
    public static func set(_ key: ParameterKey, to value: Int32) -> ParameterRequest {
        ParameterRequest(.set, key: key.rawValue, value: value)
    }

    init(_ reader: inout BodyReader) throws(WireError) {
        guard let operation = ParameterOperation(rawValue: try reader.u8()) else { throw reader.badValue }
        self.operation = operation
        key = try reader.u8()
        value = try reader.i32()
    }

    func write(to body: inout FrameBody) {
        body.append(operation.rawValue)
        body.append(key)
        body.append(value)
    }
}

/// The value of a parameter.
public struct ParameterValue: Sendable, Equatable {
    /// The number of the parameter.
    public var key: UInt8
    /// The value.
    public var value: Int32

    /// A value from its parts.
    public init(key: UInt8, value: Int32) {
        self.key = key
        self.value = value
    }

    init(_ reader: inout BodyReader) throws(WireError) {
        key = try reader.u8()
        value = try reader.i32()
    }

    func write(to body: inout FrameBody) {
        body.append(key)
        body.append(value)
    }
}
