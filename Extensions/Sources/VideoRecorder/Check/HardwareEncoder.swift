internal import Geometry
internal import Processes

/// Finds an encoder in hardware that works on this machine.
public enum HardwareEncoder {
    /// The least likeness (SSIM, 0 to 1) of an encoded picture. Right ones have 0.95 and more, garbage has 0.5.
    static let likeness = 0.85

    /// Why an encoder is not used.
    public struct Refusal: Sendable, Equatable {
        /// The encoder.
        public var codec: EncoderSettings.Codec
        /// The reason.
        public var reason: String
    }

    /// The longest time that one program of a trial may take, and all of them together, in seconds. The watchdog of a
    /// service has no more patience than 20 s.
    static let patience: Seconds = 4, total: Seconds = 10

    /// Tries each encoder in hardware with two seconds of a test pattern, and decodes the result: drivers are known that
    /// report success and write films that do not play.
    /// - Returns: the settings with the first encoder that works, or unchanged with x264; and why others are not used.
    public static func choose(_ settings: EncoderSettings) -> (settings: EncoderSettings, refusals: [Refusal]) {
        var refusals: [Refusal] = []
        let end = ClockReading.now().monotonic + total
        for codec in EncoderSettings.Codec.allCases where codec != .x264 {
            var candidate = settings
            candidate.codec = codec
            guard let reason = problem(candidate, until: end) else { return (candidate, refusals) }
            refusals.append(Refusal(codec: codec, reason: reason))
        }
        return (settings, refusals)
    }

    /// Returns what is wrong with an encoder, or nil. `end`: CLOCK_MONOTONIC.
    static func problem(_ settings: EncoderSettings, until end: Seconds = .infinity) -> String? {
        func patience() -> Seconds { min(Self.patience, end - ClockReading.now().monotonic) }
        guard patience() > 0 else { return "it was not tried, because the others took too long" }
        do throws(ChildProcess.Failure) {
            let film = try ChildRun.run(EncoderCommand.trial(settings), patience: patience(), most: 8 << 20)
            guard film.ending == .exited(0), !film.output.isEmpty else { return film.complaint ?? "\(film.ending)" }
            guard film.output.prefix(4096).firstRange(of: "avc1".utf8) != nil else { return "its film is not H.264" }
            let words = EncoderCommand.comparison(settings.program)
            let comparison = try ChildRun.run(words, input: film.output, patience: patience())
            guard comparison.ending == .exited(0) else {
                return "its film does not play: \(comparison.complaint ?? "\(comparison.ending)")"
            }
            return problem(likenesses(comparison.output))
        } catch {
            return error.description
        }
    }

    /// Returns what is wrong with pictures of this likeness to the test pattern, or nil.
    private static func problem(_ pictures: [Double]) -> String? {
        guard pictures.count == EncoderCommand.trialFrames else {
            return "its film has \(pictures.count) of \(EncoderCommand.trialFrames) pictures"
        }
        let mean = pictures.reduce(0, +) / Double(pictures.count)
        return mean >= likeness ? nil : "its pictures are wrong (likeness \(mean))"
    }

    /// Reads the number behind "All:" in each line of the comparison.
    static func likenesses(_ output: [UInt8]) -> [Double] {
        output.split(separator: 0x0A).compactMap { line in
            let line = String(decoding: line, as: UTF8.self)
            guard let place = line.firstRange(of: "All:") else { return nil }
            return Double(line[place.upperBound...].prefix { $0.isNumber || $0 == "." })
        }
    }
}
