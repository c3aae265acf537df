import ControlProtocol
import Geometry
import Testing

@testable import Voice

@Suite struct MachineTests {
    @Test func `a sentence is spoken at once, and the next one four seconds after it began`() {
        var bench = Bench()
        bench.say("One.")
        #expect(bench.spoken == ["One."])
        bench.now += 1
        bench.handle(.spoken(failure: nil))
        bench.say("Two.")
        bench.pass(2.9)
        #expect(bench.spoken == ["One."])
        bench.pass(0.2)
        #expect(bench.spoken == ["One.", "Two."] && bench.latest == 1004)
    }

    @Test func `a sentence that takes longer than the pause is not interrupted by a normal one`() {
        var bench = Bench()
        bench.say("A long sentence.")
        bench.now += 5
        bench.say("Two.")
        bench.pass(3)
        #expect(bench.spoken == ["A long sentence."] && bench.silences == 0)
        bench.handle(.spoken(failure: nil))
        #expect(bench.spoken == ["A long sentence.", "Two."])
    }

    @Test func `a high sentence ends another one, and comes as soon as that is silent`() {
        var bench = Bench()
        bench.say("Looking round.")
        bench.now += 0.5
        bench.say("Waiting.")
        bench.say("Found it!", .high)
        #expect(bench.silences == 1 && bench.spoken == ["Looking round."])
        bench.pass(0.2)
        #expect(bench.silences == 1, "once is enough")
        bench.handle(.spoken(failure: nil))
        #expect(bench.spoken == ["Looking round.", "Found it!"], "the most urgent first, without a pause")
    }

    @Test func `a high sentence does not end a high one`() {
        var bench = Bench()
        bench.say("Found it!", .high)
        bench.now += 0.5
        bench.say("It is gone.", .high)
        #expect(bench.silences == 0)
        bench.now += 1
        bench.handle(.spoken(failure: nil))
        #expect(bench.spoken == ["Found it!", "It is gone."])
    }

    @Test(arguments: [(CueUrgency.normal, 6.0), (.high, 6.0), (.low, 20.0)])
    func `the same sentence is not repeated soon`(urgency: CueUrgency, time: Seconds) {
        var bench = Bench()
        bench.say("Waiting for the detector.", urgency)
        bench.handle(.spoken(failure: nil))
        bench.now += time - 0.01
        bench.say("Waiting for the detector.", urgency)
        #expect(bench.drops == [.repeated] && bench.spoken.count == 1)
        bench.now += 0.02
        bench.say("Waiting for the detector.", urgency)
        #expect(bench.spoken.count == 2)
    }

    @Test func `a sentence that already waits does not wait twice`() {
        var bench = Bench()
        bench.say("One.")
        bench.say("Two.")
        bench.say("Two.")
        #expect(bench.drops == [.repeated])
    }

    @Test func `two sentences wait; the oldest of the least urgent gives way`() {
        var bench = Bench()
        bench.say("One.")
        for text in ["Two.", "Three.", "Four."] { bench.say(text) }
        #expect(bench.drops == [.noRoom])
        bench.say("Low.", .low)
        #expect(bench.drops == [.noRoom, .noRoom])
        bench.handle(.spoken(failure: nil))
        bench.pass(4)
        #expect(bench.spoken == ["One.", "Three."])
    }

    @Test(arguments: [(CueUrgency.low, 2.0), (.normal, 6.0), (.high, 10.0)])
    func `a sentence that waits too long is left out`(urgency: CueUrgency, patience: Seconds) {
        var bench = Bench()
        bench.say("Stop!", .high)
        bench.say("Two.", urgency)
        bench.pass(patience - 0.01)
        #expect(bench.drops.isEmpty)
        bench.pass(0.02)
        #expect(bench.drops == [.late])
        bench.handle(.spoken(failure: nil))
        bench.pass(20)
        #expect(bench.spoken == ["Stop!"])
    }

    @Test func `a stop of the dock ends the sentence, and what waits`() {
        var bench = Bench()
        bench.say("The head turns to you.")
        bench.say("It comes nearer.")
        bench.handle(.stopped)
        #expect(bench.silences == 1 && bench.drops == [.stopped])
        bench.handle(.spoken(failure: nil))
        bench.pass(10)
        #expect(bench.spoken.count == 1)
    }

    @Test func `speech that does not end is ended`() {
        var bench = Bench()
        bench.say("One.")
        bench.pass(59)
        #expect(bench.silences == 0)
        bench.pass(2)
        #expect(bench.silences == 1)
        bench.pass(10)
        #expect(bench.silences == 1)
    }

    @Test func `nothing sounds at night, and what waits is left out when it begins`() {
        var bench = Bench()
        bench.minute = 21 * 60 + 59
        bench.say("One.")
        bench.say("Two.")
        bench.minute = 22 * 60
        bench.handle(.tick)
        #expect(bench.drops == [.night] && bench.silences == 0)
        bench.say("Found it!", .high)
        bench.handle(.sound("find-found", nil))
        #expect(bench.drops == [.night, .night, .night] && bench.played.isEmpty)
        bench.handle(.spoken(failure: nil))
        bench.minute = 7 * 60
        bench.say("Good morning.")
        bench.pass(10)
        #expect(bench.spoken == ["One.", "Good morning."])
    }

    @Test func `a sentence waits for the sound that plays`() {
        var bench = Bench()
        bench.handle(.sound("find-found", PanTilt(pan: -1, tilt: 0.5)))
        bench.say("The cup is 60 degrees to my left.", .high)
        #expect(bench.played == ["find-found"] && bench.spoken.isEmpty)
        bench.now += 0.3
        bench.handle(.played)
        #expect(bench.spoken == ["The cup is 60 degrees to your right."])
        guard case .play(_, let side, let tilt) = bench.orders[0].order else {
            Issue.record("no sound")
            return
        }
        #expect(abs(side - 0.841) < 0.001 && tilt == 0.5, "the robot's left is the listener's right")
    }

    @Test func `two sounds are never within 0.3 seconds; the newest waits, and a tick does not`() {
        var bench = Bench()
        bench.handle(.sound("find-look", nil))
        bench.handle(.played)
        bench.now += 0.1
        bench.handle(.sound("find-look", nil))
        #expect(bench.played == ["find-look"] && bench.drops == [.tooSoon])
        bench.handle(.sound("find-candidate", nil))
        bench.handle(.sound("find-found", nil))
        #expect(bench.drops == [.tooSoon, .tooSoon])
        bench.pass(0.25)
        #expect(bench.played == ["find-look", "find-found"] && abs(bench.latest - 1000.3) < 1e-9)
    }

    @Test func `a sound that waits longer than a second is left out`() {
        var bench = Bench()
        bench.handle(.sound("find-found", nil))
        bench.handle(.sound("find-lost", nil))
        bench.pass(1.1)
        #expect(bench.drops == [.late])
        bench.handle(.played)
        #expect(bench.played == ["find-found"] && bench.machine.isIdle)
    }

    @Test func `what is switched off, unknown or empty is left out`() {
        var bench = Bench {
            $0.speaks = false
            $0.sounds = false
        }
        bench.say("One.")
        bench.handle(.sound("ok", nil))
        bench.handle(.sound("no-such-sound", nil))
        bench.say("\u{200B} ... ")
        #expect(bench.drops == [.off, .off, .unknown, .empty] && bench.machine.isIdle)
    }

    @Test func `wrong directions are no side`() {
        var bench = Bench()
        bench.handle(.sound("ok", PanTilt(pan: .infinity, tilt: .nan)))
        #expect(bench.orders.map(\.order) == [.play(Earcon.named("ok")!, side: 0, tilt: 0)])
    }

    @Test func `whatever is offered, the queue stays short, one thing sounds, and time goes on`() {
        var bench = Bench(), dice = SystemDice(seed: 7), isSpeaking = false, since: Seconds = 0
        for _ in 0..<20_000 {
            let before = bench.orders.count
            switch dice.next(8) {
            case 0: bench.say("Sentence \(dice.next(6)).", [.low, .normal, .high][dice.next(3)])
            case 1: bench.handle(.sound(Earcon.all[dice.next(Earcon.all.count)].name, nil))
            case 2: bench.handle(.played)
            case 3 where isSpeaking:
                isSpeaking = false
                bench.handle(.spoken(failure: nil))
            case 4 where dice.next(20) == 0: bench.handle(.stopped)
            case 5: bench.minute = dice.next(1440)
            default: bench.pass(Double(dice.next(100)) / 50)
            }
            for (time, order) in bench.orders[before...] {
                guard case .speak(let sentence) = order else { continue }
                #expect(!isSpeaking, "two at once")
                #expect(sentence.expiry >= time, "late")
                #expect(sentence.urgency == .high || time - since >= SpeechRules.pause - 1e-9)
                (isSpeaking, since) = (true, time)
            }
        }
        #expect(bench.spoken.count > 100 && bench.played.count > 100)
        #expect(Set(bench.drops) == Set(VoiceDrop.allCases).subtracting([.unknown, .empty, .off]))
    }
}

/// Random numbers that are the same in each run.
struct SystemDice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(count))
    }
}
