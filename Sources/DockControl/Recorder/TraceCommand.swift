internal import DockTypes
internal import Geometry

extension MotionCommand {
    /// The text and the numbers of the command, as a trace stores them; the name is `TraceNames.commands[code]`.
    var parts: (text: String, values: [Double]) {
        switch self {
        case .setMode(let mode): ("", [Double(mode.code)])
        case .setFraming(let mode): ("", [Double(mode.code)])
        case .setRegion(let rect): ("", [rect.x, rect.y, rect.width, rect.height])
        case .chevron(let velocity, let duration), .velocity(let velocity, let duration):
            ("", [velocity.pan, velocity.tilt, duration])
        case .expect(let direction, let duration): ("", [direction.pan, direction.tilt, duration])
        case .orient(let pose, let duration, let relative):
            ("", [pose.pan, pose.tilt, duration, relative ? 1 : 0])
        case .animate(let script), .gesture(let script): (script.name, script.numbers)
        case .cancel(let id, let outcome): ("", [Double(id.value), Double(outcome.code)])
        case .setLimits(let pan, let tilt): ("", pan.numbers + tilt.numbers)
        case .setSpeed(let share): ("", [share])
        case .slow(let share, let duration): ("", [share, duration])
        case .torque(let on): ("", [on ? 1 : 0])
        case .home, .stop, .emergencyStop, .clear: ("", [])
        }
    }

    /// Creates the command that a trace contains. The result is nil if the name is unknown or a part is missing.
    public init?(name: String, values: [Double], text: String) {
        func has(_ count: Int) -> Bool { values.count >= count }
        switch name {
        case "setMode":
            guard let code = values.first, let mode = TrackingMode.allCases.first(where: { Double($0.code) == code })
            else { return nil }
            self = .setMode(mode)
        case "setFraming":
            guard let code = values.first, let mode = FramingMode.allCases.first(where: { Double($0.code) == code })
            else { return nil }
            self = .setFraming(mode)
        case "setRegion" where has(4):
            self = .setRegion(Rect(x: values[0], y: values[1], width: values[2], height: values[3]))
        case "chevron" where has(3): self = .chevron(PanTilt(pan: values[0], tilt: values[1]), duration: values[2])
        case "velocity" where has(3): self = .velocity(PanTilt(pan: values[0], tilt: values[1]), duration: values[2])
        case "orient" where has(4):
            self = .orient(PanTilt(pan: values[0], tilt: values[1]), duration: values[2], relative: values[3] != 0)
        case "expect" where has(3): self = .expect(PanTilt(pan: values[0], tilt: values[1]), duration: values[2])
        case "home": self = .home
        case "animate", "gesture":
            guard let script = MotionScript(name: text, numbers: values) else { return nil }
            self = name == "animate" ? .animate(script) : .gesture(script)
        case "cancel" where has(2):
            guard let id = Int(exactly: values[0]),
                let outcome = MotionOutcome.allCases.first(where: { Double($0.code) == values[1] })
            else { return nil }
            self = .cancel(MotionID(id), outcome)
        case "setLimits" where has(8):
            guard let pan = LimitChange(values[0..<4]), let tilt = LimitChange(values[4..<8]) else { return nil }
            self = .setLimits(pan: pan, tilt: tilt)
        case "setSpeed" where has(1): self = .setSpeed(values[0])
        case "slow" where has(2): self = .slow(values[0], for: values[1])
        case "stop": self = .stop
        case "emergencyStop": self = .emergencyStop
        case "clear": self = .clear
        case "torque" where has(1): self = .torque(values[0] != 0)
        default: return nil
        }
    }
}

extension LimitChange {
    /// The change (0 keep, 1 the rig's own, 2 range and speed, 3 range and the rig's speed), then low, high, speed.
    fileprivate var numbers: [Double] {
        switch self {
        case .keep: [0, 0, 0, 0]
        case .own: [1, 0, 0, 0]
        case .set(let low, let high, let speed?): [2, low, high, speed]
        case .set(let low, let high, nil): [3, low, high, 0]
        }
    }

    fileprivate init?(_ numbers: ArraySlice<Double>) {
        let all = Array(numbers)
        switch all[0] {
        case 0: self = .keep
        case 1: self = .own
        case 2: self = .set(low: all[1], high: all[2], speed: all[3])
        case 3: self = .set(low: all[1], high: all[2], speed: nil)
        default: return nil
        }
    }
}

extension MotionScript {
    /// Empty for a built-in motion. Otherwise 1 if it flows and 0 if it stops at its keys, then four numbers for each
    /// key: time, pan, tilt, level.
    fileprivate var numbers: [Double] {
        if Self.all.contains(self) { return [] }
        return [path == .flowing ? 1 : 0] + keys.flatMap { [$0.time, $0.pan, $0.tilt, $0.level] }
    }

    fileprivate init?(name: String, numbers: [Double]) {
        guard let first = numbers.first else {
            guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
            self = known
            return
        }
        guard (numbers.count - 1) % 4 == 0 else { return nil }
        let keys = stride(from: 1, to: numbers.count, by: 4).map {
            Key(time: numbers[$0], pan: numbers[$0 + 1], tilt: numbers[$0 + 2], level: numbers[$0 + 3])
        }
        self.init(name: name, keys: keys, path: first == 1 ? .flowing : .keyToKey)
    }
}
