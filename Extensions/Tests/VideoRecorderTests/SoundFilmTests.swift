import DockTestKit
import Foundation
import Geometry
import Processes
import Testing

@testable import VideoRecorder

/// A microphone that plays a file of samples: ffmpeg reads it as it reads a device, and stamps it with Unix time. The
/// device is lost at the end of the file, and is not there without it.
private struct FakeMicrophone {
    /// The Unix time of the first sample: the beginning of a `Workshop`.
    static let begin = 1_795_005_000.0

    let folder = TemporaryFolder()
    private let shift: Double, slowness: Double

    /// Creates a microphone.
    /// - Parameters:
    ///   - shift: how much later than it was captured the sound is stamped, in seconds.
    ///   - slowness: the true time between two samples, as a multiple of what the rate says.
    init(shift: Double = 0, slowness: Double = 1) { (self.shift, self.slowness) = (shift, slowness) }

    private var path: String { folder.path + "/sound.raw" }

    var source: SoundSource {
        // ffmpeg adds the offset first.
        let times = ["-itsoffset", "\((Self.begin + shift) / slowness)", "-itsscale", "\(slowness)"]
        let words = times + ["-f", "s16le", "-ar", "48000", "-ac", "1"]
        return SoundSource(name: "fake", input: words + ["-i", "file:" + path])
    }

    /// Puts sound on: clicks of 5 ms at these times, in seconds since the beginning.
    func plays(_ seconds: Double, clicks: [Double] = []) throws {
        var samples = [Int16](repeating: 0, count: Int(seconds * 48_000))
        for click in clicks {
            let first = Int((click / slowness * 48_000).rounded())
            for place in 0..<240 { samples[first + place] = place / 12 % 2 == 0 ? 20_000 : -20_000 }
        }
        try folder.write(
            samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }, "sound.raw")
    }

    func isUnplugged() { unlink(path) }
}

extension Film {
    /// Decodes the sound: samples from the time 0 of the file on, 48,000 a second.
    fileprivate static func sound(_ path: String) throws -> [Int16] {
        let run = try ChildRun.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-copyts", "-i", path, "-map", "0:a:0"]
                + ["-af", "aresample=48000:first_pts=0", "-f", "s16le", "pipe:1"], most: 1 << 24)
        #expect(run.ending == .exited(0) && run.complaint == nil, "\(run.complaint ?? "\(run.ending)")")
        return stride(from: 0, to: run.output.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(run.output[$0]) | UInt16(run.output[$0 + 1]) << 8)
        }
    }

    /// Returns when clicks begin, in seconds.
    fileprivate static func clicks(_ samples: [Int16]) -> [Double] {
        var found: [Double] = []
        for (place, sample) in samples.enumerated() where sample.magnitude > 8000 {
            let time = Double(place) / 48_000
            if found.last.map({ time - $0 > 0.1 }) ?? true { found.append(time) }
        }
        return found
    }

    /// Whether a film has a track of sound, and how long it is in seconds.
    fileprivate static func soundLength(_ path: String) throws -> Double? {
        let run = try ChildRun.run(
            ["ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=duration,codec_name,channels"]
                + ["-of", "csv=p=0", path])
        let parts = String(decoding: run.output, as: UTF8.self).split { $0 == "," || $0 == "\n" }
        guard parts.count == 3 else { return nil }
        #expect(parts[0] == "aac" && parts[1] == "1")
        return Double(parts[2])
    }
}

/// Chunks with sound, of real encoders and a real program that captures.
@Suite(.enabled(if: Film.hasTools, "ffmpeg is not installed"), .timeLimit(.minutes(10)))
struct SoundFilmTests {
    private let temporary = TemporaryFolder()

    /// The number of a white picture; all others are dark.
    private static let white = 0xFFFF
    /// Pictures that are white when it clicks: near the beginning and the end of the second chunk, and in the third.
    private static let flashes = [66, 115, 150]

    /// When the workshop's camera takes this picture, in seconds since its beginning.
    private static func time(_ picture: Int) -> Double { Double(picture + 1) / 30 - 0.02 }

    /// Records flashes and clicks. Returns the workshop when all is written.
    private func record(_ microphone: FakeMicrophone, copies: Bool = false) throws -> Workshop {
        try microphone.plays(8, clicks: Self.flashes.map(Self.time))
        let shop = try Workshop(temporary) { ($0.sound, $0.copies) = (microphone.source, copies) }
        #expect(shop.start())
        shop.film(210, from: 0) { Self.flashes.contains($0) ? Self.white : 0 }
        if copies {
            #expect(
                shop.wait { shop in
                    shop.stored.count >= 3
                        && shop.stored.allSatisfy { (try? shop.folder.scan($0.name.file))?.isFragmented == false }
                }, "\(shop.orders)")
        }
        shop.finish()
        return shop
    }

    /// Returns how much later than its flash each click is, in seconds.
    private func deviations(_ path: String) throws -> [Double] {
        let times = zip(try Film.times(path), try Film.frames(path)).filter { $0.1 == Self.white }.map(\.0)
        let clicks = try Film.clicks(Film.sound(path))
        try #require(times.count == clicks.count, "\(times) and \(clicks)")
        return zip(clicks, times).map { $0 - $1 }
    }

    @Test(arguments: [false, true])
    func `a flash and a click are together at both ends of a chunk`(copies: Bool) throws {
        let shop = try record(FakeMicrophone(), copies: copies)
        try #require(shop.stored.count >= 3 && shop.stored.allSatisfy(\.hasSound))
        let second = try deviations(shop.folder.path(of: shop.stored[1].name.file))
        let third = try deviations(shop.folder.path(of: shop.stored[2].name.file))
        #expect(second.count == 2 && third.count == 1)
        for deviation in second + third { #expect(abs(deviation) <= 0.02, "\(deviation * 1000) ms") }
        for chunk in shop.stored {
            let path = shop.folder.path(of: chunk.name.file), sound = try #require(try Film.soundLength(path))
            #expect(abs(sound - Double(chunk.name.duration) / 1000) <= 0.025, "\(sound) s of \(chunk.name.duration) ms")
        }
        let orders = shop.orders
        #expect(!orders.contains { if case .say(_, isWarning: true) = $0 { true } else { false } })
    }

    @Test(arguments: [0.9995, 1.0005])
    func `in a minute with a crystal that is wrong by 500 ppm, both ends are within 20 ms`(slowness: Double) throws {
        let flashes = [30, 1750], microphone = FakeMicrophone(slowness: slowness)
        try microphone.plays(64, clicks: flashes.map(Self.time))
        let shop = try Workshop(temporary) { ($0.sound, $0.length) = (microphone.source, 60) }
        #expect(shop.start())
        shop.film(1780, from: 0) { flashes.contains($0) ? Self.white : 0 }
        shop.finish()
        try #require(shop.stored.count == 1)
        let found = try deviations(shop.folder.path(of: shop.stored[0].name.file))
        #expect(found.count == 2 && found.allSatisfy { abs($0) <= 0.02 }, "\(found)")
    }

    @Test func `a shift of 40 ms would be noticed`() throws {
        let shop = try record(FakeMicrophone(shift: 0.04))
        try #require(shop.stored.count >= 3)
        let found = try deviations(shop.folder.path(of: shop.stored[1].name.file))
        for deviation in found { #expect((0.02...0.06).contains(deviation), "\(deviation * 1000) ms") }
    }

    @Test func `an exported film keeps flashes and clicks together over borders`() throws {
        let shop = try record(FakeMicrophone(), copies: true)
        let export = FilmExport(shop.folder), plan = try export.plan(.all), file = temporary.path + "/visit.mp4"
        #expect(plan.parts.count == 1 && plan.names.count == shop.stored.count)
        try export.write(plan, to: [file])
        let found = try deviations(file)
        #expect(found.count == Self.flashes.count && found.allSatisfy { abs($0) <= 0.02 }, "\(found)")
        let times = try Film.times(file), first = try #require(times.first)
        #expect(first <= 0.03)
        for (time, number) in zip(times, 0...) {
            #expect(abs(time - first - Double(number) / 30) <= 0.002, "picture \(number)")
        }
    }

    @Test func `a device that is lost costs its sound, and no picture`() throws {
        let microphone = FakeMicrophone()
        try microphone.plays(3)
        let shop = try Workshop(temporary) { $0.sound = microphone.source }
        #expect(shop.start())
        shop.film(60, from: 0)
        microphone.isUnplugged()
        shop.film(180, from: 60)
        shop.finish()
        // The sound ends in the second chunk, whose encoder has a track already. What follows has none.
        #expect(shop.stored.map(\.hasSound) == [true, true, false, false])
        let numbers = try shop.stored.flatMap { try Film.frames(shop.folder.path(of: $0.name.file)) }
        #expect(numbers == Array(numbers[0]..<(numbers[0] + numbers.count)) && numbers.count >= 210)
        let length = try #require(try Film.soundLength(shop.folder.path(of: shop.stored[1].name.file)))
        #expect(abs(length - 2) <= 0.025, "silence to its end")
        let said = shop.orders.compactMap { if case .say(let text, isWarning: true) = $0 { text } else { nil } }
        #expect(said.count == 1 && said.first?.hasPrefix("no sound is recorded: ") == true, "\(said)")
        let plan = try FilmExport(shop.folder).plan(.all)
        #expect(plan.parts.map { $0.pieces.count } == [2, 2], "films with sound and without")
    }

    @Test func `a device that comes later is found, and its chunks have sound`() throws {
        let microphone = FakeMicrophone()
        let shop = try Workshop(temporary) { $0.sound = microphone.source }
        #expect(shop.start())
        #expect(shop.wait { if case .failed? = $0.work.sound?.state { true } else { false } })
        try microphone.plays(12)
        // After half a second it is tried again.
        shop.film(30, from: 0)
        #expect(shop.wait { $0.work.sound?.state == .open })
        shop.film(210, from: 30)
        shop.finish()
        #expect(
            shop.stored.first?.hasSound == false && shop.stored.last?.hasSound == true && shop.status.sound == .closed)
        #expect(shop.orders.contains(.say("sound is recorded again, from fake", isWarning: false)))
    }

    @Test func `a source that floods is read no faster than time passes`() throws {
        let microphone = FakeMicrophone()
        try microphone.plays(60)
        let capture = SoundCapture(microphone.source, program: "ffmpeg")
        defer { capture.end() }
        let now = ClockReading(wall: FakeMicrophone.begin, monotonic: 5000, boot: 5000)
        capture.want(true)
        for _ in 0..<3000 where capture.ring.end == nil || capture.waits(now: now.monotonic)[0].fd >= 0 {
            var waits = capture.waits(now: now.monotonic)
            _ = poll(&waits, nfds_t(waits.count), 20)
            #expect(capture.turn(now).isEmpty)
        }
        let end = try #require(capture.ring.end)
        #expect(end > SoundRing.index(5000) && end < SoundRing.index(5000.5))
        #expect(capture.waits(now: now.monotonic)[0].fd == -1)
        #expect((capture.deadline(now: now.monotonic) ?? 0) > now.monotonic)
    }

    @Test func `real time: a source that is stamped on arrival has the times of now`() throws {
        let source = SoundSource(
            name: "tone",
            input: [
                "-use_wallclock_as_timestamps", "1", "-f", "lavfi", "-i",
                "sine=r=48000:samples_per_frame=480,arealtime",
            ])
        let capture = SoundCapture(source, program: "ffmpeg")
        defer { capture.end() }
        let begin = ClockReading.now().monotonic
        capture.want(true)
        var last = begin
        while (capture.ring.end ?? 0) < SoundRing.index(begin + 1), last - begin < 30 {
            var waits = capture.waits(now: last)
            _ = poll(&waits, nfds_t(waits.count), 100)
            #expect(capture.turn(.now()).isEmpty)
            last = ClockReading.now().monotonic
        }
        let end = try #require(capture.ring.end), off = Double(end) / 48_000 - last
        #expect(abs(off) < 1, "\(off) s")
        // A busy machine lets the program pause, and a pause is silent.
        #expect(capture.ring.bytes((end - 24_000)..<end).contains { $0 != 0 })
        #expect(capture.isHopeful && capture.state == .open)
        capture.want(false)
        #expect(capture.state == .closed && capture.ring.end == nil)
    }
}
