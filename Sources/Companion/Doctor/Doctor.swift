internal import CPosix
public import DockControl
internal import Glibc

/// Examines a machine and reports problems that concern docks, with remedies. It does not open a port or move anything.
public struct Doctor: Sendable {
    let system: SystemView

    /// Creates a doctor for this machine, or for another one.
    public init(_ system: SystemView = SystemView()) { self.system = system }

    /// Examines everything, in the order in which a person would.
    /// - Parameters:
    ///   - ports: the serial ports.
    ///   - adopted: the adopted rigs.
    ///   - library: the profiles.
    ///   - answers: the results of connecting to network rigs, by the rig's name. A missing one was not tried.
    ///   - daemon: the running daemon's detector, or nil if no daemon runs.
    public func examine(
        ports: [PortInfo], adopted: [AdoptedRig], library: ProfileLibrary = ProfileLibrary(),
        answers: [String: NetworkAnswer] = [:], daemon: DetectorOfDaemon? = nil
    ) -> [Finding] {
        ports.flatMap { port($0, adopted: adopted) } + [usb(ports, adopted)].compactMap { $0 }
            + adopted.flatMap { rig($0, ports: ports, library: library, answer: answers[$0.name]) }
            + rivals() + [hotplug(), realTime()] + terminal() + [detector(daemon)] + cameras() + clock()
    }

    // MARK: the port

    /// Examines a port: its rig, its permissions, the programs that hold it, and its latency.
    func port(_ port: PortInfo, adopted: [AdoptedRig]) -> [Finding] {
        guard let identity = port.identity else { return [] }
        let rig = adopted.first { $0.isAt(port, device: system.device) }
        let what = rig.map { "adopted as \"\($0.name)\"" } ?? "not adopted"
        var findings = obstacles(port.path, what)
        if findings.isEmpty {
            findings.append(
                Finding(
                    "port", rig == nil ? .note : .ok,
                    "\(port.path): \(what), \(Self.hex(identity.vendor)):\(Self.hex(identity.product))",
                    hint: rig == nil
                        ? "if a dock is connected to it: dockface adopt --port \(AdoptedRig.name(for: port))" : nil))
        }
        let name = port.path.split(separator: "/").last ?? ""
        if let timer = system.line("/sys/class/tty/\(name)/device/latency_timer").flatMap({ Int($0) }), timer > 2 {
            findings.append(
                Finding(
                    "latency", .warning, "\(port.path) delays the dock's messages by up to \(timer) ms",
                    hint:
                        "echo 1 | sudo tee /sys/class/tty/\(name)/device/latency_timer (use a udev rule to make it permanent)"
                ))
        }
        return findings
    }

    /// Returns what prevents opening a device: its permissions, and programs that hold it; empty if nothing does.
    func obstacles(_ path: String, _ what: String) -> [Finding] {
        var findings: [Finding] = []
        if !system.isWritable(path) {
            findings.append(
                Finding(
                    "port", .bad, "\(path) (\(what)): no permission to open it",
                    hint: system.deviceAccess(to: path)?.remedy))
        }
        findings += holders(of: path)
        return findings
    }

    /// Returns which programs hold a device. Our own daemon and its guard belong together, and neither must be killed.
    /// The guard would stop the dock, and a dock that has no deadman timer is not moved without it.
    private func holders(of path: String) -> [Finding] {
        let holders = system.holders(of: path)
        var findings = holders.filter { !Self.isOurs($0.name) }.map { holder in
            Finding(
                "port", .bad, "\(path) is held by \(holder.name) (process \(holder.id))",
                hint: "end it: kill \(holder.id)")
        }
        if let daemon = holders.first(where: { $0.name.hasPrefix("dockface") }) {
            findings.append(
                Finding(
                    "port", .note, "\(path) is driven by dockface (process \(daemon.id))",
                    hint: "to end it: dockface quit"))
        } else if holders.contains(where: { Self.isOurs($0.name) }) {
            findings.append(
                Finding(
                    "port", .note, "\(path) is held by the guard of a dockface that has just ended",
                    hint: "the guard ends by itself within a second; look again"))
        }
        return findings
    }

    /// Returns whether a process is the daemon or one of its helpers (`dock-guard`, `dock-reaper`).
    private static func isOurs(_ name: String) -> Bool {
        name.hasPrefix("dockface") || name.hasPrefix("dock-guard") || name.hasPrefix("dock-reaper")
    }

    private func usb(_ ports: [PortInfo], _ adopted: [AdoptedRig]) -> Finding? {
        let isNeeded = adopted.contains(where: \.isOnUsb)
        // A user whose rigs are all of other kinds needs no USB port.
        if ports.contains(where: { $0.identity != nil }) || (!isNeeded && !adopted.isEmpty) { return nil }
        return Finding(
            "port", isNeeded ? .warning : .note, "no USB serial port is plugged in",
            hint:
                "plug the dock in and switch it on; if it still does not appear, try another cable: some have no data lines"
        )
    }

    private static func hex(_ value: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    // MARK: rivals

    /// Programs that are known to claim the serial ports of other devices.
    private static let rivals: [(name: String, what: String, hint: String)] = [
        (
            "ModemManager", "probes every new /dev/ttyACM port for a modem, for up to 10 s",
            "a udev rule with ENV{ID_MM_DEVICE_IGNORE}=\"1\" for the dock, or: sudo systemctl disable --now ModemManager"
        ),
        (
            "gpsd", "its udev rules claim CP210x and other bridges as receivers",
            "sudo systemctl disable --now gpsd.socket gpsd, or remove the dock's chip from its rules"
        ),
        (
            "brltty", "its udev rules take CH340 and CP210x bridges for Braille displays, and the port vanishes",
            "sudo systemctl mask brltty-udev brltty, if no user of this machine reads Braille"
        ),
    ]

    func rivals() -> [Finding] {
        let running = Set(system.processes.map(\.name))
        return Self.rivals.filter { running.contains($0.name) }
            .map { Finding("rival", .warning, "\($0.name) is running: \($0.what)", hint: $0.hint) }
    }

    func hotplug() -> Finding {
        system.exists("/run/udev/control")
            ? Finding("hotplug", .ok, "udevd reports when a dock is plugged in")
            : Finding(
                "hotplug", .note,
                "udevd does not run, so new docks are found through the kernel or by polling the ports; nothing needs to be done"
            )
    }

    // MARK: the machine

    func realTime() -> Finding {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit)
        return geteuid() == 0 || limit.rlim_cur >= 50
            ? Finding("realtime", .ok, "the loop may use real-time priority")
            : Finding(
                "realtime", .note, "no real-time priority: motion may be less smooth on a busy machine",
                hint:
                    "as a service: LimitRTPRIO=50; otherwise add \"@dialout - rtprio 50\" to /etc/security/limits.d/dockface.conf"
            )
    }

    func terminal() -> [Finding] {
        let term = system.environment["TERM"] ?? ""
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { system.environment[$0] }.first { !$0.isEmpty } ?? ""
        let folded = locale.lowercased()
        var findings: [Finding] = []
        if !(folded.contains("utf-8") || folded.contains("utf8")) {
            findings.append(
                Finding(
                    "terminal", .warning,
                    "the locale (\(locale.isEmpty ? "none" : locale)) is not UTF-8: the face may be drawn with letters",
                    hint: "export LANG=C.UTF-8"))
        }
        if term.isEmpty || term == "dumb" {
            findings.append(
                Finding(
                    "terminal", .note, "no terminal for the face (TERM is \(term.isEmpty ? "not set" : term))",
                    hint: "run dockface in a terminal, or with --headless"))
        } else if system.environment["NO_COLOR"] == nil,
            !["truecolor", "24bit"].contains(system.environment["COLORTERM"] ?? "")
        {
            findings.append(
                Finding(
                    "terminal", .note, "the terminal (\(term)) does not report that it supports all colours",
                    hint: "if it does: export COLORTERM=truecolor"))
        }
        return findings.isEmpty ? [Finding("terminal", .ok, "\(term), UTF-8, all colours")] : findings
    }

    /// Examines the clocks. The wall clock is only used to date files. The loop depends on the monotonic clock and on
    /// waking up in time.
    func clock() -> [Finding] {
        var findings: [Finding] = []
        // A board without a clock battery starts in 1970 or at the time of its last shutdown. The limit is the
        // beginning of 2026.
        if time(nil) < 1_767_225_600 {
            findings.append(
                Finding(
                    "clock", .warning, "the wall clock shows a date before 2026: logs and traces get wrong dates",
                    hint: "set it: sudo timedatectl set-ntp true"))
        }
        var late: [Double] = []
        for _ in 0..<50 {
            let begin = cposix_monotonic_now()
            poll(nil, 0, 2)
            late.append(cposix_monotonic_now() - begin - 0.002)
        }
        let worst = (late.max() ?? 0) * 1000,
            text = "woken at most \((worst * 10).rounded() / 10) ms late, in 50 tests"
        findings.append(
            worst < 20
                ? Finding("clock", .ok, text)
                : Finding(
                    "clock", .warning, text,
                    hint: "the machine is busy, or its processor sleeps deeply: check the running programs with top"))
        return findings
    }
}
