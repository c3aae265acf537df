internal import CPosix
internal import Geometry
internal import Glibc
internal import Synchronization

/// The work of the face's thread: it waits, reads and draws. Only that thread owns it.
struct FaceLoop: ~Copyable {
    private let screen: FaceScreen
    private var terminal: TerminalSession
    private var animator: FaceAnimator
    private var renderer: FaceRenderer
    private var governor = OutputGovernor()
    private var hasFocus = true
    private var parser = InputParser()
    private var keys = [UInt8](repeating: 0, count: 1024)
    private var guess: TerminalGuess
    private let timer: Int32
    private var schedule: FrameSchedule
    private var panel = ScreenPanel()

    init(_ screen: FaceScreen, _ terminal: consuming TerminalSession) {
        // No field of `self` is read before all are set, because Swift 6.3.1 would release fields that are not set yet.
        let now = cposix_monotonic_now()
        let guess = screen.options.guess ?? TerminalGuess.ofProcess(), depth = screen.options.depth ?? guess.depth
        self.screen = screen
        self.terminal = terminal
        self.guess = guess
        animator = FaceAnimator(
            seed: screen.options.seed, style: screen.options.style, expression: screen.options.expression, now: now)
        renderer = FaceRenderer(
            screen.options.glyphs ?? guess.glyphs, depth: depth, tolerance: screen.options.tolerance,
            isSynchronized: screen.options.synchronizes)
        timer = cposix_timer_create()
        schedule = FrameSchedule(now: now, answerTime: guess.answerTime)
        settle()
        renderer.graphics = screen.options.graphics
    }

    deinit { close(timer) }

    /// Runs until it is ordered to stop (nil) or the terminal is gone.
    mutating func run() -> FaceScreenEnd? {
        guard timer >= 0 else { return .writeFailed(errno) }
        waitForForeground()
        switch screen.shared.withLock({ $0.phase }) {
        case .stopping: return nil
        // `pause` takes over the terminal when the face is resumed.
        case .suspended: break
        case .idle, .running:
            guard begin() else { return .writeFailed(errno) }
            // The wake-up for the changes may have been consumed during the wait.
            applyChanges(cposix_monotonic_now())
        }
        var end: FaceScreenEnd?
        while end == nil {
            switch screen.shared.withLock({ $0.phase }) {
            case .stopping:
                terminal.leave()
                return nil
            case .suspended: end = pause()
            case .idle, .running: end = turn()
            }
        }
        terminal.leave()
        return end
    }

    /// Asks tmux about the outer terminal. Another terminal may have replaced it, usually with another size.
    private mutating func askTmux() {
        guard guess.isTmux, screen.options.depth == nil else { return }
        guess.askTmux()
        renderer.fullDepth = guess.depth
    }

    private mutating func begin() -> Bool {
        askTmux()
        let asks = guess.mayAsk
        guard terminal.enter(asking: asks, graphics: mayUseGraphics) else { return false }
        let now = cposix_monotonic_now()
        let waits = screen.options.depth == nil && !guess.isCertain || mayUseGraphics || renderer.graphics != nil
        schedule.begin(now: now, answerTime: asks && waits ? guess.answerTime : 0)
        // Earlier focus reports no longer apply, because other programs have used the terminal.
        hasFocus = true
        settle()
        panel.nextLook = 0
        renderer.forget()
        return true
    }

    /// Waits while the process runs in the background (started with `&`, or continued with `bg`), because then the
    /// terminal belongs to the shell. It checks four times per second, because no event reports the change.
    private mutating func waitForForeground() {
        while isInBackground, screen.shared.withLock({ $0.phase }) == .running {
            var ring = pollfd(fd: screen.wake, events: Int16(POLLIN), revents: 0)
            if poll(&ring, 1, 250) > 0 { _ = cposix_counter_take(screen.wake) }
        }
    }

    /// Whether another job has the terminal. A process group of another session is not a job.
    private var isInBackground: Bool {
        let group = tcgetpgrp(terminal.input)
        return group > 0 && group != getpgrp()
    }

    /// Releases the terminal until `resume` or `stop`.
    private mutating func pause() -> FaceScreenEnd? {
        terminal.leave()
        cposix_wake_ring(screen.released)
        var phase = FaceScreen.Phase.suspended
        while phase == .suspended {
            var ring = pollfd(fd: screen.wake, events: Int16(POLLIN), revents: 0)
            poll(&ring, 1, -1)
            _ = cposix_counter_take(screen.wake)
            phase = screen.shared.withLock { $0.phase }
        }
        guard phase == .running else { return nil }
        waitForForeground()
        guard screen.shared.withLock({ $0.phase }) == .running else { return nil }
        guard begin() else { return .hangUp }
        // The wake-up for the changes was consumed while the terminal was released.
        applyChanges(cposix_monotonic_now())
        return nil
    }

    /// Waits once and handles the events.
    private mutating func turn() -> FaceScreenEnd? {
        let next = schedule.next, deadline = parser.isWaiting ? min(next, cposix_monotonic_now() + 0.05) : next
        _ = cposix_timer_arm(timer, max(deadline, 1e-6))
        var inputEvents = pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0)
        var waits: (pollfd, pollfd, pollfd, pollfd) = (
            inputEvents, pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
            pollfd(fd: screen.wake, events: Int16(POLLIN), revents: 0),
            pollfd(fd: terminal.isBusy ? terminal.output : -1, events: Int16(POLLOUT), revents: 0)
        )
        let count = withUnsafeMutableBytes(of: &waits) { poll($0.bindMemory(to: pollfd.self).baseAddress, 4, -1) }
        if count < 0, errno != EINTR { return .writeFailed(errno) }
        inputEvents = waits.0
        let now = cposix_monotonic_now()
        if waits.1.revents != 0 { _ = cposix_counter_take(timer) }
        if waits.2.revents != 0 {
            _ = cposix_counter_take(screen.wake)
            applyChanges(now)
        }
        if inputEvents.revents != 0, !read(now) { return .hangUp }
        if let event = parser.flush(now: now) { handle(event) }
        if now >= schedule.next { draw(now) }
        let failure = terminal.flush()
        if failure != 0 { return failure == EIO ? .hangUp : .writeFailed(failure) }
        return nil
    }

    private mutating func applyChanges(_ now: Seconds) {
        let change = screen.shared.withLock { shared in
            defer { shared.change = FaceChange() }
            return shared.change
        }
        if let expression = change.expression { animator.show(expression, now: now) }
        switch change.gaze {
        case .at(let target): animator.look(at: target, now: now)
        case .noPerson: animator.look(at: nil, now: now)
        case nil: break
        }
        switch change.motion {
        case .play(let motion, let duration, let start): animator.play(motion, duration: duration, now: start)
        case .cancel: animator.cancelMotion(now: now)
        case nil: break
        }
        if let speaks = change.speech { animator.hear(speaks) }
        if let leans = change.leans { animator.leanBack(leans) }
        if let line = change.statusLine { renderer.overlay.statusLine = line }
        if let page = change.page { renderer.overlay.page = page }
        if let labels = change.labels { renderer.overlay.labels = labels }
        if let drawing = change.drawing { renderer.overlay.drawing = drawing }
        // The change appears in the next frame, even if the calm face would not have drawn one yet.
        schedule.drawSoon(framesPerSecond: min(frameRate, governor.allowance.framesPerSecond))
    }

    private var frameRate: Double { screen.options.framesPerSecond.clamped(to: 1...60) }

    /// Reads the input. Returns false if the terminal hung up.
    private mutating func read(_ now: Seconds) -> Bool {
        // Several arrows in one read come from a held key during a busy period. Only the last one counts.
        var arrow: InputEvent?
        while true {
            let count = Glibc.read(terminal.input, &keys, keys.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else { return false }
            for index in 0..<count {
                guard let event = parser.feed(keys[index], now: now) else { continue }
                if event.isHeldArrow {
                    arrow = event
                } else {
                    if let held = arrow { handle(held) }
                    arrow = nil
                    handle(event)
                }
            }
            if count < keys.count { break }
        }
        if let arrow { handle(arrow) }
        return true
    }

    private mutating func handle(_ event: InputEvent) {
        switch event {
        case .reply(let reply): learn(reply)
        case .focusLost, .focusGained:
            // A window without the keyboard focus is probably not watched, so it should cost little.
            hasFocus = event == .focusGained
            settle()
            schedule.drawNow(cposix_monotonic_now())
        default: break
        }
        if let number = event.terminalSignal {
            // With the kitty keyboard protocol the terminal's driver does not receive Ctrl-C. This does what the driver
            // would have done.
            let group = tcgetpgrp(terminal.input)
            if group > 0 {
                kill(-group, number)
                return
            }
        }
        screen.onInput(event)
    }

    /// Handles an answer of the terminal, whenever it arrives.
    private mutating func learn(_ reply: TerminalReply) {
        switch reply {
        case .directColour(true) where screen.options.depth == nil && !guess.isCertain:
            renderer.fullDepth = .trueColour
        case .keyboard: terminal.useKeyboardProtocol()
        case .cellSize(let width, let height) where width > 0 && height > 0:
            panel.cell = SIMD2(Double(width), Double(height))
            panel.nextLook = 0
        case .kittyGraphics where mayUseGraphics: renderer.graphics = .kitty
        case .deviceAttributes(let hasSixel):
            if hasSixel, mayUseGraphics, renderer.graphics == nil { renderer.graphics = .sixel }
            schedule.answered(cposix_monotonic_now())
        default: break
        }
    }

    /// Whether pixels are used if the terminal supports them.
    private var mayUseGraphics: Bool {
        screen.options.graphics == nil && screen.options.glyphs == nil && !guess.avoidsGraphics
    }

    /// Sets whether the face only blinks and moves its eyes.
    private mutating func settle() {
        renderer.isCalm = screen.options.calm || !hasFocus
        animator.calm(renderer.isCalm)
    }

    private mutating func draw(_ now: Seconds) {
        governor.isDue(isBusy: terminal.isBusy, now: now)
        let allowance = governor.allowance
        schedule.drawn(
            now, pause: max(animator.interval(at: now), 1 / min(frameRate, allowance.framesPerSecond)))
        // The terminal has not accepted the last frame yet. This one is dropped, and never queued.
        if terminal.isBusy { return }
        if now >= panel.nextLook { measure(now) }
        let face = animator.face(at: now), tempo = animator.tempo(at: now)
        terminal.write { bytes in renderer.draw(face, tempo: tempo, within: allowance, now: now, into: &bytes) }
        // A terminal that is too slow for pixels gets glyphs.
        if renderer.showsPixels, governor.step >= 3 {
            governor = OutputGovernor()
            renderer.graphics = nil
        }
    }

    private mutating func measure(_ now: Seconds) {
        let size = terminal.size()
        if panel.look(columns: size.columns, rows: size.rows, now: now) { askTmux() }
        let (columns, rows) = (panel.columns, panel.rows)
        renderer.resize(columns: columns, rows: rows, cell: size.cell ?? panel.cell)
        screen.shared.withLock { ($0.columns, $0.rows) = (columns, rows) }
    }
}
