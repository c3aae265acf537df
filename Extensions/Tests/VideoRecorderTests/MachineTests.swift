import DockTestKit
import Geometry
import Testing

@testable import VideoRecorder

@Suite struct DeletionNewsTests {
    @Test func `a folder that is full is named once an hour, with the sum`() {
        var news = DeletionNews()
        let one = [ChunkEntry(name: ChunkName(start: 1, duration: 2, verdict: .clear), bytes: 2_000_000)]
        #expect(news.add(one, now: 5) == "deleted the oldest recording, 2 MB" && news.add([], now: 9000) == nil)
        let said = (1...300).compactMap { news.add(one, now: 5 + Double($0) * 30) }
        #expect(said == ["deleted the oldest 120 recordings, 240 MB", "deleted the oldest 120 recordings, 240 MB"])
    }
}

@Suite struct RecorderMachineTests {
    @Test func `it is off until a party starts it, and looks at no picture before`() {
        var bench = Bench()
        bench.pass(5)
        #expect(bench.log.isEmpty && bench.state == .off)
    }

    @Test func `the sign is shown before the first frame, and the camera is watched only while it records`() throws {
        var bench = Bench()
        bench.start()
        bench.pass(3)
        bench.stop()
        bench.pass(3)
        let shown = try #require(bench.log.firstIndex(of: .show(.recording)))
        let first = try #require(bench.log.firstIndex { if case .begin = $0 { true } else { false } })
        #expect(shown < first && bench.signs == [.waiting, .recording, .off])
        #expect(bench.log.filter { [.watch(true), .watch(false)].contains($0) } == [.watch(true), .watch(false)])
        #expect(bench.state == .off && bench.ends == [.stopped])
    }

    @Test func `frames between the word and the stop are recorded, no others`() {
        var bench = Bench()
        bench.pass(2)
        let from = bench.now
        bench.start()
        bench.pass(25)
        let to = bench.now
        bench.stop()
        bench.pass(3)
        #expect(bench.recorded.allSatisfy { $0 >= from && $0 < to })
        #expect(bench.recorded.count >= 745 && Set(bench.recorded).count == bench.recorded.count)
        #expect(bench.ends == [.length, .length, .stopped])
    }

    @Test func `nothing is recorded if people cannot see it`() {
        var bench = Bench()
        bench.isAnswered = false
        bench.start()
        bench.pass(5)
        #expect(bench.recorded.isEmpty && bench.machine.drops.unannounced > 100)
        bench.carryOut(bench.machine.shown(.recording, problem: "the daemon is too old", now: bench.now))
        bench.pass(5)
        #expect(bench.recorded.isEmpty && bench.state == .blocked(.indicator("the daemon is too old")))
        // A daemon that can show it comes.
        bench.isAnswered = true
        bench.connect()
        bench.pass(2)
        #expect(!bench.recorded.isEmpty && bench.state == .recording)
    }

    @Test func `a daemon that refuses the sign is asked again, and named once`() {
        var bench = Bench()
        bench.isAnswered = false
        bench.start()
        for _ in 0..<5 {
            bench.pass(12)
            bench.carryOut(bench.machine.shown(.recording, problem: "too many", now: bench.now))
        }
        #expect(bench.signs.count { $0 == .recording } >= 5 && bench.recorded.isEmpty)
        #expect(bench.log.count { if case .say(_, true) = $0 { true } else { false } } == 1)
        bench.isAnswered = true
        bench.pass(12)
        #expect(bench.state == .recording && !bench.recorded.isEmpty)
    }

    @Test func `another sign that the daemon refuses ends no recording`() {
        var bench = Bench()
        bench.start()
        bench.pass(3)
        for sign in [RecorderMachine.Sign.off, .waiting, .fault("x")] {
            bench.carryOut(bench.machine.shown(sign, problem: "too many", now: bench.now))
        }
        bench.pass(1)
        #expect(bench.ends.isEmpty && bench.state == .recording && bench.frames.count == 1)
    }

    @Test func `a new connection shows the sign again, before another frame is recorded`() {
        var bench = Bench()
        bench.start()
        bench.pass(3)
        bench.isAnswered = false
        let before = bench.recorded.count
        bench.connect()
        bench.pass(1)
        #expect(bench.recorded.count == before && bench.signs.suffix(1) == [.recording])
    }

    @Test func `a picture that was taken before the sign was shown is not recorded, although it leaves later`() {
        var bench = Bench()
        bench.isAnswered = false
        bench.start()
        bench.pass(2)
        let shown = bench.now
        bench.answer(.recording)
        bench.pass(0.65)
        #expect(bench.recorded.isEmpty && bench.machine.drops.unannounced > 30)
        bench.pass(2)
        #expect(bench.recorded.count > 50 && bench.recorded.allSatisfy { $0 >= shown } && bench.secret.isEmpty)
    }

    @Test func `a recording with an end ends by itself`() {
        var bench = Bench()
        bench.start(.server("hall"), until: bench.now + 5)
        bench.pass(10)
        #expect(bench.state == .off && bench.recorded.count > 140 && bench.recorded.count <= 151)
    }

    @Test func `a person's stop ends the request of a server, and a server's stop only its own`() {
        var bench = Bench()
        bench.start(.server("hall"))
        bench.start()
        bench.pass(1)
        bench.stop(.server("hall"))
        #expect(bench.state == .recording)
        bench.start(.server("hall"))
        bench.stop()
        bench.pass(3)
        #expect(bench.state == .off)
    }

    @Test func `a camera that is unplugged ends the chunk within 3 s, and recording goes on with its pictures`() {
        var bench = Bench()
        bench.start()
        bench.pass(5)
        bench.pass(3, camera: false)
        #expect(bench.ends == [.camera] && bench.state == .waiting && bench.signs.last == .waiting)
        let before = bench.recorded.count
        bench.pass(1.1)
        #expect(bench.state == .recording && bench.recorded.count > before + 5)
    }

    @Test(arguments: [3600, -3600]) func `a clock that is set ends the chunk`(by: Double) {
        var bench = Bench()
        bench.start()
        bench.pass(5)
        bench.wall += by
        bench.pass(5)
        #expect(bench.ends == [.clock(.set(by: by))] || bench.ends.count == 1)
        guard case .clock(.set(let step))? = bench.ends.first else {
            Issue.record("\(bench.ends)")
            return
        }
        #expect(abs(step - by) < 0.01 && bench.frames.count == 2)
        let lost = zip(bench.recorded, bench.recorded.dropFirst()).filter { $1 - $0 > 0.05 }
        #expect(lost.isEmpty, "no frame is missing at the border")
    }

    @Test func `a machine that slept begins another chunk`() {
        var bench = Bench()
        bench.start()
        bench.pass(5)
        bench.wall += 600
        bench.boot += 600
        bench.pass(1)
        guard case .clock(.slept(let seconds))? = bench.ends.first else {
            Issue.record("\(bench.ends)")
            return
        }
        #expect(abs(seconds - 600) < 0.01)
    }

    @Test func `other pictures begin another chunk`() {
        var bench = Bench()
        bench.start()
        bench.pass(3)
        bench.size = PictureSize(width: 1280, height: 720)
        bench.pass(3)
        #expect(bench.ends == [.size] && bench.frames.count == 2)
    }

    @Test func `the next encoder and the room are asked for before the border, once`() {
        var bench = Bench()
        bench.start()
        bench.pass(15)
        #expect(bench.log.count { $0 == .warm } == 1 && bench.log.count { $0 == .makeRoom } == 2)
    }

    @Test func `a chunk that a person deletes is followed by another`() {
        var bench = Bench()
        bench.start()
        bench.pass(3)
        let deleted = bench.now
        bench.carryOut(bench.machine.wasDeleted(1, now: deleted))
        bench.pass(2)
        #expect(bench.ends == [.deleted] && bench.frames.count == 2)
        // Those in the delay line belong to the time that was deleted.
        #expect(bench.frames[2]?.count ?? 0 > 30 && bench.frames[2]?.allSatisfy { $0 >= deleted } == true)
    }

    @Test func `whatever happens, a frame is recorded once, in order, and only while that is shown`() {
        for seed in UInt64(1)...60 {
            var dice = Dice(seed), bench = Bench()
            bench.isAnswered = false
            for _ in 0..<200 {
                switch Int.random(in: 0...12, using: &dice) {
                case 0: bench.start(until: Bool.random(using: &dice) ? bench.now + 3 : nil)
                case 1: bench.stop()
                case 2: bench.start(.server("a"), until: bench.now + 2)
                case 3: bench.room = Bool.random(using: &dice) ? nil : "full"
                case 4: bench.connect()
                case 5: bench.wall += Double.random(in: -5...5, using: &dice)
                case 6:
                    bench.carryOut(
                        bench.machine.encoderFailed(
                            bench.frames.keys.max(), "x", hasWorked: Bool.random(using: &dice), sent: nil,
                            now: bench.now))
                case 7: bench.answer(.recording)
                case 8: bench.isAnswered = Bool.random(using: &dice)
                case 9: bench.pass(Double.random(in: 0...3, using: &dice), camera: false)
                default: bench.pass(Double.random(in: 0...3, using: &dice))
                }
            }
            #expect(zip(bench.recorded, bench.recorded.dropFirst()).allSatisfy { $0 < $1 })
            #expect(bench.secret.isEmpty)
            // Each beginning has one end, in order.
            var open: Int?
            for action in bench.log {
                if case .begin(let beginning) = action {
                    #expect(open == nil)
                    open = beginning.id
                }
                if case .end(let id, _, _) = action {
                    #expect(open == id)
                    open = nil
                }
                if case .put = action { #expect(open != nil) }
            }
        }
    }
}
