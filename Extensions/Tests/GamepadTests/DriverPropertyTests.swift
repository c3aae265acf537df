import DockTestKit
import Geometry
import Testing

@testable import Gamepad

/// The rules of the driver under random sequences of everything that can happen.
@Suite struct DriverPropertyTests {
    /// What an observer knows who sees only the pad, the daemon and the intents.
    struct Observer {
        var isHeld = false, isPlugged = false, isConnected = false
        /// Whether a velocity is out that no stop has followed.
        var isOut = false
    }

    private static func random(_ dice: inout Dice, _ state: PadState) -> PadState {
        var new = state
        for _ in 0..<Int.random(in: 1...3, using: &dice) {
            let stick = SIMD2(
                [0, 0, 0.05, 1, -1, .nan, 0.5].randomElement(using: &dice) ?? 0,
                [0, 0, -0.03, 1, -1].randomElement(using: &dice) ?? 0)
            switch Int.random(in: 0..<8, using: &dice) {
            case 0...1: new.left = stick
            case 2: new.right = stick
            case 3...5:
                if new.buttons.contains(.leftShoulder) {
                    new.buttons.remove(.leftShoulder)
                } else {
                    new.buttons.insert(.leftShoulder)
                }
            default:
                let button = PadButton.allCases.randomElement(using: &dice) ?? .south
                if new.buttons.contains(button) { new.buttons.remove(button) } else { new.buttons.insert(button) }
            }
        }
        return new
    }

    @Test func `no velocity without the held dead-man, and a stop follows every end`() {
        for seed in 0..<400 { Self.check(UInt64(seed)) }
    }

    private static func check(_ seed: UInt64) {
        var dice = Dice(seed), driver = PadDriver(), observer = Observer(), state = PadState(), now = 0.0
        for step in 0..<600 {
            let before = observer
            let wasHeld = state.buttons.contains(.leftShoulder)
            var intents: [PadIntent] = [], isEnd = false, isYielded = false
            switch Int.random(in: 0..<24, using: &dice) {
            case 0:
                isEnd = observer.isPlugged
                observer.isPlugged = false
                intents = driver.lost(now: now)
            case 1:
                isEnd = observer.isPlugged
                state = Self.random(&dice, PadState())
                observer.isPlugged = true
                intents = driver.arrived(state, flats: (0, .nan), buttons: PadButton.allCases, now: now)
            case 2:
                driver.disconnected()
                observer.isConnected = false
                isYielded = true
            case 3:
                let view = DaemonView(
                    isManual: .random(using: &dice), stop: [nil, true, false].randomElement(using: &dice) ?? nil,
                    isFaulted: Int.random(in: 0..<6, using: &dice) == 0,
                    hasKeys: Int.random(in: 0..<6, using: &dice) == 0)
                intents = driver.reported(view, now: now)
                observer.isConnected = true
                isYielded = driver.deadMan.state == .locked
            case 4:
                let outcomes = ["stopped", "takenOver", "completed", "superseded", "limited", "nonsense"]
                intents = driver.motionEnded(outcomes.randomElement(using: &dice) ?? "", now: now)
                isYielded = driver.deadMan.state == .locked
            case 5:
                intents = driver.velocityRefused("")
                isYielded = true
            case 6: driver.wordAnswered(duration: [nil, 0, 3].randomElement(using: &dice) ?? nil, now: now)
            case 7...14:
                now += Double.random(in: 0...0.2, using: &dice)
                intents = driver.tick(now: now)
            case 15: now += Double.random(in: 0...12, using: &dice)
            default:
                guard observer.isPlugged else { continue }
                let new = Self.random(&dice, state)
                isEnd = wasHeld && !new.buttons.contains(.leftShoulder)
                state = new
                intents = driver.changed(state, now: now)
                isYielded = driver.deadMan.state == .locked
            }
            observer.isHeld = observer.isPlugged && state.buttons.contains(.leftShoulder)
            for intent in intents {
                switch intent {
                case .velocity(let velocity) where velocity != .zero:
                    #expect(observer.isHeld && observer.isConnected, "seed \(seed), step \(step)")
                    #expect(velocity.pan.isFinite && velocity.tilt.isFinite && velocity.magnitude <= 0.5 + 1e-9)
                    observer.isOut = true
                case .stop, .emergencyStop: observer.isOut = false
                case .velocity, .word, .note: break
                }
            }
            if isEnd, before.isOut, observer.isConnected, !isYielded {
                #expect(!observer.isOut, "seed \(seed), step \(step): no stop")
                if case .stop = intents.first {
                } else {
                    Issue.record("seed \(seed), step \(step): the stop is not first")
                }
            }
            if isYielded { observer.isOut = false }
            #expect(driver.deadline.map { $0 <= now + 10 } ?? true)
        }
    }

    @Test func `a hold that was ended moves nothing until it is let go`() {
        for seed in 0..<100 { Self.checkEnded(UInt64(seed)) }
    }

    private static func checkEnded(_ seed: UInt64) {
        var dice = Dice(seed &+ 1_000_000), bench = Bench()
        bench.drive()
        switch seed % 5 {
        case 0: bench.press(.east)
        case 1:
            bench.press(.back)
            bench.press(.start)
        case 2: bench.ended("stopped")
        case 3: bench.refused()
        default:
            bench.driver.disconnected()
            bench.report(DaemonView())
        }
        bench.forget()
        for _ in 0..<300 {
            bench.wait(.random(in: 0...0.3, using: &dice))
            var new = Self.random(&dice, bench.state)
            new.buttons.insert(.leftShoulder)
            bench.set { $0 = new }
        }
        #expect(bench.velocities.isEmpty, "seed \(seed)")
    }

    @Test func `the same events give the same intents`() {
        func run() -> [PadIntent] {
            var dice = Dice(7), bench = Bench()
            for _ in 0..<500 {
                bench.wait(0.03)
                let new = Self.random(&dice, bench.state)
                bench.set { $0 = new }
            }
            return bench.intents
        }
        #expect(run() == run() && !run().isEmpty)
    }
}
