internal import Geometry

/// The sound of the last seconds, on a grid of time: sample n was captured n / 48,000 seconds after the zero of
/// CLOCK_MONOTONIC. Pure.
///
/// Pictures wait until it is known where faces are, so sound waits, too. A device whose crystal is not exact loses or
/// repeats a sample now and then. So sound stays beside the pictures however long a chunk is.
struct SoundRing: Sendable, Equatable {
    /// The samples that are kept, 5 s. The oldest go first.
    static let most = 5 * SoundSource.rate
    /// A packet that is off by more (1 ms) loses or repeats a sample: up to 833 ppm.
    static let slack = SoundSource.rate / 1000
    /// A packet that is off by more (40 ms) follows a gap, which becomes silence, or overlaps.
    static let gap = SoundSource.rate / 25

    private var samples: [Int16] = []
    /// The number of the first of `samples`.
    private var base = 0

    /// The number of the sample behind the last one, or nil if there is none.
    var end: Int? { samples.isEmpty ? nil : base + samples.count }

    /// Returns the number of the sample at this time, CLOCK_MONOTONIC.
    static func index(_ time: Seconds) -> Int {
        // Up to 30 years. Not a number becomes 0.
        Int((time > 0 ? min(time, 1e9) * Seconds(SoundSource.rate) : 0).rounded())
    }

    /// Adds a packet whose first sample was captured at this time, CLOCK_MONOTONIC.
    mutating func put(_ packet: [Int16], at time: Seconds) {
        guard let first = packet.first else { return }
        let target = Self.index(time), off = target - (end ?? target)
        if samples.isEmpty || abs(off) > Self.most {
            (samples, base) = (packet, target)
        } else if off > Self.gap {
            samples += [Int16](repeating: 0, count: off) + packet
        } else if off < -Self.gap {
            samples += packet.dropFirst(-off)
        } else if off > Self.slack {
            samples.append(first)
            samples += packet
        } else if off < -Self.slack {
            samples += packet.dropFirst()
        } else {
            samples += packet
        }
        trim()
    }

    /// Removes the oldest samples, a second at a time, because each removal moves all others.
    private mutating func trim() {
        guard samples.count > Self.most + SoundSource.rate else { return }
        base += samples.count - Self.most
        samples.removeFirst(samples.count - Self.most)
    }

    /// Removes all samples.
    mutating func clear() { samples = [] }

    /// Returns the samples with these numbers as bytes, little-endian. What is not there is silent.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * range.count)
        for number in range {
            let place = number - base
            let sample = samples.indices.contains(place) ? samples[place] : 0
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        return bytes
    }
}
