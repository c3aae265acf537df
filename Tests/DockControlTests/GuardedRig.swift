import DaemonSimulation
import DockControl
import DockSimulator
import DockTypes
import DockWire
import Geometry

extension GuardedLoopTests {
    enum Act: Equatable { case watch, beat(Bool), release, close, motion, stop, other }

    /// All events, in order.
    final class Story {
        var acts: [Act] = []
        /// Without what the protocol itself needs.
        var main: [Act] { acts.filter { $0 != .other } }
    }

    final class Link: ByteLink {
        let descriptor: Int32 = -1, name = "virtual", isHardware = false, queued = 0
        var dock = SimulatedDock(configuration: .init(), time: 100)
        var now: Seconds = 100
        private let story: Story
        private var decoder = FrameDecoder()
        private var pending: [UInt8] = []

        init(_ story: Story) { self.story = story }

        var hasBytes: Bool {
            dock.advance(to: now)
            pending += dock.drainOutput()
            return !pending.isEmpty
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead {
            guard hasBytes else { return .nothing }
            let count = min(pending.count, buffer.count)
            buffer.copyBytes(from: pending[..<count])
            pending.removeFirst(count)
            return .bytes(count)
        }

        func write(_ bytes: [UInt8]) -> Bool {
            for byte in bytes {
                guard let frame = try? decoder.push(byte), let message = try? HostMessage(frame) else { continue }
                if case .setpoint(let setpoint) = message {
                    story.acts.append(setpoint.mode == .idle ? .stop : .motion)
                } else {
                    story.acts.append(.other)
                }
            }
            dock.receive(bytes, at: now)
            return true
        }

        func writeLast(_ bytes: [UInt8], within: Double) -> Bool { write(bytes) }
        func close() { story.acts.append(.close) }
    }

    final class Note: MotionGuard {
        let descriptor: Int32 = -1
        var isAlive = true, canRenew = true, standsAtOnce = true, isAwaited = false, renewals = 0
        var did: [GuardIntervention] = []
        var stop: [UInt8] = []
        private let story: Story

        init(_ story: Story) { self.story = story }

        func watch(_ link: any ByteLink, stop: [UInt8]) {
            self.stop = stop
            story.acts.append(.watch)
        }
        func beat(moving: Bool, now: Seconds) { story.acts.append(.beat(moving)) }
        func release() { story.acts.append(.release) }
        func takeIntervention() -> GuardIntervention? { did.isEmpty ? nil : did.removeFirst() }
        func renew() -> Bool {
            guard canRenew else { return false }
            renewals += 1
            isAlive = standsAtOnce
            isAwaited = !standsAtOnce
            return true
        }
    }

    /// The core with a dock and a guard, and its time.
    final class Rig {
        let story = Story()
        let link: Link
        let guardian: Note?
        let core: LoopCore
        private(set) var now: Seconds = 100
        private var deadline: Seconds = 100
        private let inbox = Inbox()

        /// Used from one thread only.
        final class Inbox: @unchecked Sendable {
            var commands: [QueuedCommand] = []
            var answers: [MotionAnswer] = []
            var snapshot = LoopSnapshot()
            var notes: [String] = []
        }

        init(hasGuard: Bool = true, bold: Bool = false, isMute: Bool = false) {
            link = Link(story)
            link.dock.faults.isMute = isMute
            guardian = hasGuard ? Note(story) : nil
            let driver: any DockDriver = bold ? DriverWithoutDeadman(profile: .dlpDock) : DlpDriver(profile: .dlpDock)
            core = LoopCore(
                link: link, options: LoopOptions(profile: .dlpDock, mode: .manual), driver: driver, input: nil,
                outlet: LoopOutlet(
                    takeCommands: { [inbox] in
                        defer { inbox.commands = [] }
                        return CommandBatch(commands: inbox.commands)
                    }, onSnapshot: { [inbox] in inbox.snapshot = $0 },
                    onEvent: { [inbox] in if case .note(let text) = $0 { inbox.notes.append(text) } }),
                guardian: guardian,
                reopen: { () throws(DockError) in throw DockError(.notConnected, "no port", hint: "none") },
                clock: { [link] in link.now })
            core.begin(now: now, asleep: 0)
            run(for: 0.6)
        }

        var snapshot: LoopSnapshot { inbox.snapshot }
        var notes: [String] { inbox.notes }

        func run(for seconds: Seconds, news: Bool = false) {
            let end = now + seconds
            var news = news
            deadline = core.wait(from: now)
            while now < end {
                now += 0.001
                link.now = now
                var wake = LoopCore.Wake()
                wake.portIsReadable = link.hasBytes
                wake.wasRung = !inbox.commands.isEmpty
                wake.isDue = now >= deadline
                wake.guardHasNews = news
                guard wake.portIsReadable || wake.wasRung || wake.isDue || news else { continue }
                news = false
                core.turn(wake, now: now)
                deadline = core.wait(from: now)
            }
        }

        func ask(_ command: MotionCommand) -> MotionAnswer? {
            let inbox = inbox
            inbox.answers = []
            inbox.commands.append(
                .init(
                    command: command,
                    reply: { answer in
                        inbox.answers.append(answer)
                    }))
            run(for: 0.002)
            return inbox.answers.first
        }

        func turn(_ seconds: Seconds = 1) -> MotionAnswer? {
            ask(.velocity(.degrees(pan: 20, tilt: 0), duration: seconds))
        }
    }
}
