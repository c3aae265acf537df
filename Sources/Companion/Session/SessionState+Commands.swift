internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry

/// Executes requests of people and programs, from any source.
extension SessionState {
    /// Executes a line of command words, from standard input, typed after `:`, or from another shell.
    mutating func command(_ line: String, _ asked: Ticket, now: Seconds) -> [SessionEffect] {
        var ticket = asked
        let words: String
        (ticket.tag, words) = WordTag.split(line)
        let command: Command
        do {
            if let stop = CommandWords.stop(in: line) {
                command = stop
            } else {
                command = try CommandWords.parse(words, pictureSize: tracking.pictureSize)
            }
        } catch {
            return refuse(ticket, DockError(.invalidParameter, error.message, hint: error.hint), now: now)
        }
        return call(command, ticket, now: now)
    }

    /// Executes a line of standard input that a later stop has overtaken. The stop was executed first and must not be
    /// undone.
    mutating func overtaken(_ line: String, _ asked: Ticket, now: Seconds) -> [SessionEffect] {
        if asked.isQuiet, !admitsCues { return Self.answered(asked) }
        var ticket = asked
        let words: String
        (ticket.tag, words) = WordTag.split(line)
        guard let command = try? CommandWords.parse(words, pictureSize: tracking.pictureSize), command.movesAfterStop
        else {
            return self.command(line, asked, now: now)
        }
        return refuse(ticket, Self.overtaken, now: now)
    }

    static let overtaken = DockError(.busy, "a stop came first", hint: "give the command again")

    /// Executes a command, if the sender may give it.
    mutating func call(_ command: Command, _ asked: Ticket, now: Seconds) -> [SessionEffect] {
        if case .client(let client) = asked.asker { arbiter.renew(client, now: now) }
        let takeovers = arbiter.takeovers
        if let refusal = arbiter.admit(command, from: asked.asker, now: now) {
            return refuse(asked, refusal, now: now)
        }
        if !options.hasDock, Self.turns(command) { return refuse(asked, Self.noDock, now: now) }
        if command.kind.isAct { start.acted() }
        var ticket = asked
        if arbiter.takeovers != takeovers { ticket.takeover = arbiter.takeovers }
        if case .client(let id) = asked.asker { ticket.program = ProgramID(id) }
        if case .client = asked.asker {} else { ticket.isPersonal = command.kind == .motion }
        // Of a person's words that a program sends, only motion ends with its lease. Clear, torque and mode are the
        // person's.
        if case .words = asked.asker, !command.endsWithLease { ticket.program = nil }
        switch command {
        case .motion(let motion): return move(motion, ticket)
        case .animate(let name):
            do {
                return [.motion(.animate(try motions.library.script(named: name)), ticket)]
            } catch {
                return refuse(ticket, error, now: now)
            }
        case .setSystemTracking(let enabled):
            custom.systemTracking(enabled)
            arbiter.tracks(false)
            let mode = enabled ? TrackingMode.system : .manual
            return [.motion(.setMode(mode), ticket.meaning(.mode(mode)))]
        case .tap(let point): return [.ask(.tap(point), ticket)]
        case .select(let ids): return [.ask(.select(ids), ticket)]
        case .track(let frame): return track(frame, ticket, now: now)
        case .preset(let preset): return self.preset(preset, ticket, now: now)
        case .teach(let lesson): return teach(lesson, ticket, now: now)
        case .camera(let change): return camera(change, ticket, now: now)
        case .show(let request): return show(request, ticket, now: now)
        case .acquireControl, .releaseControl: return control(command, ticket, now: now)
        case .giveBack: return giveBack(ticket, now: now)
        case .source(let name): return source(name, ticket, now: now)
        case .status(let why):
            let outcome = Outcome(statusWords(why: why, now: now), .status(status(now: now)))
            return finish(ticket, .success(outcome), now: now)
        case .latency:
            return finish(ticket, .success(Outcome("latency", .latency(snapshot))), now: now)
        case .metrics:
            return finish(ticket, .success(Outcome("metrics", .metrics(status(now: now)))), now: now)
        case .trace: return [.trace(ticket)]
        case .watch where ticket.call != nil:
            let error = DockError(
                .notSupported, "the word `watch` works only on a terminal", hint: "subscribe, or use `dockface watch`")
            return refuse(ticket, error, now: now)
        case .watch(let topics):
            let watched = Set(topics ?? [])
            audience.terminal = watched
            let names = Topic.allCases.filter(watched.contains).map(\.rawValue).joined(separator: " ")
            let words = Outcome(watched.isEmpty ? "watching nothing" : "watching \(names)")
            return finish(ticket, .success(words), now: now) + [.watch(watched)]
                + Topic.allCases.filter { watched.contains($0) && $0.isState }.map { .publish($0) }
        case .help:
            return finish(ticket, .success(Outcome("help\n" + CommandWords.help.joined(separator: "\n"))), now: now)
        case .quit: return finish(ticket, .success(Outcome("ending")), now: now) + [.quit]
        case .face, .nextFace, .automaticFace, .randomFaces, .gestures: return face(command, ticket, now: now)
        }
    }

    /// Executes a motion command. Commands that concern the mode or stops also change what programs may do. The loop
    /// does the rest.
    private static let noDock = DockError(
        .notConnected, "this run has no dock", hint: "name its port: dockface run --port PATH (see `dockface ports`)")

    /// Whether a command turns the head.
    private static func turns(_ command: Command) -> Bool {
        switch command {
        case .animate, .motion(.chevron), .motion(.velocity), .motion(.orient), .motion(.home), .motion(.animate),
            .motion(.gesture), .motion(.expect):
            true
        default: false
        }
    }

    private mutating func move(_ motion: MotionCommand, _ ticket: Ticket) -> [SessionEffect] {
        switch motion {
        case .setMode(let mode):
            custom.revoke()
            arbiter.tracks(mode == .custom && arbiter.isLeased(to: ticket.asker))
            return [.motion(motion, ticket.meaning(.mode(mode)))]
        case .stop, .emergencyStop, .clear:
            custom.revoke()
            arbiter.tracks(false)
            var meaning = ticket.meaning(.mode(.manual))
            meaning.latch = motion == .clear ? .releases : motion == .emergencyStop ? .latches : nil
            return [.motion(motion, meaning)]
        case .setFraming(let mode): return [.motion(motion, ticket.meaning(.framing(mode)))]
        case .setRegion(let region): return [.motion(motion, ticket.meaning(.region(region)))]
        case .setSpeed(let share): return [.motion(motion, ticket.meaning(.share(share)))]
        case .torque(let on): return [.motion(motion, ticket.meaning(.torque(on)))]
        case .slow: return [.motion(motion, ticket)]
        case .chevron, .velocity, .orient, .home, .animate, .gesture, .expect, .cancel, .setLimits:
            if ticket.isPersonal { custom.revoke() }
            return [.motion(motion, ticket)]
        }
    }

    private mutating func track(_ frame: ObservationFrame, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        guard custom.admits(now: now) else {
            let error = DockError(
                .frameRateTooHigh, "more than 60 observations a second",
                hint: "10 to 30 are enough; this one was dropped")
            return refuse(ticket, error, now: now)
        }
        if snapshot.isScript, let motion = snapshot.motion {
            let error = DockError(.busy, "animation \(motion.name) owns the dock", hint: "wait until it ends")
            return refuse(ticket, error, now: now)
        }
        let begins = custom.begins()
        if begins || snapshot.mode == .custom { arbiter.tracks(arbiter.isLeased(to: ticket.asker)) }
        // The mode belongs to the program, and ends with its lease, even if the command is still queued.
        var beginning = Ticket(asker: ticket.asker)
        beginning.program = ticket.program
        return (begins ? [.motion(.setMode(.custom), beginning)] : []) + [.ask(.observe(frame), ticket)]
    }

    private mutating func control(_ command: Command, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        guard case .client(let client) = ticket.asker else {
            let error = DockError(.notSupported, "only programs take control", hint: "keys and words do not need it")
            return refuse(ticket, error, now: now)
        }
        if command == .releaseControl {
            arbiter.release(client)
            return finish(ticket, .success(Outcome("released")), now: now)
        }
        do {
            let isRenewed = try arbiter.acquire(client, now: now)
            let value = Outcome.Value.lease(Arbiter.leaseTime, isRenewed: isRenewed)
            return finish(ticket, .success(Outcome("control", value)), now: now)
        } catch {
            return refuse(ticket, error, now: now)
        }
    }

    /// Gives the dock back to programs, at a person's request. Nothing moves.
    private mutating func giveBack(_ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        let held = arbiter.stop != nil || arbiter.holder != nil
        arbiter.giveBack()
        return finish(
            ticket, .success(Outcome(held ? "released: programs may move the dock" : "the dock was already free")),
            now: now)
    }

    private mutating func camera(_ change: CameraCommand, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        guard serves(change) else { return finish(ticket, .failure(CameraDesk.unserved(change)), now: now) }
        let decision = desk.handle(change)
        return cameraChanged(decision.actions) + finish(ticket, decision.answer, now: now)
    }
}
