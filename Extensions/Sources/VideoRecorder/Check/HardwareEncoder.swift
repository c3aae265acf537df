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

    /// Tries each encoder in hardware with two seconds of a test pattern, and decodes the result: drivers are known that
    /// report success and write films that do not play.
    /// - Returns: the settings with the first encoder that works, or unchanged with x264; and why others are not used.
    public static func choose(_ settings: EncoderSettings) -> (settings: EncoderSettings, refusals: [Refusal]) {
        var refusals: [Refusal] = []
        for codec in EncoderSettings.Codec.allCases where codec != .x264 {
            var candidate = settings
            candidate.codec = codec
            guard let reason = problem(candidate) else { return (candidate, refusals) }
            refusals.append(Refusal(codec: codec, reason: reason))
        }
        return (settings, refusals)
    }

    /// Returns what is wrong with an encoder, or nil.
    static func problem(_ settings: EncoderSettings) -> String? {
        do throws(ChildProcess.Failure) {
            let film = try ChildRun.run(EncoderCommand.trial(settings), patience: 20, most: 8 << 20)
            guard film.ending == .exited(0), !film.output.isEmpty else { return film.complaint ?? "\(film.ending)" }
            guard film.output.prefix(4096).firstRange(of: "avc1".utf8) != nil else { return "its film is not H.264" }
            let frames = Self.frames(in: film.output)
            guard frames == EncoderCommand.trialFrames else {
                return "its film has \(frames) of \(EncoderCommand.trialFrames) pictures"
            }
            let words = EncoderCommand.comparison(settings.program)
            let comparison = try ChildRun.run(words, input: film.output, patience: 20)
            guard comparison.ending == .exited(0) else {
                return "its film does not play: \(comparison.complaint ?? "\(comparison.ending)")"
            }
            guard let likeness = Self.likeness(in: comparison.complaint ?? "") else {
                return "its film has no pictures"
            }
            return likeness >= Self.likeness ? nil : "its pictures are wrong (likeness \(likeness))"
        } catch {
            return error.description
        }
    }

    private static func frames(in film: [UInt8]) -> Int {
        var stream = FragmentStream(), reader = FilmReader()
        for piece in (try? film.withUnsafeBytes({ try stream.feed($0) })) ?? [] { reader.read(piece) }
        return reader.length.frames
    }

    /// Reads the number behind "All:" in the last line that the comparison writes.
    static func likeness(in line: String) -> Double? {
        guard let place = line.firstRange(of: "All:") else { return nil }
        return Double(line[place.upperBound...].prefix { $0.isNumber || $0 == "." })
    }
}
