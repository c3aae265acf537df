public import Geometry

/// Two score thresholds of a detector. With a single one, faces would be lost whenever they turn, or detected where
/// there are none.
public struct DetectorScores: Sendable, Equatable {
    /// The minimum score of a new face, 0...1.
    public let acquire: Double
    /// The minimum score to keep a known face at its position, 0...`acquire`.
    public let hold: Double

    /// Parses "ACQUIRE,HOLD", as on the command line. The result is nil unless it is two numbers of 0...1, the larger
    /// one first.
    public init?(_ text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        guard numbers.count == 2, (0...1).contains(numbers[0]), (0...numbers[0]).contains(numbers[1]) else {
            return nil
        }
        (acquire, hold) = (numbers[0], numbers[1])
    }
}

/// The daemon's messages to a detector, which a detector may ignore.
public enum DetectorRequest: Sendable, Equatable {
    /// The highest frame rate and the scores (0...1) to use. Nil lets the detector choose.
    case config(framesPerSecond: Double?, acquire: Double?, hold: Double?)
    /// Pauses the detector, because its detections are not used.
    case pause
    /// Resumes the detector.
    case resume
    /// Asks for the detector's clock; the answer is
    /// `{"type":"pong","sent":<as it came>,"t":<the detector's clock, seconds>}`.
    case ping(sent: Seconds)

    /// Appends the request's line, including its line end, to `output`.
    public func write(to output: inout [UInt8]) {
        var writer = JSONWriter()
        switch self {
        case .config(let rate, let acquire, let hold):
            writer.raw(#"{"type":"config""#)
            let rows: [(key: StaticString, value: Double?)] = [
                (#","fps":"#, rate), (#","acquire":"#, acquire), (#","hold":"#, hold),
            ]
            for (key, value) in rows {
                guard let value else { continue }
                writer.raw(key)
                writer.number(value, decimals: 3)
            }
        case .pause: writer.raw(#"{"type":"pause""#)
        case .resume: writer.raw(#"{"type":"resume""#)
        case .ping(let sent):
            writer.raw(#"{"type":"ping","sent":"#)
            writer.number(sent, decimals: 9)
        }
        writer.raw("}\n")
        output += writer.bytes
    }
}
