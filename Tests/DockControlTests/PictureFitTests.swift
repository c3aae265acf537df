import DockSimulator
import Geometry
import Glibc
import Testing

@testable import DockControl

/// How late frames are, measured with a face that sits still while the head moves back and forth.
@Suite struct PictureFitTests {
    /// A camera's view of a face at 12 degrees, with frames stamped `late` seconds after their exposure.
    static func take(
        _ axis: Axis = .pan, late: Seconds, rate: Double = 30, gain: Double = 1, noise: Double = .degrees(0.2),
        drift: Double = 0, walk: Double = 0, seed: UInt64 = 1
    ) -> PictureFit.Take {
        let motion = ResponseFitTests.recording(delay: 0.02, lag: 0.05, noise: .degrees(0.05), seed: seed)
        let truth = ResponseFitTests.recording(delay: 0.02, lag: 0.05, seed: seed).readings
        var random = SeededRandom(seed: seed + 77), sightings: [PictureFit.Sighting] = []
        for index in 0..<Int(13 * rate) {
            let exposure = 50.2 + Double(index) / rate
            guard let after = truth.firstIndex(where: { $0.time > exposure }), after > 0 else { continue }
            let (a, b) = (truth[after - 1], truth[after])
            let place = a.position + (b.position - a.position) * (exposure - a.time) / (b.time - a.time)
            var bearing = PanTilt.zero
            let face = 0.2 + drift * (exposure - 50) + walk * sin(exposure)
            bearing[axis] = face - gain * place + noise * random.normal()
            sightings.append(.init(exposure: exposure + late, subject: 1, bearing: bearing))
        }
        return PictureFit.Take(axis: axis, recording: motion, sightings: sightings)
    }

    @Test(arguments: [-0.12, -0.03, 0, 0.045, 0.2, 0.41] as [Seconds])
    func `late or early, the lag is found to 5 milliseconds, within the reported error`(late: Seconds) throws {
        for seed: UInt64 in 1...4 {
            let fit = try #require(
                PictureFit([Self.take(.pan, late: late, seed: seed), Self.take(.tilt, late: late, seed: seed + 9)]))
            #expect(abs(fit.late - late) < 0.005, "\(fit)")
            #expect(abs(fit.late - late) < 4 * fit.error && fit.error < 0.004, "\(fit)")
            #expect(fit.axes.count == 2 && fit.axes.allSatisfy { abs($0.gain - 1) < 0.02 }, "\(fit)")
        }
    }

    @Test func `ten frames a second from a coarse detector, and a person who sinks in the chair, are good enough`()
        throws
    {
        let fit = try #require(
            PictureFit([Self.take(late: 0.09, rate: 10, noise: .degrees(0.8), drift: .degrees(0.3))]))
        #expect(abs(fit.late - 0.09) < 0.02, "\(fit)")
    }

    @Test func `a wrong field of view and a mirrored image show as the gain`() throws {
        for gain in [1.3, -1] {
            let fit = try #require(PictureFit([Self.take(late: 0.05, gain: gain)]))
            #expect(abs(fit.axes[0].gain - gain) < 0.03, "\(fit)")
        }
    }

    @Test func `a person who walks about, no person, or a camera that does not turn give no number`() {
        #expect(PictureFit([Self.take(late: 0.05, walk: .degrees(5))]) == nil)
        let both = PictureFit([Self.take(.pan, late: 0.05, walk: .degrees(5)), Self.take(.tilt, late: 0.05)])
        #expect(both?.axes.map(\.axis) == [.tilt], "\(both as Any)")
        #expect(PictureFit([Self.take(late: 0.05, gain: 0)]) == nil)
        var empty = Self.take(late: 0.05)
        empty.sightings = Array(empty.sightings.prefix(12))
        #expect(PictureFit([empty]) == nil)
        empty.recording.readings = []
        #expect(PictureFit([empty]) == nil && PictureFit([]) == nil)
    }
}
