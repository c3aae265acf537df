import Codecs
import FacePrivacy
import Foundation
import Geometry
import Synchronization
import Testing

@testable import VideoRecorder

@Suite(.enabled(if: Film.hasTools, "ffmpeg is not installed"), .timeLimit(.minutes(10)))
struct RecorderTests {
    private let temporary = TemporaryFolder()

    @Test func `over many borders no frame is lost, none is there twice, and times are true`() throws {
        let shop = try Workshop(temporary)
        #expect(shop.start())
        shop.film(620, from: 0)
        shop.finish()
        let stored = shop.stored
        try #require(stored.count == 11)
        #expect(shop.status.state == .off && shop.orders.last == .over)
        let numbers = try stored.flatMap { try Film.frames(shop.folder.path(of: $0.name.file)) }
        #expect(numbers == Array(numbers[0]..<(numbers[0] + numbers.count)) && numbers.count >= 600)
        #expect(stored.map(\.tally.visible).reduce(0, +) == numbers.count && shop.status.tally.lost == 0)
        for (chunk, next) in zip(stored, stored.dropFirst()) { #expect(abs(chunk.name.end - next.name.start) <= 1) }
        let times = try Film.times(shop.folder.path(of: stored[3].name.file))
        #expect(zip(times, 0...).allSatisfy { abs($0 - Double($1) / 30) <= 0.0001 })
        let exposure = try #require(stored[3].exposures?.lowerBound)
        #expect(abs(Double(stored[3].name.start) - (1_795_000_000 + exposure) * 1000) <= 1)
    }

    @Test func `an encoder that is killed costs at most a second and a half, and its chunk plays`() throws {
        let shop = try Workshop(temporary) { $0.length = 60 }
        #expect(shop.start())
        // So large that a pipe holds few of them.
        shop.film(90, from: 0, width: 640)
        #expect(shop.wait { $0.work.fragments > 1 })
        shop.work.killEncoder()
        #expect(shop.wait { !$0.stored.isEmpty })
        shop.film(60, from: 90, width: 640)
        shop.finish()
        let numbers = try shop.stored.map { try Film.frames(shop.folder.path(of: $0.name.file)) }
        try #require(numbers.count == 2)
        #expect(numbers.flatMap { $0 } == numbers.flatMap { $0 }.sorted())
        let gap = (numbers[1].first ?? 999) - (numbers[0].last ?? 0) - 1
        #expect(gap <= 45, "\(gap) frames are lost")
        #expect(numbers[1].last == 149)
    }

    @Test func `other pictures make another chunk, and a deleted one is followed by the next`() throws {
        let shop = try Workshop(temporary) { $0.length = 60 }
        #expect(shop.start())
        shop.film(40, from: 0)
        shop.film(70, from: 40, width: 128)
        #expect(shop.wait { $0.stored.count == 1 })
        #expect(shop.wait { $0.work.fragments > 0 })
        _ = try shop.folder.delete(.all)
        shop.film(60, from: 110, width: 128)
        #expect(shop.wait { $0.orders.contains(.say("the open chunk was deleted", isWarning: false)) })
        shop.film(40, from: 170, width: 128)
        shop.finish()
        let left = try shop.folder.list().chunks
        #expect(left.count == 1 && shop.stored.map(\.size?.width).contains(128))
    }

    @Test func `faces are covered in what is stored, and whole pictures where no one looked`() throws {
        let shop = try Workshop(temporary) {
            ($0.privacy.mode, $0.length) = (.faces, 60)
        }
        #expect(shop.start())
        // The left half of the picture is a face.
        shop.film(90, from: 0xFFFF - 200, faces: [Rect(x: 0.1, y: 0.1, width: 0.3, height: 0.8)])
        shop.film(60, from: 0xFFFF - 110)
        shop.finish()
        let record = try #require(shop.stored.first)
        #expect(shop.stored.count == 1 && record.name.verdict == .covered)
        #expect(record.tally.covered > 60 && record.tally.whole > 30 && record.tally.visible == 0)
        #expect(record.tally.frames >= 120)
    }

    @Test func `a chunk is copied into a film that begins with its index`() throws {
        let shop = try Workshop(temporary) { $0.copies = true }
        #expect(shop.start())
        shop.film(70, from: 0)
        #expect(shop.wait { $0.stored.count == 1 })
        let name = shop.stored[0].name
        #expect(shop.wait { (try? $0.folder.scan(name.file))?.isFragmented == false })
        let scan = try shop.folder.scan(name.file)
        #expect(scan.isWhole && scan.length.frames == 60)
        let times = try Film.times(shop.folder.path(of: name.file))
        #expect(times.count == 60 && zip(times, 0...).allSatisfy { abs($0 - Double($1) / 30) <= 0.0001 })
        var status = stat()
        #expect(stat(shop.folder.path(of: name.file), &status) == 0 && status.st_mode & 0o777 == 0o600)
        shop.finish()
    }

    @Test func `without an encoder it says so, and tries again`() throws {
        let shop = try Workshop(temporary) { $0.encoder.program = "/nonexistent/ffmpeg" }
        #expect(shop.start())
        shop.film(200, from: 0)
        #expect(shop.status.state == .blocked(.encoder("/nonexistent/ffmpeg: No such file or directory")))
        shop.finish()
        #expect(shop.stored.isEmpty && !temporary.names().contains { $0.hasPrefix("chunk") })
    }

    @Test func `while encoders are behind, the open chunk goes on instead of ending one`() throws {
        let program = temporary.path + "/encoder"
        // It has all pictures soon, and needs long to end.
        try Data("#!/bin/sh\nffmpeg \"$@\"\nsleep 2\n".utf8).write(to: URL(fileURLWithPath: program))
        chmod(program, 0o700)
        let shop = try Workshop(temporary) { ($0.encoder.program, $0.length) = (program, 60) }
        try #require(shop.start())
        for round in 0..<7 {
            shop.film(15, from: round * 15, waits: false)
            #expect(shop.work.encoderCount <= RecorderWork.mostEncoders)
            shop.send(.cut)
        }
        shop.finish()
        let frames = shop.stored.map(\.tally.frames)
        // Three chunks ended at once. The fourth went on, and all encoders ended by themselves.
        #expect(frames.count == 4 && frames.prefix(3).allSatisfy { $0 <= 16 } && (frames.last ?? 0) >= 55, "\(frames)")
        #expect(shop.stored.allSatisfy { !$0.isRepaired && $0.tally.lost == 0 })
    }

    @Test func `pictures that never arrived are counted in their chunk`() throws {
        let shop = try Workshop(temporary)
        try #require(shop.start())
        // Two in the first chunk, one in the second.
        shop.film(150, from: 10, misses: [20, 21, 71])
        shop.finish()
        #expect(shop.stored.reduce(0) { $0 + $1.tally.lost } == 3 && shop.stored.first?.tally.lost == 2)
        #expect(shop.stored.reduce(0) { $0 + $1.tally.frames } >= 145)
    }

    @Test func `numbers of a camera that begins again are no gap`() {
        var gaps = FrameGaps()
        #expect([5, 6, 9, nil, 10, 2, 3, 5000, 5001].map { gaps.missed(before: $0) } == [0, 0, 2, 0, 0, 0, 0, 0, 0])
    }

    @Test func `a folder that is gone is reported`() throws {
        let shop = try Workshop(temporary)
        try #require(shop.start())
        rename(shop.folder.path, shop.folder.path + "-moved")
        shop.film(70, from: 0)
        #expect(shop.wait { $0.orders.contains(.folderLost) })
        shop.finish()
    }

    @Test func `a request after the end is not obeyed`() throws {
        let shop = try Workshop(temporary)
        #expect(shop.start())
        shop.send(.finish)
        shop.send(.start(.person, seconds: nil))
        #expect(!shop.turn())
        shop.work.end()
        #expect(shop.status.state == .off && shop.orders.last == .over)
    }

    @Test func `the recorder as a whole ends in order, and frees its folder`() async throws {
        let folder = try temporary.chunks()
        let (orders, put) = AsyncStream<RecorderOrder>.makeStream()
        var settings = RecorderSettings()
        settings.privacy.mode = .none
        let recorder = try Recorder(settings, in: folder) { put.yield($0) }
        #expect(RecorderLock.isHeld(folder))
        recorder.start(.person)
        var number = 0
        for await order in orders {
            switch order {
            case .show(let sign): recorder.shown(sign)
            case .watch(true):
                // Pictures of the next second: a recorder accepts an estimate that is a little early.
                for _ in 0..<25 {
                    let exposure = ClockReading.now().monotonic + 0.01 * Double(number) + 0.01
                    recorder.receive(
                        picture(number),
                        FrameStamp(sequence: number, exposure: exposure, width: 64, height: 48, rate: nil))
                    number += 1
                }
                recorder.finish()
            case .over: put.finish()
            default: break
            }
        }
        recorder.end()
        #expect(recorder.status.state == .off)
    }
}
