internal import DockTypes
internal import EventDevice
internal import ExtensionKit
internal import Gamepad
internal import Geometry

/// `--map`: shows what each button does, and then what is pressed. It has no connection to a daemon, so nothing moves.
struct PadMapView {
    let settings: PadSettings
    private var state = PadState()
    private var shape = StickShape(deadZone: 0)
    private var speeds = [0, 0]

    init(_ settings: PadSettings) { self.settings = settings }

    /// Shows a pad until it is unplugged, or the program is ended.
    mutating func run(_ port: PadPort) throws(DockError) {
        var feed: PadFeed?
        for news in port.search() {
            switch news {
            case .unusable(let why): throw DockError(.permission, why, hint: "see `dockface pad --list`")
            case .arrived(let found, let first): (feed, state) = (found, first)
            }
        }
        put(feed.map { [PlainLine.of($0.profile.name)] } ?? ["no gamepad is plugged in"])
        put(PadList.table(settings, feed?.mapping))
        guard let feed else { return }
        let flats = feed.mapping.flats(of: feed.profile)
        shape = StickShape(deadZone: max(settings.deadZone, flats.left, flats.right), expo: settings.expo)
        put(["", "dead zone \(PadList.percent(shape.deadZone)); press buttons, nothing moves; Ctrl-C ends this"])
        while true {
            _ = WorkerThread.wait([feed.descriptor], for: nil)
            switch feed.read() {
            case .gone(let why):
                put([why])
                return
            case .states(let states): for new in states { put(lines(for: new)) }
            }
        }
    }

    /// Returns what to say about a new state: buttons that were pressed, and sticks that moved by a tenth.
    mutating func lines(for new: PadState) -> [String] {
        var lines = new.buttons.subtracting(state.buttons).map { "\($0.rawValue): \(meaning($0))" }
        for (index, stick) in [("left stick", new.left), ("right stick", new.right)].enumerated() {
            let speed = shape.speed(stick.1)
            let tenths = Int(((speed.x * speed.x + speed.y * speed.y).squareRoot() * 10).rounded())
            guard tenths != speeds[index] else { continue }
            speeds[index] = tenths
            lines.append("\(stick.0): \(tenths * 10) % of its speed" + direction(speed))
        }
        state = new
        return lines
    }

    private func meaning(_ button: PadButton) -> String {
        if button == settings.deadMan { return "dead-man" }
        let action = settings.actions[button] ?? .none
        return action.words + (action.needsDeadMan ? " (with the dead-man)" : "")
            + (PadSettings.emergencyChord.contains(button) ? "; together with the other one: emergency stop" : "")
    }

    private func direction(_ speed: SIMD2<Double>) -> String {
        guard speed != .zero else { return "" }
        if abs(speed.x) > abs(speed.y) { return speed.x > 0 ? ", right" : ", left" }
        return (speed.y < 0) != settings.invertsTilt ? ", up" : ", down"
    }

    private func put(_ lines: [String]) { for line in lines { TextOutput.put(line + "\n") } }
}
