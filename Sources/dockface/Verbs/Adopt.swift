import ArgumentParser
import Companion
import DockControl
import Geometry
import Glibc

/// `dockface adopt`: tells which rig hangs on which port, once; from then on no port and no profile must be named.
struct Adopt: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell once which rig hangs on which port; then no port must be named any more.",
        discussion: """
            Shows the ports, asks which one, asks which profile, greets what hangs there in the profile's protocol and shows \
            who answers. Nothing moves and no torque is switched on. What you confirm is kept by USB serial number, or by the \
            socket it is plugged into where the adapter has no number.

            Answers may also be given on the command line or, a line each, on standard input.
            """)

    @Option(
        help: ArgumentHelp(
            "The port, as `dockface ports` shows it.", valueName: "path|usb:SERIAL|place:PLACE|tcp:HOST:PORT"))
    var port: String?

    @Option(help: "Rig profile: a path or a name (see: dockface profiles).")
    var profile: String?

    @Option(help: "What you call the rig; by default its profile's name.")
    var name: String?

    @Flag(help: "Adopt without asking, if the rig answers.")
    var yes = false

    @Option(help: ArgumentHelp("Forget an adopted rig.", valueName: "name"))
    var forget: String?

    func run() throws {
        let book = RigBook()
        do {
            if let forget { return try drop(forget, book) }
            let port = try choosePort(), (profile, identity) = try chooseProfile(port)
            print("it answers: \(identity.model) \(identity.uid), firmware \(identity.firmware)")
            let name = try chooseName(self.name ?? Self.short(profile), port, book)
            if !yes {
                guard ask("adopt it as \"\(name)\", bound to \(port)? [y/n]").hasPrefix("y") else {
                    throw fail("nothing is kept", status: 75)
                }
            }
            // A path of the user's working folder is another one from elsewhere.
            let kept = profile.contains("/") ? realpath(profile, nil).map { String(cString: $0) } ?? profile : profile
            try book.adopt(
                AdoptedRig(
                    name: name, port: port, profile: kept, answered: "\(identity.model) \(identity.uid)",
                    date: Check.today))
            print("adopted (kept in \(book.path)). Next:")
            print("  dockface check        3 degrees per axis, and two questions: does it turn the right way?")
            print("  dockface run          drive it, with the face and the arrow keys")
            print("  dockface doctor       if something does not work")
        } catch let error as DockError {
            throw error.exit
        }
    }

    private func drop(_ name: String, _ book: RigBook) throws {
        guard try book.forget(name) else {
            let names = try book.all().map(\.name)
            throw fail(
                "no rig is called \"\(name)\""
                    + (names.isEmpty ? ": none is adopted" : "; there are: \(names.joined(separator: ", "))"),
                status: 64)
        }
        print("\"\(name)\" is forgotten")
    }

    // MARK: questions

    private func choosePort() throws -> PortName {
        let ports = try SerialPort.list(), adopted = try RigBook().all()
        if let port {
            let name = try PortName(port)
            // A path is only today's name of a USB device.
            guard case .path(let path) = name else { return name }
            guard let info = ports.first(where: { $0.path == path }) else {
                // From another folder it is found as well. A link stays a link: it is what somebody keeps stable.
                return .path(path.hasPrefix("/") ? path : Self.folder + "/" + path)
            }
            return AdoptedRig.name(for: info, among: ports)
        }
        let usb = ports.filter { $0.identity != nil }
        guard !usb.isEmpty else {
            throw DockError(
                .notConnected, "no USB serial port is plugged in",
                hint: "plug the dock in and switch it on, or name its port with --port; see also: dockface doctor")
        }
        print("which port is the rig on?")
        for (index, port) in usb.enumerated() { print("  \(index + 1)  \(Ports.line(port, adopted: adopted))") }
        let answer = ask("number [1-\(usb.count)]")
        guard let number = Int(answer), usb.indices.contains(number - 1) else {
            throw fail("\"\(answer)\" is none of them: nothing is kept", status: 64)
        }
        return AdoptedRig.name(for: usb[number - 1], among: usb)
    }

    /// The profile in whose protocol the rig answers, and who it is. Where a person chose, he may choose again.
    private func chooseProfile(_ port: PortName) throws -> (String, DockIdentity) {
        if let profile { return (profile, try greet(port, try loadProfile(profile))) }
        var rows: [(name: String, text: String)] = []
        for entry in ProfileLibrary().all() {
            guard case .success(let rig) = entry.profile else { continue }
            // A profile that names this very device needs no question.
            if case .serial(let serial) = port, !rig.matchSerial.isEmpty, rig.matchSerial == serial {
                return (entry.name, try greet(port, rig))
            }
            rows.append((entry.name, rig.name))
        }
        guard !rows.isEmpty else {
            throw DockError(
                .configuration, "no profiles are found", hint: "name one with --profile, or set DOCKFACE_PROFILES")
        }
        while true {
            print("which rig is it?")
            for (index, row) in rows.enumerated() { print("  \(index + 1)  \(row.text)  (\(row.name))") }
            let answer = ask("number or name (empty: none of them)")
            guard !answer.isEmpty else { throw fail("no profile is chosen: nothing is kept", status: 75) }
            let row = Int(answer).flatMap { rows.indices.contains($0 - 1) ? rows[$0 - 1].name : nil }
            let name = row ?? answer
            do {
                return (name, try greet(port, try loadProfile(name)))
            } catch let error as DockError where error.code == .timeout {
                print("\(error.message): \(error.hint)")
            }
        }
    }

    /// A name that a command line and a file can carry, and that no other rig has.
    private func chooseName(_ wish: String, _ port: PortName, _ book: RigBook) throws -> String {
        let isName = wish.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isName, (1...40).contains(wish.utf8.count), wish != "sim" else {
            throw fail(
                "a rig is named by 1 to 40 letters, digits and -_., and not \"sim\": give another --name", status: 64)
        }
        let others = try book.all().filter { $0.port != port }.map(\.name)
        guard others.contains(wish) else { return wish }
        if name != nil {
            throw fail("another rig is called \"\(wish)\": forget it first, or give another --name", status: 64)
        }
        return (2...99).map { "\(wish)-\($0)" }.first { !others.contains($0) } ?? wish
    }

    private static var folder: String {
        guard let path = realpath(".", nil) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    /// Who answers in the profile's protocol; nothing moves.
    private func greet(_ port: PortName, _ rig: RigProfile) throws -> DockIdentity {
        print("greeting \(port) as \"\(rig.name)\" (\(rig.driver), \(rig.serial.baud) baud); nothing moves ...")
        let link = try DockPort(port, serial: rig.serial).open(waits: true)
        var options = LoopOptions(profile: rig, mode: .manual)
        options.dryRun = true
        let loop = try DockLoop()
        try loop.start(
            link: link, options: options, driver: try DriverTable.make(for: rig),
            reopen: { () throws(DockError) in
                throw DockError(.notConnected, "the port is gone", hint: "plug it in, and adopt it again")
            }, makeInput: { nil }, onSnapshot: { _ in }, onEvent: { _ in })
        defer {
            loop.requestStop()
            loop.join()
        }
        let deadline = Self.now + rig.serial.settle + Self.patience
        while Self.now < deadline {
            if let identity = loop.latest.identity { return identity }
            poll(nil, 0, 20)
        }
        throw DockError(
            .timeout, "nothing answers at \(port) as \"\(rig.name)\"",
            hint:
                "is it switched on, is it this port, is \(rig.serial.baud) baud its speed, and does the profile have its ids?"
        )
    }

    /// A rig answers within this, seconds.
    private static let patience: Seconds = 6
    private static var now: Seconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) * 1e-9
    }

    private func ask(_ question: String) -> String {
        print(question, terminator: " ")
        fflush(nil)
        let answer = readLine(strippingNewline: true) ?? ""
        if isatty(0) == 0 { print(answer) }
        return answer
    }

    /// The last part of a path, without its ending.
    private static func short(_ profile: String) -> String {
        let file = profile.split(separator: "/").last.map(String.init) ?? profile
        return file.hasSuffix(".toml") ? String(file.dropLast(5)) : file
    }
}
