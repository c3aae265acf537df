import DockTestKit
import Foundation
import Geometry
import Processes
import Testing

@testable import VideoRecorder

@Suite(.enabled(if: Film.hasTools, "ffmpeg is not installed"), .timeLimit(.minutes(10)))
struct EncoderTests {
    private static var now: Double { ClockReading.now().monotonic }

    private static func frame(_ number: Int, begin: Double) -> ChunkFrame {
        ChunkFrame(picture: picture(number), exposure: begin + Double(number) / 30, verdict: .clear)
    }

    @Test func `an encoder that is killed at any moment leaves a film that plays to its end`() throws {
        var dice = Dice(23)
        for _ in 0..<6 {
            let begin = Self.now, encoder = try ChunkEncoder(EncoderSettings(), now: begin)
            for number in 0..<200 { #expect(encoder.put(Self.frame(number, begin: begin), now: begin)) }
            let most = Int.random(in: 1...5, using: &dice)
            var pieces: [FragmentStream.Whole] = []
            pieces += drive(encoder) { $0.length.frames >= most * 30 }
            encoder.kill()
            pieces += drive(encoder) { $0.ending != nil }
            guard case .failed? = encoder.ending else {
                Issue.record("it has \(String(describing: encoder.ending))")
                continue
            }
            let folder = TemporaryFolder()
            try folder.write(pieces.flatMap(\.bytes), "film.mp4")
            let frames = try Film.frames(folder.path + "/film.mp4")
            #expect(frames == Array(0..<encoder.length.frames) && frames.count >= most * 30)
        }
    }

    @Test(arguments: EncoderSettings.Preset.allCases)
    func `at five pictures a second, a kill costs two seconds at most`(preset: EncoderSettings.Preset) throws {
        var settings = EncoderSettings()
        settings.preset = preset
        let begin = Self.now, encoder = try ChunkEncoder(settings, now: begin)
        for number in 0..<60 {
            let frame = ChunkFrame(picture: picture(number), exposure: begin + Double(number) / 5, verdict: .clear)
            #expect(encoder.put(frame, now: begin))
        }
        // It does not know that no picture follows. What it has given back by now is what a kill would leave.
        _ = drive(encoder) { $0.length.frames >= 50 || $0.ending != nil }
        #expect(encoder.length.frames >= 50)
        encoder.end()
    }

    @Test func `an encoder that was started early waits, and loses nothing`() throws {
        let begin = Self.now, encoder = try ChunkEncoder(EncoderSettings(), now: begin - 100)
        _ = encoder.turn(isHeld: false, now: begin)
        #expect(encoder.ending == nil, "without work it may wait as long as it wants")
        for number in 0..<40 { #expect(encoder.put(Self.frame(number, begin: begin), now: begin)) }
        encoder.finish(now: begin)
        _ = drive(encoder) { $0.ending != nil }
        #expect(encoder.ending == .finished && encoder.length.frames == 40)
        #expect(!encoder.put(Self.frame(41, begin: begin), now: begin))
    }

    @Test func `a program that is missing is an error that names it`() {
        var settings = EncoderSettings()
        settings.program = "/nonexistent/ffmpeg"
        #expect(throws: (any Error).self) { try ChunkEncoder(settings, now: Self.now) }
    }

    /// An encoder whose program is a script.
    private static func encoder(_ text: String, in folder: TemporaryFolder, _ now: Double) throws -> ChunkEncoder {
        try folder.write(Array(("#!/bin/sh\n" + text).utf8), "program")
        chmod(folder.path + "/program", 0o700)
        var settings = EncoderSettings()
        settings.program = folder.path + "/program"
        // While another test starts a program, that one may hold the script open for writing for a moment.
        var problem: (any Error)?
        for _ in 0..<100_000 {
            let result = Result { try ChunkEncoder(settings, now: now) }
            switch result {
            case .success(let encoder): return encoder
            case .failure(let error):
                guard (error as? ChildProcess.Failure)?.number == ETXTBSY else { throw error }
                problem = error
                sched_yield()
            }
        }
        throw problem ?? CancellationError()
    }

    @Test func `a program that fails says why, and gives back the frames that it never got`() throws {
        let folder = TemporaryFolder(), begin = Self.now
        let encoder = try Self.encoder("head -c 10000 >/dev/null; echo no such codec >&2; exit 3", in: folder, begin)
        for number in 0..<1000 { _ = encoder.put(Self.frame(number, begin: begin), now: begin) }
        _ = drive(encoder) { $0.ending != nil }
        #expect(encoder.ending == .failed("no such codec (exit status 3)"))
        let sent = try #require(encoder.lastSent), unsent = encoder.takeUnsent()
        #expect(!unsent.isEmpty && unsent.count < 1000 && unsent.allSatisfy { $0.exposure > sent })
    }

    @Test func `a program that hangs is ended after its patience, in virtual time`() throws {
        let folder = TemporaryFolder(), begin = Self.now
        let encoder = try Self.encoder("exec sleep 1000", in: folder, begin)
        for number in 0..<1000 { _ = encoder.put(Self.frame(number, begin: begin), now: begin) }
        _ = encoder.turn(isHeld: false, now: begin)
        #expect(encoder.turn(isHeld: false, now: begin + ChunkEncoder.patience - 0.1).isEmpty && encoder.ending == nil)
        _ = encoder.turn(isHeld: false, now: begin + ChunkEncoder.patience)
        _ = drive(encoder) { $0.ending != nil }
        #expect(encoder.ending == .failed("it did nothing for 5 s"))
    }

    @Test func `a program whose output is no film is ended`() throws {
        let folder = TemporaryFolder(), begin = Self.now
        let encoder = try Self.encoder("head -c 100 /dev/zero; exec sleep 1000", in: folder, begin)
        _ = drive(encoder) { $0.ending != nil }
        #expect(encoder.ending == .failed("its output is not as expected: it is not an MP4 file"))
    }

    @Test func `what waits is bounded`() throws {
        let folder = TemporaryFolder(), begin = Self.now
        let encoder = try Self.encoder("exec sleep 1000", in: folder, begin)
        let large = picture(1, width: 1280, height: 720)
        var taken = 0
        for number in 0..<200 {
            let frame = ChunkFrame(picture: large, exposure: begin + Double(number), verdict: .clear)
            if encoder.put(frame, now: begin) { taken += 1 }
        }
        #expect((60...64).contains(taken))
    }
}
