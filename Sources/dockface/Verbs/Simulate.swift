import ArgumentParser
import CPosix
import DockControl
import DockSimulator
import Geometry
import Glibc
import PlainText

/// `dockface simulate`: a simulated dock on a pseudo-terminal that any program can open.
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Offer a simulated dock on a pseudo-terminal.",
        discussion: """
            Prints the path and runs until Ctrl-C. Without --profile it simulates our own dock; with one, a rig for its driver. Words \
            on standard input: hand PAN TILT SECONDS (degrees per second), block pan|tilt|off, unplug, replug, \
            reboot, alone pan|tilt|off (only the servo of this axis is on the bus), and faults of the line: \
            mute on|off, deaf on|off, drop, insert or flip PERCENT of the bytes, delay SECONDS; status. Our own dock \
            also knows shutter, flip, track, button N, zoom STEPS, battery PERCENT, charge on|off, estop on|off, \
            heat on|off.
            """)

    @Option(help: "A stable path that points to the pseudo-terminal.")
    var link: String?

    @Option(
        help: "Rig profile for its driver and dynamics: a path or a name.",
        completion: Completions.profiles)
    var profile: String?

    @Option(help: "good (bus servos) or cheap (slow, with play and stiction). Overrides the profile's dynamics.")
    var rig: String?

    @Flag(name: .customLong("new"), help: "Bus servos as they leave the factory: both have the id 1.")
    var isNew = false

    @Option(help: "End after this many seconds.")
    var seconds: Double?

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds < 1e7) { throw ValidationError("--seconds must be above 0.") }
    }

    func run() throws {
        let profile = try loadProfile(profile)
        var model: RigModel
        switch rig {
        case nil: model = RigModel(profile)
        case "good": model = .good
        case "cheap": model = .cheap
        case let other?: throw ValidationError("--rig must be good or cheap, not \(other).")
        }
        model.name = model.name.isEmpty ? "simulated" : model.name
        if let link, let other = HeadSocket.simulator(ofRig: link) {
            throw fail(
                "process \(other) simulates a dock at \(link) already: end it (kill \(other)), or choose another path",
                status: 69)
        }
        let signals = cposix_signal_descriptor(false)
        let port: any RigPort
        do {
            port = try SimulatedRigs.port(for: profile, model: model, link: link, isNew: isNew)
        } catch {
            throw fail("\(error)", status: 69)
        }
        defer { port.close() }
        let answerer = link.flatMap { HeadAnswerer(rig: $0) }
        say("simulated dock (\(model.name)) on \(link ?? port.path)")
        let named = self.profile.map { " --profile \($0)" } ?? ""
        let verb = isNew ? "servo scan" : "run"
        say("try it: dockface \(verb) --port \(link ?? port.path)\(named)")
        let deadline = seconds.map { cposix_monotonic_now() + $0 }
        // A job in the background (`dockface simulate ... &`) that reads the terminal would be stopped.
        signal(SIGTTIN, SIG_IGN)
        var input: Int32 = 0, line: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 1024)
        while true {
            let cameras = answerer?.descriptors ?? []
            // It is -1 if this is not the job's own terminal, which anyone may read.
            let foreground = input == 0 && isTerminal(0) ? tcgetpgrp(0) : -1
            let isBackground = foreground > 0 && foreground != getpgrp()
            var waits = ([signals, isBackground ? -1 : input] + cameras)
                .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let left = deadline.map { max(0, $0 - cposix_monotonic_now()) }
            // No event reports that the job came to the foreground.
            let pause = isBackground ? min(left ?? .infinity, 0.5) : left
            let ready = poll(&waits, nfds_t(waits.count), pause.map { Int32(min($0, 1e6) * 1000) + 1 } ?? -1)
            if waits[0].revents != 0 || (left.map { $0 <= 0 } ?? false) { return }
            answerer?.answer(waits.dropFirst(2).filter { $0.revents != 0 }.map(\.fd)) { port.view(at: $0) }
            guard ready > 0, waits[1].revents != 0 else { continue }
            let count = read(input, &buffer, buffer.count)
            if count <= 0 {
                // The job may just have gone to the background. Otherwise the terminal is gone.
                let isRefused = count < 0 && errno == EIO
                if !isRefused || tcgetpgrp(0) <= 0 { input = -1 }
                continue
            }
            for byte in buffer[..<count] {
                if byte == 0x0A {
                    answer(ForeignText.line(bytes: line), port)
                    line.removeAll(keepingCapacity: true)
                } else if line.count < 200 {
                    line.append(byte)
                }
            }
        }
    }

    private func answer(_ text: String, _ port: any RigPort) {
        let words = text.split(separator: " ").map(String.init)
        guard let word = words.first else { return }
        if let dock = port as? SimulatedDockPort, answerOwn(words, dock) { return say("ok \(text)") }
        let number = words.count > 1 ? Int(words[1]) : nil, isOn = words.count < 2 || words[1] != "off"
        switch (word, number) {
        case ("hand", _) where words.count == 4:
            let numbers = words.dropFirst().compactMap(Double.init)
            guard numbers.count == 3, numbers.allSatisfy({ abs($0) < 1000 }) else {
                return say("error hand PAN TILT SECONDS")
            }
            port.push(.degrees(pan: numbers[0], tilt: numbers[1]), for: numbers[2])
        case ("mute", _): port.faults.isMute = isOn
        case ("deaf", _): port.faults.isDeaf = isOn
        case ("drop", let percent?) where (0...100).contains(percent):
            bothWays(port) { $0.drop = Double(percent) / 100 }
        case ("insert", let percent?) where (0...100).contains(percent):
            bothWays(port) { $0.insert = Double(percent) / 100 }
        case ("flip", let percent?) where (0...100).contains(percent):
            bothWays(port) { $0.flip = Double(percent) / 100 }
        case ("delay", let seconds?) where (0...60).contains(seconds): bothWays(port) { $0.delay = Double(seconds) }
        case ("block", _):
            let axes: [String: Set<Axis>] = ["pan": [.pan], "tilt": [.tilt], "off": []]
            guard let blocked = axes[words.dropFirst().first ?? ""] else { return say("error block pan|tilt|off") }
            port.faults.blocked = blocked
        case ("alone", _):
            let others: [String: Set<Axis>] = ["pan": [.tilt], "tilt": [.pan], "off": []]
            guard let unplugged = others[words.dropFirst().first ?? ""] else { return say("error alone pan|tilt|off") }
            port.faults.unplugged = unplugged
        case ("reboot", _): port.reboot()
        case ("unplug", _): port.unplug()
        case ("replug", _):
            do {
                try port.replug(rebooted: true)
            } catch {
                return say("error \(error)")
            }
        case ("status", _): return say(status(port))
        default:
            let own =
                port is SimulatedDockPort
                ? "shutter, flip, track, button N, zoom STEPS, battery PERCENT, charge on|off, estop on|off, heat on|off, "
                : ""
            return say(
                "error \"\(text.prefix(40))\": \(own)hand PAN TILT SECONDS, unplug, replug, reboot, mute on|off, deaf on|off, "
                    + "drop, insert or flip PERCENT, delay SECONDS, block pan|tilt|off, alone pan|tilt|off, status")
        }
        say("ok \(text)")
    }

    /// Handles the words that only our own dock has: buttons, a battery, an emergency input. Returns false for other
    /// words.
    private func answerOwn(_ words: [String], _ dock: SimulatedDockPort) -> Bool {
        let number = words.count > 1 ? Int(words[1]) : nil, isOn = words.count < 2 || words[1] != "off"
        switch (words[0], number) {
        case ("shutter", _): dock.press(.shutter)
        case ("flip", nil): dock.press(.flip)
        case ("track", _): dock.press(.tracking)
        case ("button", let id?) where (0...127).contains(id): dock.press(.button(id: UInt8(id)))
        case ("zoom", let steps?) where abs(steps) < 100: dock.press(.zoom(steps: steps))
        case ("battery", let percent?) where (0...100).contains(percent): dock.battery.level = Double(percent) / 100
        case ("charge", _): dock.battery.isCharging = isOn
        case ("estop", _): dock.emergency(isOn)
        case ("heat", _): dock.overTemperature(isOn)
        default: return false
        }
        return true
    }

    private func bothWays(_ port: any RigPort, _ change: (inout LineFaults) -> Void) {
        var faults = port.faults
        change(&faults.toDock)
        change(&faults.toHost)
        port.faults = faults
    }

    private func status(_ port: any RigPort) -> String {
        func tenths(_ radians: Double) -> String { String((radians.inDegrees * 10).rounded() / 10) }
        let pose = port.pose(at: cposix_monotonic_now()), rate = port.rate
        var text =
            "ok pan \(tenths(pose.pan)) tilt \(tenths(pose.tilt)) deg, rate \(tenths(rate.pan)) \(tenths(rate.tilt)) deg/s"
        guard let dock = port as? SimulatedDockPort else { return text }
        let seen = dock.statistics
        text += ", \(seen.setpoints) set-points, \(seen.invalidFrames) invalid, "
        return text + "last frame \(dock.lastFrameWasStop ? "stop" : "no stop")"
    }

    private func say(_ text: String) { printLine(text) }
}
