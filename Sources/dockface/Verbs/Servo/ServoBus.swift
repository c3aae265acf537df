import ArgumentParser
import Companion
import CPosix
import DockControl
import DockTypes
import Geometry
import Glibc

/// A bus of servos at a port: opens the port at the speed of each task, and carries out tasks.
final class ServoBus {
    /// The profile of the rig, or nil if none with bus servos was named.
    let profile: RigProfile?
    /// The families and speeds that are tried, in this order.
    let families: [ServoFamily]
    private let steps: [ServoSearch.Step]
    private let bench: Bench
    private let desk: CheckDesk
    private let serial: RigProfile.Serial
    /// Whether a server has the port. Its line keeps the server's speed.
    private let isRemote: Bool
    private var link: (any ByteLink)?
    private var baud = 0

    /// Resolves the typed options. The port is opened later.
    init(_ options: ServoOptions, _ desk: CheckDesk) throws {
        let arguments = try RigArguments(port: options.dock.port, profile: options.profile)
        let named = arguments.profileName == nil ? nil : arguments.profile
        let typed = options.family.flatMap { ServoFamily(rawValue: $0) }, own = named.flatMap { ServoFamily($0) }
        if let named, own == nil, typed == nil {
            throw fail(
                "the rig \"\(named.name)\" has no bus servos, because its driver is \(named.driver): name the port of "
                    + "the servos with --port, or their family with --family", status: 64)
        }
        let known = [typed ?? own].compactMap { $0 }
        families = known.isEmpty ? ServoFamily.spoken : known
        // A profile of another family says nothing about these servos.
        profile = own != nil && (typed == nil || typed == own) ? named : nil
        bench = try Bench(port: arguments.port, profile: arguments.profile, source: .none, openLoop: false)
        if case .server? = try? PortName(bench.portName) { isRemote = true } else { isRemote = false }
        let first = options.baud ?? profile?.serial.baud ?? (isRemote ? ServoFamily.feetech.newBaud : nil)
        let steps = ServoSearch(families, first: first).steps
        self.steps = options.baud == nil && !isRemote ? steps : Array(steps.prefix(1))
        serial = profile?.serial ?? RigProfile.Serial()
        self.desk = desk
    }

    /// The name of the port, for messages and commands.
    var port: String { bench.portName }

    /// Closes the port, and ends a simulated rig.
    func close() {
        link?.close()
        link = nil
        bench.close()
    }

    // MARK: tasks

    /// Carries out a task. A task that ends with a change of the servo's speed needs a port with that speed, and is not
    /// done otherwise. `isWhole`: a signal does not end it half-way.
    func carryOut<Work: ServoTask>(_ work: Work, isWhole: Bool = false) throws -> Work {
        var work = work
        while let request = work.next {
            if desk.wasStopped, !isWhole { throw DeskMover.Stopped() }
            guard try open(at: work.baud, isWhole: isWhole), let link else { return work }
            drain(link)
            var exchange = ServoExchange(work.family, baud: work.baud, isRemote: isRemote)
            guard link.write(exchange.begin(request, now: cposix_monotonic_now())) else { throw gone }
            work.handle(try reply(&exchange, link))
        }
        return work
    }

    /// Looks for servos at all speeds, until `isEnough`. `show` receives each servo as it is found.
    func search(
        ids: [UInt8], show: (FoundServo) -> Void = { _ in }, isEnough: (FoundServo) -> Bool = { _ in false }
    ) throws -> [FoundServo] {
        var found: [FoundServo] = []
        for step in steps {
            for family in step.families {
                let new = try carryOut(ServoScan(family, baud: step.baud, ids: ids)).found
                for servo in new { show(servo) }
                found += new
                if new.contains(where: isEnough) { return found }
            }
        }
        return found
    }

    /// Finds the servo with an id, at whatever speed.
    /// - Throws: an exit if none has it, or several do.
    func locate(_ id: UInt8) throws -> FoundServo {
        let found = try search(ids: [id], isEnough: { $0.id == id })
        guard let servo = found.first(where: { $0.id == id }) else {
            let others = found.map { "\($0.id)" }.joined(separator: ", ")
            throw fail(
                "no servo with the id \(id) answers at \(port)"
                    + (others.isEmpty ? "" : ", but these ids do: \(others)")
                    + ": check its supply and its plug, and look with `dockface servo scan`", status: 69)
        }
        guard !servo.isDamaged else { throw fail(ServoText.disturbed(servo, port), status: 69) }
        return servo
    }

    // MARK: the port

    /// Checks that a servo can still be reached after its speed has changed.
    /// - Throws: an exit if the port does not support the speed, or a server sets it.
    func checkSpeed(_ baud: Int) throws {
        guard !isRemote else {
            throw fail(
                "the server of \(port) sets the speed of its line, and would not reach the servo at \(baud) baud: "
                    + "change the speed at a port of this computer", status: 69)
        }
        guard try open(at: baud) else {
            throw fail(
                "\(port) does not support \(baud) baud, and would not reach the servo again: choose another speed",
                status: 69)
        }
    }

    /// Opens the port at a speed. Returns false if the port does not support it. `isWhole`: a signal does not end the
    /// wait until the adapter has settled.
    private func open(at baud: Int, isWhole: Bool = false) throws -> Bool {
        if link != nil, baud == self.baud || isRemote { return true }
        link?.close()
        link = nil
        var serial = serial
        serial.baud = baud
        do throws(DockError) {
            link = try DockPort(try PortName(bench.portName), serial: serial).open(waits: true)
        } catch {
            guard error.code == .configuration else { throw Bench.refusal(error) }
            note("\(port) does not support \(baud) baud")
            return false
        }
        self.baud = baud
        if isWhole {
            usleep(UInt32((serial.settle * 1_000_000).clamped(to: 0...60_000_000)))
        } else if serial.settle > 0, desk.wantsStop(while: -1, seconds: serial.settle) {
            throw DeskMover.Stopped()
        }
        return true
    }

    /// Discards late answers, which belong to earlier requests. The number of reads is bounded.
    private func drain(_ link: any ByteLink) {
        var buffer = [UInt8](repeating: 0, count: 256)
        for _ in 0..<16 {
            guard case .bytes = buffer.withUnsafeMutableBytes({ link.read(into: $0) }) else { return }
        }
    }

    /// Waits for the answers of an exchange, for as long as it allows.
    private func reply(_ exchange: inout ServoExchange, _ link: any ByteLink) throws -> ServoReply {
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            let now = cposix_monotonic_now()
            if let reply = exchange.end(now: now) { return reply }
            var wait = pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&wait, 1, Int32(max(1, ((exchange.deadline - now) * 1000).rounded(.up))))
            switch buffer.withUnsafeMutableBytes({ link.read(into: $0) }) {
            case .bytes(let count):
                buffer.withUnsafeBytes { exchange.receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            case .nothing: continue
            case .hangUp: throw gone
            }
        }
    }

    private var gone: ExitCode {
        DockError(
            .notConnected, "\(port) disappeared", hint: "check the cable and the adapter, and run the command again"
        ).exit
    }
}
