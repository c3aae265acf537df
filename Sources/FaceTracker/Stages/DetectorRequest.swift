public import Geometry

/// How sure a detector has to be of a face: two thresholds, because with one a face is either lost whenever it turns, or found where
/// there is none.
public struct DetectorScores: Sendable, Equatable {
    /// From this score on a face is taken up, 0...1.
    public let acquire: Double
    /// Down to this score it is kept where it was, 0...`acquire`.
    public let hold: Double

    /// From "ACQUIRE,HOLD", as on the command line; nil if it is not two numbers of 0 to 1, the larger one first.
    public init?(_ text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        guard numbers.count == 2, (0...1).contains(numbers[0]), (0...numbers[0]).contains(numbers[1]) else {
            return nil
        }
        (acquire, hold) = (numbers[0], numbers[1])
    }
}

/// What the daemon says back to a detector; optional to honour.
public enum DetectorRequest: Sendable, Equatable {
    /// How many frames per second are wanted at most, and which scores are used (0...1); nil: as the detector likes.
    case config(framesPerSecond: Double?, acquire: Double?, hold: Double?)
    /// Nobody looks: rest.
    case pause
    /// Go on.
    case resume
    /// Asks for the detector's clock; the answer is
    /// `{"type":"pong","sent":<as it came>,"t":<the detector's clock, seconds>}`.
    case ping(sent: Seconds)

    /// Adds the request's line, its line end included, to `output`.
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
