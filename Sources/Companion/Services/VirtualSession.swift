package import DockControl
internal import DockTypes
internal import FaceTracker
package import Geometry
package import RobotFace

/// A session without threads, descriptors and clocks: the parts of `CompanionSession`, driven in virtual time.
///
/// It passes events in and effects out in the same order. Parts that do not exist in virtual time (screen, log, disk,
/// camera) are omitted. It has one caller at a time.
package final class VirtualSession {
    /// The queue of commands to the loop.
    package let commands = CommandQueue()
    /// The detections for the loop.
    package let input: any SteeringInput
    /// Whether commands or requests wait for the loop.
    package private(set) var hasRung = false
    /// The answers to typed words since they were last read.
    package private(set) var answers: [String] = []
    /// Receives every command to the loop. Without an asker it is the session's own.
    package var onCommand: (MotionCommand, RequestOrigin?) -> Void = { _, _ in }
    /// Receives the result of a command.
    package var onAnswer: (MotionCommand, RequestOrigin?, MotionAnswer) -> Void = { _, _, _ in }

    private var state: SessionState
    private let pipeline: DetectionPipeline
    private let requests = PipelineRequests()
    private var waiting: [Int: (Answer) -> Void] = [:]
    private var nextCall = 1
    private let now: () -> Seconds

    /// Connects the pipeline, which is created first, to the session.
    private final class Relay: @unchecked Sendable {
        var onFrame: (TrackedFrame) -> Void = { _ in }
        var onEvent: (TrackingEvent) -> Void = { _ in }
    }

    /// Creates a session for a rig. `now` is the story's CLOCK_MONOTONIC, and `realtime` its CLOCK_REALTIME. `watchesNear`:
    /// whether the head is slower while something is near.
    package init(
        profile: RigProfile, seed: UInt64, watchesNear: Bool = false, now: @escaping () -> Seconds,
        realtime: @escaping () -> Seconds
    ) {
        var options = SessionState.Options(
            hasFace: true, display: profile.display, endsWithInput: false, dryRun: false, seed: seed)
        options.rig = RigReading(profile, port: "")
        options.watchesNear = watchesNear
        state = SessionState(options: options)
        state.face.gestures = true
        self.now = now
        let relay = Relay()
        var decoding = DecoderOptions()
        decoding.cameraLatency = profile.camera.latency
        decoding.acceptsCommands = true
        pipeline = DetectionPipeline(
            descriptor: -1, profile: profile, options: decoding, requests: requests,
            listener: .init(onFrame: { relay.onFrame($0) }, onEvent: { relay.onEvent($0) }),
            clocks: .init(monotonic: now, realtime: realtime))
        input = pipeline
        relay.onFrame = { [unowned self] in handle(.tracked($0)) }
        relay.onEvent = { [unowned self] event in
            if case .command(let line) = event { handle(.line(line, nil)) } else { handle(.tracking(event)) }
        }
    }

    // MARK: input

    /// Feeds bytes of the detections. The loop's input is then readable.
    package func detect(_ bytes: [UInt8]) { pipeline.feed(bytes) }

    /// Handles a snapshot of the loop.
    package func receive(_ snapshot: LoopSnapshot) { handle(.snapshot(snapshot)) }

    /// Handles an event of the loop.
    package func receive(_ event: LoopEvent) { handle(.loop(event)) }

    /// Handles a key of the terminal.
    package func press(_ input: InputEvent) { handle(.input(input)) }

    /// Handles command words from standard input.
    package func type(_ line: String) { handle(.line(line, nil)) }

    /// Executes a command of a program (`client`) or, if that is nil, of a person's words. `reply` is called once.
    package func call(_ command: Command, client: Int?, reply: @escaping (Answer) -> Void) {
        let number = nextCall
        nextCall += 1
        waiting[number] = reply
        handle(.call(command, Ticket(asker: client.map { .client($0) } ?? .words, call: number)))
    }

    /// Handles the end of a program's connection.
    package func leave(client: Int) { handle(.clientClosed(client: client)) }

    /// Advances by a quarter of a second.
    package func tick() { handle(.tick) }

    /// Records that the loop has taken the waiting entries.
    package func heard() { hasRung = false }

    // MARK: output

    private func handle(_ event: SessionEvent) {
        for effect in state.handle(event, now: now()) { perform(effect) }
    }

    private func perform(_ effect: SessionEffect) {
        switch effect {
        case .motion(let command, let ticket):
            onCommand(command, ticket?.asker)
            tell(
                commands.put(
                    QueuedCommand(
                        command: command, program: ticket?.program, isPersonal: ticket?.asker.isPerson ?? true,
                        reply: reply(for: ticket, command))))
        case .end(let lost): tell(commands.end(lost))
        case .ask(let request, let ticket):
            let isTaken = requests.put(request, reply: served(ticket, request))
            hasRung = hasRung || isTaken
            if !isTaken {
                let error = DockError(.busy, "16 selections are waiting", hint: "slow down")
                handle(.served(ticket, request, .failure(error)))
            }
        case .measured(let distances): requests.measure(distances)
        case .keep(let change, let ticket):
            // There is no disk, so changes are kept in the state.
            var library = state.motions.library
            let answer: Answer
            do throws(DockError) {
                try change.apply(to: &library)
                answer = .success(Outcome(change.done, ticket.value))
            } catch {
                answer = .failure(error)
            }
            handle(.kept(ticket, library, answer))
        case .reply(let call, let answer): waiting.removeValue(forKey: call)?(answer)
        case .answer(let text):
            answers.append(text)
            if answers.count > 64 { answers.removeFirst() }
        case .quit: break
        case .use, .camera, .face, .lineAnswered, .publish, .publishFrame, .watch, .notice, .cue, .extensionNews, .log,
            .trace:
            break
        }
    }

    private func tell(_ refused: CommandQueue.Refusals) {
        hasRung = true
        for (command, reason) in refused { command.reply?(.failure(reason)) }
    }

    /// Returns the closure that receives the loop's answer. Answers arrive on the loop's thread, which in virtual time
    /// is this one.
    private func reply(for ticket: Ticket?, _ command: MotionCommand) -> @Sendable (MotionAnswer) -> Void {
        let target = Target(session: self)
        return { answer in
            target.session?.onAnswer(command, ticket?.asker, answer)
            if let ticket { target.session?.handle(.answer(ticket, answer)) }
        }
    }

    private func served(_ ticket: Ticket, _ request: PipelineRequest) -> PipelineRequests.Reply {
        let target = Target(session: self)
        return { target.session?.handle(.served(ticket, request, $0)) }
    }

    /// There is only one thread, so nothing is shared.
    private final class Target: @unchecked Sendable {
        weak var session: VirtualSession?
        init(session: VirtualSession) { self.session = session }
    }
}
