import ArgumentParser
import Companion
import DockControl
import DockTypes
import Files
import Glibc

/// `dockface adopt`: records once which rig is on which port. From then on port and profile need not be named.
struct Adopt: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record once which rig is on which port; then you need not name a port again.",
        discussion: """
            Shows the ports and asks which one to use, asks for the profile, greets the device in the profile's protocol and \
            shows what answers. Nothing moves, and no torque is switched on. The rig is stored by its USB serial number, or by the \
            USB socket if the adapter has no number.

            You can also answer on the command line or, one per line, on standard input. If you press Ctrl-C, nothing is stored.
            """)

    @Option(
        help: ArgumentHelp(
            "The port, as `dockface ports` shows it.", valueName: "path|usb:SERIAL|place:PLACE|tcp:HOST:PORT"),
        completion: Completions.ports)
    var port: String?

    @Option(
        help: "Rig profile: a path or a name (see: dockface profiles).", completion: Completions.profiles)
    var profile: String?

    @Option(help: "Name for the rig. Default: the name of its profile.")
    var name: String?

    @Flag(help: "Adopt without asking, if the rig answers.")
    var yes = false

    @Option(help: ArgumentHelp("Forget an adopted rig.", valueName: "name"))
    var forget: String?

    @OptionGroup var place: SystemOption

    func run() throws {
        // If the reader of the pipe ends, SIGPIPE must not end the program before the stop.
        signal(SIGPIPE, SIG_IGN)
        let book = RigRegistry()
        do {
            if let forget { return try drop(forget, book) }
            // This fails early, before a person has answered five questions.
            try book.makeSure()
        } catch let error as DockError {
            throw error.exit
        }
        let desk = try CheckDesk(usesErrors: false, takesKeys: false)
        defer { desk.close() }
        do {
            try adopt(book, desk)
        } catch let error as DockError {
            // A signal also interrupts a wait.
            throw desk.wasStopped ? stopped(desk) : error.exit
        } catch is DeskMover.Stopped {
            throw stopped(desk)
        }
    }

    private func adopt(_ book: RigRegistry, _ desk: CheckDesk) throws {
        let port = try choosePort(book, desk), (profile, identity) = try chooseProfile(port, desk)
        desk.say("it answers: \(identity.model) \(identity.uid), firmware \(identity.firmware)")
        let name = try chooseName(self.name ?? shortName(ofProfile: profile), port, book)
        for other in try book.all() where other.port == port && other.name != name {
            desk.say("this replaces \"\(other.name)\" (profile \(other.profile)), which is at the same port")
        }
        if !yes {
            guard try ask("adopt it as \"\(name)\", bound to \(port)? [y/n]", desk)?.lowercased().hasPrefix("y") == true
            else {
                throw fail("nothing is stored", status: 75)
            }
        }
        try book.adopt(
            AdoptedRig(
                name: name, port: port, profile: ProfileLibrary().absolute(profile),
                answered: "\(identity.model) \(identity.uid)", date: Check.today))
        desk.say("adopted (stored in \(book.path)). Next:")
        let who = place.system ? "sudo dockface check --system" : "dockface check"
        desk.say("  \(who)        moves 3 degrees per axis, and asks which way it turned")
        desk.say(
            place.system
                ? "  sudo systemctl enable --now dockface"
                : "  dockface run          drives it, with the face and the arrow keys")
        desk.say("  dockface doctor       helps if something does not work")
    }

    private func stopped(_ desk: CheckDesk) -> ExitCode {
        fail("stopped: nothing is stored; run `dockface adopt` again", status: desk.stoppedStatus)
    }

    private func drop(_ name: String, _ book: RigRegistry) throws {
        guard try book.forget(name) else {
            let names = try book.all().map(\.name)
            throw fail(
                "unknown rig \"\(name)\""
                    + (names.isEmpty
                        ? ": no rig is adopted" : "; the adopted rigs are: \(names.joined(separator: ", "))"),
                status: 64)
        }
        print("\"\(name)\" is forgotten")
    }

    // MARK: questions

    /// The number of invalid answers in a row that end the verb.
    private static let patienceWithWords = 3

    private func choosePort(_ book: RigRegistry, _ desk: CheckDesk) throws -> PortName {
        if let port {
            let name = try PortName(port)
            // A path is only the current name of a USB device. Other kinds of name need no list (a container may have
            // no /sys).
            guard case .path(let path) = name else { return name }
            let ports = (try? SerialPort.list()) ?? []
            guard let info = ports.first(where: { $0.path == path }) else {
                // A question about the profile would be pointless.
                guard access(path, F_OK) == 0 else {
                    throw DockError(
                        .notConnected, "there is no port \(path)",
                        hint: "plug the rig in and look with `dockface ports`; nothing is stored")
                }
                // The path is made absolute, so that it works from any folder. A link remains a link, because its owner
                // keeps it stable.
                return .path(path.hasPrefix("/") ? path : Self.folder + "/" + path)
            }
            return AdoptedRig.name(for: info, among: ports)
        }
        let ports = try SerialPort.list()
        let usb = ports.filter { $0.identity != nil }
        guard !usb.isEmpty else {
            throw DockError(
                .notConnected, "no USB serial port is plugged in",
                hint: "plug the dock in and switch it on, or name its port with --port; see also `dockface doctor`")
        }
        desk.say("which port is the rig on?")
        let rigs = RigSurvey.of(try book.all(), plugged: ports)
        for (index, port) in usb.enumerated() { desk.say("  \(index + 1)  \(Ports.line(port, rigs))") }
        let number = try choose("number [1-\(usb.count)]", desk) { answer in
            guard let number = Int(answer), usb.indices.contains(number - 1) else {
                throw Misread("invalid number \"\(answer)\": give a number from 1 to \(usb.count)")
            }
            return number
        }
        return AdoptedRig.name(for: usb[number - 1], among: usb)
    }

    /// Returns the profile whose protocol the rig speaks, and the rig's identity. A person who chose the profile may
    /// choose again.
    private func chooseProfile(_ port: PortName, _ desk: CheckDesk) throws -> (String, DockIdentity) {
        if let profile { return (profile, try greet(port, try loadProfile(profile), desk)) }
        var rows: [(name: String, text: String)] = []
        for entry in ProfileLibrary().all() {
            guard case .success(let rig) = entry.profile else { continue }
            // A profile that names this individual device needs no question.
            if case .serial(let serial) = port, !rig.matchSerial.isEmpty, rig.matchSerial == serial {
                return (entry.name, try greet(port, rig, desk))
            }
            rows.append((entry.name, rig.name))
        }
        guard !rows.isEmpty else {
            throw DockError(
                .configuration, "no profile was found", hint: "name one with --profile, or set DOCKFACE_PROFILES")
        }
        let names = rows.map(\.name)
        while true {
            desk.say("which rig is it?")
            for (index, row) in rows.enumerated() { desk.say("  \(index + 1)  \(row.text)  (\(row.name))") }
            let (name, rig) = try choose("number or name (empty: none of them)", desk) { answer in
                let name = try Self.name(answer, among: names)
                do throws(FileError) {
                    return (name, try ProfileLibrary().load(name))
                } catch {
                    throw Misread("\(error)")
                }
            }
            do {
                return (name, try greet(port, rig, desk))
            } catch let error as DockError where error.code == .timeout {
                desk.say("\(error.message): \(error.hint)")
            }
        }
    }

    /// Returns the profile that an answer names: a number of the list, a name, or a path.
    private static func name(_ answer: String, among names: [String]) throws(Misread) -> String {
        guard let number = Int(answer) else { return answer }
        guard names.indices.contains(number - 1) else {
            throw Misread("invalid number \(answer): give a number from 1 to \(names.count)")
        }
        return names[number - 1]
    }

    /// Returns a name that is valid in a command line and as a file name, and that no other rig has.
    private func chooseName(_ wanted: String, _ port: PortName, _ book: RigRegistry) throws -> String {
        let isName = wanted.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isName, (1...40).contains(wanted.utf8.count), !["sim", "none"].contains(wanted) else {
            throw fail(
                "a rig's name has 1 to 40 letters, digits or -_. and is neither \"sim\" nor \"none\"; give another --name",
                status: 64)
        }
        let others = try book.all().filter { $0.port != port }.map(\.name)
        guard others.contains(wanted) else { return wanted }
        if name != nil {
            throw fail("another rig has the name \"\(wanted)\": forget it first, or give another --name", status: 64)
        }
        return (2...99).map { "\(wanted)-\($0)" }.first { !others.contains($0) } ?? wanted
    }

    private static var folder: String { realPath(of: ".") ?? "" }

    /// An invalid answer, and the reason.
    private struct Misread: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    /// Repeats a question until the answer is valid, a few times. An empty answer means "none of them".
    private func choose<Value>(
        _ question: String, _ desk: CheckDesk, _ read: (String) throws -> Value
    ) throws -> Value {
        for _ in 0..<Self.patienceWithWords {
            guard let answer = try ask(question, desk) else {
                throw fail("the input ended before a choice was made; nothing is stored", status: 75)
            }
            guard !answer.isEmpty else { throw fail("no choice was made; nothing is stored", status: 75) }
            do {
                return try read(answer)
            } catch let error as Misread {
                desk.say(error.text)
            }
        }
        throw fail(
            "\(Self.patienceWithWords) answers were invalid; nothing is stored; see `dockface profiles` and `dockface ports`",
            status: 64)
    }

    /// Asks a question. Returns the answer, or nil if the input has ended.
    /// - Throws: `Stopped` if a signal arrived.
    private func ask(_ question: String, _ desk: CheckDesk) throws -> String? {
        desk.ask(question)
        let answer = desk.line()
        // The terminal shows a typed line already, but not a line end if no line arrived.
        if !desk.isTerminal { desk.say(answer ?? "") } else if answer == nil { desk.say("") }
        if answer == nil, desk.wasStopped { throw DeskMover.Stopped() }
        return answer
    }

    /// Returns the last part of a path, without its extension.
}
