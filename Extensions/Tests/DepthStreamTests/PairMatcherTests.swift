import DepthStream
import DockTestKit
import Geometry
import Testing

/// Which depth belongs to which picture, in virtual time.
@Suite struct PairMatcherTests {
    private typealias Matcher = PairMatcher<Int, Int>

    /// Something that arrives.
    private struct Arrival {
        var exposure: Seconds, arrival: Seconds, isDepth: Bool
    }

    /// The pictures of a camera, a second of them at most.
    private static func frames(
        _ rate: Double, from start: Seconds, delay: Seconds, isDepth: Bool, jitter: (Int) -> Seconds = { _ in 0 }
    ) -> [Arrival] {
        (0..<Int(rate)).map { number in
            let exposure = 100 + start + Double(number) / rate + jitter(number)
            return Arrival(exposure: exposure, arrival: exposure + delay, isDepth: isDepth)
        }
    }

    /// Hands everything over in the order of its arrival. The numbers are those of the exposures, in microseconds.
    private static func pair(_ all: [Arrival], rate: Double = 60) -> [Matcher.Pair] {
        var matcher = Matcher(rate: rate), pairs: [Matcher.Pair] = []
        for one in all.sorted(by: { ($0.arrival, $0.exposure) < ($1.arrival, $1.exposure) }) {
            let number = Int((one.exposure * 1e6).rounded())
            pairs +=
                one.isDepth
                ? matcher.add(depth: number, at: one.exposure) : matcher.add(picture: number, at: one.exposure)
        }
        return pairs
    }

    /// Checks what must hold for any pairs: everything is used once, in order, and the skew is what it says.
    private static func check(_ pairs: [Matcher.Pair], apart: Seconds) {
        #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.picture < $1.picture && $0.depth < $1.depth })
        for pair in pairs {
            #expect(abs(Double(pair.depth - pair.picture) / 1e6 - pair.skew) < 2e-6)
            #expect(abs(pair.skew) <= apart, "\(pair)")
        }
    }

    @Test(arguments: [0.0, 0.005, 0.0166, 0.02, 0.033], [0.01, 0.08, 0.3])
    func `two cameras of one rate are paired at any phase and any delay`(phase: Seconds, delay: Seconds) {
        for (first, second) in [(0.02, delay), (delay, 0.02)] {
            let all =
                Self.frames(30, from: 0, delay: first, isDepth: false)
                + Self.frames(30, from: phase, delay: second, isDepth: true)
            // Eight wait at most, which are 0.27 s of pictures.
            guard abs(first - second) < 0.25 else { continue }
            let pairs = Self.pair(all)
            Self.check(pairs, apart: 0.0168)
            #expect(pairs.count >= 28, "\(pairs.count) pairs at \(phase) s")
        }
    }

    @Test(arguments: [(10.0, 30.0), (30, 10), (15, 30), (30, 15), (25, 30)])
    func `cameras of different rates give pairs at the lower one`(pictures: Double, depths: Double) {
        let all =
            Self.frames(pictures, from: 0, delay: 0.03, isDepth: false)
            + Self.frames(depths, from: 0.004, delay: 0.05, isDepth: true)
        let pairs = Self.pair(all)
        Self.check(pairs, apart: 0.6 / max(pictures, depths) + 1e-3)
        let least = Int(min(pictures, depths))
        #expect((least - 3...least).contains(pairs.count), "\(pairs.count)")
    }

    @Test func `the nearest depth is taken, not the one that arrives with the picture`() {
        // Depth takes 80 ms longer, so that three others have arrived after the picture's own exposure.
        let all =
            Self.frames(30, from: 0, delay: 0.01, isDepth: false)
            + Self.frames(30, from: 0.003, delay: 0.09, isDepth: true)
        let pairs = Self.pair(all)
        #expect(pairs.count >= 28 && pairs.allSatisfy { abs($0.skew - 0.003) < 1e-6 })
    }

    @Test func `a picture whose depth is missing is left out, and the others keep theirs`() {
        let depths = Self.frames(30, from: 0.002, delay: 0.02, isDepth: true).enumerated()
        let all =
            Self.frames(30, from: 0, delay: 0.02, isDepth: false)
            + depths.filter { ![5, 6, 17].contains($0.offset) }.map(\.element)
        let pairs = Self.pair(all)
        Self.check(pairs, apart: 0.003)
        #expect((24...27).contains(pairs.count), "\(pairs.count)")
    }

    @Test func `jitter of a few milliseconds costs no pair`() {
        var dice = Dice(7)
        let noise = (0..<60).map { _ in Double.random(in: -0.004...0.004, using: &dice) }
        let all =
            Self.frames(30, from: 0, delay: 0.02, isDepth: false) { noise[$0] }
            + Self.frames(30, from: 0.006, delay: 0.03, isDepth: true) { noise[30 + $0] }
        let pairs = Self.pair(all)
        Self.check(pairs, apart: 0.02)
        #expect(pairs.count >= 27, "\(pairs.count)")
    }

    @Test func `a camera that stops leaves no heap, and its return begins again`() {
        var matcher = Matcher(rate: 60), pairs: [Matcher.Pair] = []
        for number in 0..<1000 { pairs += matcher.add(picture: number, at: 10 + Double(number) / 30) }
        #expect(pairs.isEmpty)
        // The old ones of the eight that wait are no pair of the new depth.
        for number in 1000..<1030 {
            pairs += matcher.add(picture: number, at: 10 + Double(number) / 30)
            pairs += matcher.add(depth: number, at: 10 + Double(number) / 30 + 0.001)
        }
        #expect(pairs.count >= 29 && pairs.allSatisfy { $0.picture == $0.depth })
    }

    @Test func `no more pairs than wanted are made`() {
        for rate in [1.0, 5, 10] {
            let all =
                Self.frames(30, from: 0, delay: 0.02, isDepth: false)
                + Self.frames(30, from: 0, delay: 0.02, isDepth: true)
            let pairs = Self.pair(all, rate: rate)
            #expect(abs(pairs.count - Int(rate)) <= 1, "\(rate): \(pairs.count)")
        }
    }

    @Test func `a time that is none, comes twice or goes back makes no pair, and a clock that was set goes on`() {
        var matcher = Matcher(rate: 60), pairs: [Matcher.Pair] = []
        pairs += matcher.add(picture: 1, at: .nan)
        pairs += matcher.add(depth: 1, at: .infinity)
        for (number, time) in [(2, 50), (3, 50), (4, 49.9)] { pairs += matcher.add(picture: number, at: time) }
        #expect(pairs.isEmpty)
        pairs += matcher.add(depth: 2, at: 50.001)
        #expect(pairs.map(\.picture) == [2])
        pairs += matcher.add(depth: 5, at: 7)
        pairs += matcher.add(picture: 5, at: 7.001)
        #expect(pairs.map(\.picture) == [2, 5] && pairs.map(\.depth) == [2, 5])
    }
}
