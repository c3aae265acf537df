import Geometry
import Glibc
import Testing

@testable import DockControl

/// How far the picture moves when the head turns: what reveals a wrong field of view, and what does not.
@Suite struct PictureGainTests {
    /// The evidence of 16 s, with a head and a person in radians over time.
    private func gain(of person: (Seconds) -> Double, head: (Seconds) -> Double, scale: Double) -> PictureGain {
        var gain = PictureGain()
        for step in 20..<400 {
            let now = Double(step) * 0.04
            func bend(_ value: (Seconds) -> Double) -> Double { value(now) - 2 * value(now - 0.3) + value(now - 0.6) }
            func travel(_ from: Seconds) -> Double {
                let poses = stride(from: from, through: from + 0.3, by: 0.03).map(head)
                return (poses.max() ?? 0) - (poses.min() ?? 0)
            }
            let bends = PictureGain.Bend(
                head: bend(head), picture: bend { scale * (person($0) - head($0)) },
                leastTravel: min(travel(now - 0.6), travel(now - 0.3)))
            gain.add(bends, share: 0.04 / 0.3)
        }
        return gain
    }

    /// Back and forth by 9 degrees, without a rest.
    private let swings = { (time: Seconds) -> Double in .degrees(4.5) * sin(5 * time) }
    /// Ten degrees in 0.3 s, and a rest of 0.9 s.
    private let steps = { (time: Seconds) -> Double in
        let turn = (time / 1.2).rounded(.down), way = min(1, (time - 1.2 * turn) / 0.3)
        return .degrees(10) * (Int(turn) % 2 == 0 ? way : 1 - way)
    }

    private func isNear(_ gain: PictureGain, _ scale: Double) -> Bool { abs((gain.finding ?? 0) - scale) < 0.01 }

    @Test(arguments: [0.64, 0.45, 1.57]) func `single motions reveal a wrong field of view`(scale: Double) {
        #expect(isNear(gain(of: { _ in 0.1 }, head: steps, scale: scale), scale))
        #expect(isNear(gain(of: { 0.2 * $0 }, head: steps, scale: scale), scale), "so does a person who walks steadily")
    }

    @Test(arguments: [0.64, 0.45, 1.57]) func `a head that swings around a person does so, too`(scale: Double) {
        #expect(isNear(gain(of: { _ in 0.1 }, head: swings, scale: scale), scale))
    }

    @Test(arguments: [1, 0.85, 1.2, -1, 0.1, 4]) func `what is right, nearly right or no lens at all is no finding`(
        scale: Double
    ) {
        for head in [swings, steps] { #expect(gain(of: { _ in 0.1 }, head: head, scale: scale).finding == nil) }
    }

    /// It sways at up to 1.1 Hz, and the head follows late.
    @Test(arguments: [2.0, 4, 7]) func `a person who sways and is followed reveals nothing wrong`(
        frequency: Double
    ) {
        for scale in [1, 0.64] {
            let sways = { (time: Seconds) -> Double in .degrees(6) * sin(frequency * time) }
            for late in stride(from: 0, through: 0.35, by: 0.05) {
                for share in [0.7, 1, 1.4] {
                    let found = gain(of: sways, head: { share * sways($0 - late) }, scale: scale).finding
                    #expect(
                        found.map { abs($0 - scale) < 0.25 * scale } ?? true,
                        "\(frequency), \(late) s, \(share): \(found ?? 0)")
                }
            }
        }
    }

    @Test func `too few looks, and a head at rest, reveal nothing`() {
        var gain = PictureGain()
        let bend = PictureGain.Bend(head: 0.1, picture: -0.06, leastTravel: 0)
        for _ in 0..<30 { gain.add(bend, share: 0.13) }
        #expect(gain.finding == nil)
        for _ in 0..<30 { gain.add(bend, share: 0.13) }
        #expect(gain.finding != nil)
        var rests = PictureGain()
        for _ in 0..<100 { rests.add(.init(head: 0.04, picture: -0.02, leastTravel: 0), share: 1) }
        #expect(rests == PictureGain())
    }
}
