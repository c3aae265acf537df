import Geometry

@testable import Gamepad

/// A driver with a pad and a daemon in virtual time.
struct Bench {
    var driver: PadDriver
    var now: Seconds = 100
    private(set) var state = PadState()
    /// Everything that the driver wanted since `forget`.
    private(set) var intents: [PadIntent] = []

    init(_ settings: PadSettings = PadSettings(), daemon: DaemonView? = DaemonView(), hasPad: Bool = true) {
        driver = PadDriver(settings)
        if let daemon { intents += driver.reported(daemon, now: now) }
        if hasPad { plugIn() }
        forget()
    }

    mutating func forget() { intents = [] }

    mutating func plugIn(_ first: PadState = PadState(), buttons: [PadButton] = PadButton.allCases) {
        state = first
        intents += driver.arrived(first, flats: (0, 0), buttons: buttons, now: now)
    }

    mutating func unplug() { intents += driver.lost(now: now) }

    /// A person changes something at the pad.
    mutating func set(_ change: (inout PadState) -> Void) {
        change(&state)
        intents += driver.changed(state, now: now)
    }

    mutating func press(_ button: PadButton) { set { $0.buttons.insert(button) } }
    mutating func release(_ button: PadButton) { set { $0.buttons.remove(button) } }
    mutating func tap(_ button: PadButton) {
        press(button)
        release(button)
    }
    mutating func left(_ x: Double, _ y: Double = 0) { set { $0.left = SIMD2(x, y) } }
    mutating func right(_ x: Double, _ y: Double = 0) { set { $0.right = SIMD2(x, y) } }

    /// Holds the dead-man and deflects the left stick.
    mutating func drive(_ x: Double = 1) {
        press(driver.settings.deadMan)
        left(x)
    }

    /// Lets time pass; the driver is called when it wants to be.
    mutating func wait(_ time: Seconds) {
        let end = now + time
        var calls = 0
        while let due = driver.deadline, due <= end {
            now = max(now, due)
            intents += driver.tick(now: now)
            calls += 1
            // A deadline that stays would be a busy loop.
            guard calls < 100_000 else { return }
        }
        now = end
    }

    mutating func report(_ view: DaemonView) { intents += driver.reported(view, now: now) }
    mutating func ended(_ outcome: String) { intents += driver.motionEnded(outcome, now: now) }
    mutating func refused() { intents += driver.velocityRefused("no") }

    /// The velocities that move something.
    var velocities: [PanTilt] {
        intents.compactMap { if case .velocity(let velocity) = $0, velocity != .zero { velocity } else { nil } }
    }
    var stops: [PadIntent] {
        intents.filter { intent in
            switch intent {
            case .stop, .emergencyStop: true
            case .velocity, .word, .note: false
            }
        }
    }
    var words: [String] { intents.compactMap { if case .word(let line, _) = $0 { line } else { nil } } }
    var notes: [PadNote] { intents.compactMap { if case .note(let note) = $0 { note } else { nil } } }
}
