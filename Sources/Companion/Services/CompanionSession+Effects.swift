internal import CPosix
internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Logging
internal import PlainText
internal import Processes
internal import RobotFace

/// Events in, effects out: the shell around `SessionState`.
extension CompanionSession {
    func send(_ event: SessionEvent) { handle { event } }

    /// Creates the event under the state's lock and handles it. `event` must not read the state.
    ///
    /// Commands for the dock's loop are queued under that lock, so that they arrive in the order in which they were
    /// admitted: no program's command follows the stop of a person who took the dock over.
    func handle(_ event: () -> SessionEvent) {
        let now = cposix_monotonic_now()
        var refusals: [@Sendable () -> Void] = []
        let effects = state.withLock { state in
            let effects = state.handle(event(), now: now)
            for effect in effects { if let refusal = post(effect) { refusals.append(refusal) } }
            return effects
        }
        for refusal in refusals { refusal() }
        for effect in effects { perform(effect) }
    }

    /// Queues an effect for the loop. Returns a closure that notifies the senders of refused commands.
    private func post(_ effect: SessionEffect) -> (@Sendable () -> Void)? {
        switch effect {
        case .motion(let command, let ticket):
            // Without a ticket, the command comes from a key or is a gesture, which has the lowest rank anyway.
            guard let ticket else { return loop.enqueue(command, isPersonal: true) }
            return loop.enqueue(command, program: ticket.program, isPersonal: ticket.asker.isPerson) {
                [weak self] answer in
                self?.send(.answer(ticket, answer))
            }
        case .end(let lost): return loop.end(lost)
        case .ask(let request, let ticket):
            let isTaken = requests.put(request) { [weak self] result in self?.send(.served(ticket, request, result)) }
            guard !isTaken else {
                loop.wakeInput()
                return nil
            }
            let error = DockError(.busy, "16 selections are waiting", hint: "slow down")
            return { [weak self] in self?.send(.served(ticket, request, .failure(error))) }
        case .measured(let distances):
            requests.measure(distances)
            return nil
        default: return nil
        }
    }

    func receive(input: InputEvent) {
        if case .mouse = input, let size = terminal.face.withLock({ $0 })?.size {
            send(.screen(columns: size.columns, rows: size.rows))
        }
        send(.input(input))
    }

    /// Executes a command. `reply` is called once, from any thread, and must not block.
    func call(_ command: Command, from asker: RequestOrigin, reply: @escaping @Sendable (Answer) -> Void) {
        guard let number = expect(reply, isStop: command.kind == .stop) else { return }
        send(.call(command, Ticket(asker: asker, call: number)))
    }

    /// Executes command words from another shell, as a person or as a program. `program`: the program that sent them;
    /// what they begin ends with its lease, whatever their rank.
    func call(
        words: String, from asker: RequestOrigin = .words, of program: ProgramID? = nil,
        reply: @escaping @Sendable (Answer) -> Void
    ) {
        guard let number = expect(reply, isStop: CommandWords.stop(in: words) != nil) else { return }
        var ticket = Ticket(asker: asker, call: number)
        ticket.program = program
        send(.line(words, ticket))
    }

    /// Returns the number under which the answer will arrive, or nil if `reply` has already been called with a refusal.
    private func expect(_ reply: @escaping @Sendable (Answer) -> Void, isStop: Bool = false) -> Int? {
        do {
            return try audience.calls.add(reply, isStop: isStop)
        } catch {
            reply(.failure(error))
            return nil
        }
    }

    private func perform(_ effect: SessionEffect) {
        switch effect {
        case .motion, .ask, .end, .measured: break
        case .keep(let change, let ticket): keep(change, ticket)
        case .trace(let ticket): askForTrace(ticket)
        case .use(let name): _ = configuration.vision?.use(name)
        case .camera(let actions): camera?.perform(actions)
        case .face(let change): terminal.face.withLock { $0 }?.update(change)
        case .answer(let text):
            if terminal.answersToOutput { Self.print(text) } else { log.debug("\(text)") }
        case .lineAnswered(let turn): intake.thread.withLock { $0 }?.answered(turn: turn)
        case .reply(let call, let answer): audience.calls.answer(call, answer)
        // The current state is published, not the state of the event: of two simultaneous publications, the later one
        // must not be the older.
        case .publish(let topic): publish(.state(topic, status))
        case .publishFrame: publish(.frame(status))
        case .watch(let topics): audience.control.watch(topics)
        case .notice(let notice): publish(.notice(notice))
        case .cue(let cue): publish(.cue(cue))
        case .extensionNews(let news): configuration.extensions?.note(news)
        case .log(let level, let said):
            let text = ForeignText.line(said, longest: LineLog.longest)
            switch level {
            case .info: log.info("\(text)")
            case .warning: log.warning("\(text)")
            case .error: log.error("\(text)")
            }
            publish(.log(level, text))
        case .quit: end(.over)
        }
    }

    private func keep(_ change: LibraryChange, _ ticket: Ticket) {
        keeper.keep(change) { [weak self] result in
            switch result {
            case .success(let library):
                self?.send(.kept(ticket, library, .success(Outcome(change.done, ticket.value))))
            case .failure(let error): self?.send(.kept(ticket, nil, .failure(error)))
            }
        }
    }

}
