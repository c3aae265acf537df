internal import Geometry
internal import Glibc

/// Computes the samples of sounds: sines under half a sine, so that they begin and end without a click.
public struct EarconSynth: Sendable, Equatable {
    /// Samples a second, for each of the two channels.
    public static let rate = 44_100
    /// The level of a sound in the middle at full volume, as a share of full scale: loud enough, with room for mixing.
    public static let level = 0.35
    /// How much higher a thing at this tilt sounds, in octaves: four semitones for 45 degrees.
    private static let octaves = 1.0 / 3, highest = Double.degrees(45)

    /// The volume, 0...1.
    public var volume: Double

    /// Creates a synthesizer.
    public init(volume: Double = 1) { self.volume = volume.clamped(to: 0...1) }

    /// Returns interleaved samples, left and right.
    /// - Parameters:
    ///   - side: -1 left, 0 in the middle, 1 right.
    ///   - tilt: how high the thing is, in radians; higher things sound higher.
    public func samples(_ earcon: Earcon, side: Double = 0, tilt: Double = 0) -> [Int16] {
        let (left, right) = Self.gains(side: side)
        let pitch = pow(2, Self.octaves * (tilt.clamped(to: -Self.highest...Self.highest) / Self.highest))
        var samples: [Int16] = []
        samples.reserveCapacity(2 * Int(earcon.duration * Double(Self.rate)) + 2)
        for note in earcon.notes {
            append(note, pitch, left, right, to: &samples)
            let gap = Int((note.gap * Double(Self.rate)).rounded())
            samples.append(contentsOf: repeatElement(0, count: 2 * gap))
        }
        return samples
    }

    private func append(
        _ note: Earcon.Note, _ pitch: Double, _ left: Double, _ right: Double, to samples: inout [Int16]
    ) {
        let count = Int((note.duration * Double(Self.rate)).rounded())
        let scale = Self.level * 2.0.squareRoot() * volume * Double(Int16.max)
        var phase = 0.0
        for index in 0..<count {
            let share = Double(index) / Double(count)
            let value = sin(phase) * sin(.pi * share) * scale
            samples.append(Int16((value * left).rounded()))
            samples.append(Int16((value * right).rounded()))
            // The phase is summed, so that a glide has no jump.
            phase += 2 * .pi * pitch * (note.from + (note.to - note.from) * share) / Double(Self.rate)
        }
    }

    /// Equal power: the sum of the squares of both gains is 1 wherever the sound is.
    static func gains(side: Double) -> (left: Double, right: Double) {
        let angle = ((side.isFinite ? side.clamped(to: -1...1) : 0) + 1) * .pi / 4
        return (cos(angle), sin(angle))
    }
}
