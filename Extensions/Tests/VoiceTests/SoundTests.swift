import ControlProtocol
import Foundation
import Geometry
import Testing

@testable import Voice

@Suite struct SoundTests {
    /// One channel as numbers from -1 to 1.
    private func channel(_ samples: [Int16], _ number: Int) -> [Double] {
        stride(from: number, to: samples.count, by: 2).map { Double(samples[$0]) / Double(Int16.max) }
    }

    private func rms(_ values: [Double]) -> Double {
        (values.reduce(0) { $0 + $1 * $1 } / Double(max(values.count, 1))).squareRoot()
    }

    /// The power of one frequency, by Goertzel's filter.
    private func power(_ values: [Double], at frequency: Double) -> Double {
        let coefficient = 2 * cos(2 * .pi * frequency / Double(EarconSynth.rate))
        var (a, b) = (0.0, 0.0)
        for value in values { (a, b) = (value + coefficient * a - b, a) }
        return a * a + b * b - coefficient * a * b
    }

    /// The frequency with the most power, in steps of 1 Hz.
    private func pitch(_ values: [Double]) -> Int {
        (100...2500).max { power(values, at: Double($0)) < power(values, at: Double($1)) } ?? 0
    }

    @Test func `a tick is a sine of 1 kHz for 30 ms`() throws {
        let tick = channel(EarconSynth().samples(try #require(Earcon.named("find-look"))), 0)
        #expect(tick.count == 1323)
        // A tone of 30 ms is known to a few hertz.
        #expect(abs(pitch(tick) - 1000) <= 5)
    }

    @Test func `found goes up, lost goes down`() throws {
        for (name, from, to) in [("find-found", 660, 990), ("find-lost", 660, 440)] {
            let samples = channel(EarconSynth().samples(try #require(Earcon.named(name))), 0)
            #expect(abs(pitch(Array(samples[..<3969])) - from) <= 5, "\(name)")
            #expect(abs(pitch(Array(samples[(3969 + 882)...])) - to) <= 5, "\(name)")
        }
    }

    @Test func `what is higher up sounds higher`() throws {
        let sound = try #require(Earcon.named("gesture-stop"))
        for (tilt, wanted) in [(0.0, 440.0), (45, 440 * pow(2, 1.0 / 3)), (-45, 440 * pow(2, -1.0 / 3)), (170, 554.4)] {
            let found = pitch(channel(EarconSynth().samples(sound, tilt: .degrees(tilt)), 0))
            #expect(abs(Double(found) - wanted) <= 2, "\(tilt)")
        }
    }

    @Test(arguments: Earcon.all) func `no sound clicks, is too loud, or too long`(sound: Earcon) {
        let samples = EarconSynth().samples(sound, tilt: .degrees(90)), left = channel(samples, 0)
        #expect((0.03...0.25).contains(sound.duration), "\(sound.name)")
        #expect(samples.count == 2 * Int((sound.duration * 44_100).rounded()))
        #expect(abs(left[0]) < 0.002 && abs(left[left.count - 1]) < 0.002, "it begins and ends at zero")
        // A sine of the highest frequency used, at full level, changes by no more than this from sample to sample.
        let highest = (sound.notes.map { max($0.from, $0.to) }.max() ?? 0) * pow(2, 1.0 / 3)
        let steepest = zip(left, left.dropFirst()).map { abs($1 - $0) }.max() ?? 0
        #expect(steepest <= EarconSynth.level * 2 * .pi * highest / 44_100 * 1.05 + 1e-4, "a jump is a click")
        let peak = left.map { abs($0) }.max() ?? 0
        #expect((0.2...EarconSynth.level + 0.001).contains(peak), "\(peak)")
    }

    @Test(arguments: [-1, -0.6, -0.2, 0, 0.3, 0.75, 1]) func `a sound is as loud wherever it is`(side: Double) throws {
        let sound = try #require(Earcon.named("find-given-up"))
        let samples = EarconSynth().samples(sound, side: side)
        let left = rms(channel(samples, 0)), right = rms(channel(samples, 1))
        // A sine under half a sine has half the level of a square of its peak.
        let wanted = EarconSynth.level / 2 * 2.0.squareRoot()
        #expect(abs((left * left + right * right).squareRoot() - wanted) < 0.002, "equal power")
        if side == 0 { #expect(abs(left - right) < 1e-6) }
        if side < 0 { #expect(left > right) }
        if side > 0 { #expect(right > left) }
        if abs(side) == 1 { #expect(min(left, right) < 1e-4, "the other side is silent") }
    }

    @Test func `wrong places and volumes do no harm`() throws {
        let sound = try #require(Earcon.named("ok"))
        #expect(EarconSynth().samples(sound, side: .nan) == EarconSynth().samples(sound))
        #expect(EarconSynth().samples(sound, side: 7) == EarconSynth().samples(sound, side: 1))
        #expect(EarconSynth(volume: 9) == EarconSynth(volume: 1))
        #expect(EarconSynth(volume: 0).samples(sound).allSatisfy { $0 == 0 })
        let quiet = rms(channel(EarconSynth(volume: 0.5).samples(sound), 0))
        #expect(abs(quiet * 2 - rms(channel(EarconSynth().samples(sound), 0))) < 1e-3)
    }

    @Test func `a WAV file says what it has`() {
        let bytes = WaveFile.bytes([1, -2, 3, -4])
        let wanted: [UInt8] =
            Array("RIFF".utf8) + [44, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 2, 0]
            + [0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0] + Array("data".utf8) + [8, 0, 0, 0]
            + [1, 0, 0xFE, 0xFF, 3, 0, 0xFC, 0xFF]
        #expect(bytes == wanted)
    }

    @Test func `each sound has a name that a program may offer, and its line on the page`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/VOICE.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(Set(Earcon.all.map(\.name)).count == Earcon.all.count)
        for sound in Earcon.all {
            #expect(text.contains("| `\(sound.name)` | \(sound.meaning) |"), "\(sound.name)")
            let isName = sound.name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
            #expect(isName && sound.name.count <= 32)
        }
    }
}
