internal import CPosix
public import DockControl
internal import Glibc

/// Looks at a machine and says what is wrong with it for a dock, and what to do. It opens no port and moves nothing.
public struct Doctor: Sendable {
    let system: SystemView

    /// Of this machine, or of another.
    public init(_ system: SystemView = SystemView()) { self.system = system }

    /// Everything, in the order in which a person looks.
    /// - Parameters:
    ///   - ports: the serial ports that there are.
    ///   - adopted: the rigs that were adopted.
    ///   - library: where their profiles are looked for.
    ///   - answers: what servers say to rigs over the network, by the rig's name; without one it was not tried.
    ///   - daemon: what the running daemon takes detections from; nil: none runs.
    public func examine(
        ports: [PortInfo], adopted: [AdoptedRig], library: ProfileLibrary = ProfileLibrary(),
        answers: [String: NetworkAnswer] = [:], daemon: DetectorOfDaemon? = nil
    ) -> [Finding] {
        ports.flatMap { port($0, adopted: adopted) } + [usb(ports, adopted)].compactMap { $0 }
            + adopted.flatMap { rig($0, ports: ports, library: library, answer: answers[$0.name]) }
            + rivals() + [hotplug(), realTime()] + terminal() + [detector(daemon)] + cameras() + clock()
    }

    // MARK: the port

    /// What hangs on it, may be opened, is held by somebody, and answers quickly.
    func port(_ port: PortInfo, adopted: [AdoptedRig]) -> [Finding] {
        guard let identity = port.identity else { return [] }
        let rig = adopted.first { $0.isAt(port, device: system.device) }
        let what = rig.map { "adopted as \"\($0.name)\"" } ?? "not adopted"
        var findings = hindrances(port.path, what)
        if findings.isEmpty {
            findings.append(
                Finding(
                    "port", rig == nil ? .note : .ok,
                    "\(port.path): \(what), \(Self.hex(identity.vendor)):\(Self.hex(identity.product))",
                    hint: rig == nil
                        ? "if a dock hangs on it: dockface adopt --port \(AdoptedRig.name(for: port))" : nil))
        }
        let name = port.path.split(separator: "/").last ?? ""
        if let timer = system.line("/sys/class/tty/\(name)/device/latency_timer").flatMap({ Int($0) }), timer > 2 {
            findings.append(
                Finding(
                    "latency", .warning, "\(port.path) keeps what the dock says for \(timer) ms before it hands it on",
                    hint: "echo 1 | sudo tee /sys/class/tty/\(name)/device/latency_timer (a udev rule makes it last)"))
        }
        return findings
    }

    /// What keeps us from opening a device: its permissions, and who has it; nothing: all is well.
    func hindrances(_ path: String, _ what: String) -> [Finding] {
        var findings: [Finding] = []
        if !system.isWritable(path) {
            let group = system.group(of: path) ?? "dialout"
            findings.append(
                Finding(
                    "port", .bad, "\(path) (\(what)): you may not open it",
                    hint: "sudo usermod -aG \(group) $USER, then log out and in again"))
        }
        for holder in system.holders(of: path) {
            let isOurs = holder.name.hasPrefix("dockface")
            findings.append(
                Finding(
                    "port", isOurs ? .note : .bad, "\(path) is held by \(holder.name) (process \(holder.id))",
                    hint: isOurs ? nil : "end it: kill \(holder.id)"))
        }
        return findings
    }

    private func usb(_ ports: [PortInfo], _ adopted: [AdoptedRig]) -> Finding? {
        let isNeeded = adopted.contains(where: \.isOnUsb)
        // Whoever has only rigs of other kinds misses none.
        if ports.contains(where: { $0.identity != nil }) || (!isNeeded && !adopted.isEmpty) { return nil }
        return Finding(
            "port", isNeeded ? .warning : .note, "no USB serial port is plugged in",
            hint: "plug the dock in and switch it on; a cable without data lines shows nothing, try another")
    }

    private static func hex(_ value: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    // MARK: who else wants it

    /// Programs that are known to take serial ports that are not theirs.
    private static let rivals: [(name: String, what: String, hint: String)] = [
        (
            "ModemManager", "asks every new /dev/ttyACM port whether it is a modem, for up to 10 s",
            "a udev rule with ENV{ID_MM_DEVICE_IGNORE}=\"1\" for the dock, or: sudo systemctl disable --now ModemManager"
        ),
        (
            "gpsd", "its udev rules claim CP210x and other bridges as receivers",
            "sudo systemctl disable --now gpsd.socket gpsd, or take the dock's chip out of its rules"
        ),
        (
            "brltty", "its udev rules take CH340 and CP210x bridges for Braille displays, and the port vanishes",
            "sudo systemctl mask brltty-udev brltty, if nobody here reads Braille"
        ),
    ]

    func rivals() -> [Finding] {
        let running = Set(system.processes.map(\.name))
        return Self.rivals.filter { running.contains($0.name) }
            .map { Finding("rival", .warning, "\($0.name) is running: it \($0.what)", hint: $0.hint) }
    }

    func hotplug() -> Finding {
        system.exists("/run/udev/control")
            ? Finding("hotplug", .ok, "udevd tells when a dock is plugged in")
            : Finding("hotplug", .note, "no udevd runs here: the kernel's own word is taken, or ports are looked for")
    }

    // MARK: what the daemon runs on

    func realTime() -> Finding {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit)
        return geteuid() == 0 || limit.rlim_cur >= 50
            ? Finding("realtime", .ok, "the loop may have real-time priority")
            : Finding(
                "realtime", .note, "no real-time priority: motion may be less smooth on a busy machine",
                hint:
                    "as a service: LimitRTPRIO=50; else a line \"@dialout - rtprio 50\" in /etc/security/limits.d/dockface.conf"
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
                    "the locale (\(locale.isEmpty ? "none" : locale)) is not UTF-8: the face may be drawn in letters",
                    hint: "export LANG=C.UTF-8"))
        }
        if term.isEmpty || term == "dumb" {
            findings.append(
                Finding(
                    "terminal", .note, "no terminal for the face (TERM is \(term.isEmpty ? "not set" : term))",
                    hint: "run it in one, or with --headless"))
        } else if system.environment["NO_COLOR"] == nil,
            !["truecolor", "24bit"].contains(system.environment["COLORTERM"] ?? "")
        {
            findings.append(
                Finding(
                    "terminal", .note, "the terminal (\(term)) does not say that it has all colours",
                    hint: "if it has: export COLORTERM=truecolor"))
        }
        return findings.isEmpty ? [Finding("terminal", .ok, "\(term), UTF-8, all colours")] : findings
    }

    /// The wall clock only names files; the loop lives on the monotonic one, and on waking up in time.
    func clock() -> [Finding] {
        var findings: [Finding] = []
        // A board without a battery for its clock begins in 1970, or at its last shutdown; this was written in 2026.
        if time(nil) < 1_767_225_600 {
            findings.append(
                Finding(
                    "clock", .warning, "the wall clock stands before 2026: logs and traces get wrong dates",
                    hint: "set it: sudo timedatectl set-ntp true"))
        }
        var late: [Double] = []
        for _ in 0..<50 {
            let begin = cposix_monotonic_now()
            poll(nil, 0, 2)
            late.append(cposix_monotonic_now() - begin - 0.002)
        }
        let worst = (late.max() ?? 0) * 1000,
            text = "woken within \(Int((worst * 10).rounded()) / 10) ms of the time asked for, 50 times"
        findings.append(
            worst < 20
                ? Finding("clock", .ok, text)
                : Finding(
                    "clock", .warning, text,
                    hint: "the machine is busy, or its processor sleeps deeply: see what runs (top)"))
        return findings
    }
}
