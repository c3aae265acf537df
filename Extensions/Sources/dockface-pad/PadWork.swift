internal import ControlProtocol
internal import DockClient
internal import DockTypes
internal import EventDevice
internal import ExtensionKit
internal import Gamepad
internal import Geometry

/// The work of the program: the pad's thread, and what it must know of the daemon.
struct PadWork: Sendable {
    let settings: PadSettings
    let isDry: Bool
    /// Creates the place where pads are plugged in, on the pad's thread.
    let port: @Sendable () -> PadPort

    /// Runs until the task is cancelled.
    func run(_ session: ExtensionSession) async throws {
        guard let bell = Bell() else { throw Self.poor }
        let inbox = PadInbox(bell), desk = PadDesk(inbox, log: session.log, isDry: isDry)
        let (ends, end) = AsyncStream<Void>.makeStream()
        let isRunning = WorkerThread.start {
            var loop = loop(inbox, desk, session)
            loop.run()
            end.finish()
        }
        guard isRunning else { throw Self.poor }
        do {
            if isDry { try await pretend(inbox) } else { try await follow(try await session.connect(), inbox, desk) }
        } catch {
            await finish(inbox, desk, ends)
            throw error
        }
        await finish(inbox, desk, ends)
    }

    /// Ends the thread, which stops the head, and waits for the stop. Cancellation does not shorten this: the calls are
    /// tasks of their own.
    private func finish(_ inbox: PadInbox, _ desk: PadDesk, _ ends: AsyncStream<Void>) async {
        inbox.put { $0.isOver = true }
        await Task { for await _ in ends {} }.value
        await desk.settle()
    }

    private func loop(_ inbox: PadInbox, _ desk: PadDesk, _ session: ExtensionSession) -> PadLoop {
        PadLoop(port(), PadDriver(settings), inbox, desk) { report in
            switch report {
            case .working: session.beat()
            case .waiting: session.report(.trying, "no gamepad")
            case .arrived(let name):
                session.report(.ready, name)
                session.log.note(
                    "\(name): hold \(settings.deadMan.rawValue) to drive" + (isDry ? " (dry run)" : ""))
            case .gone(let why):
                session.report(.trying, "no gamepad")
                session.log.warning("the gamepad is gone: \(why); waiting for one")
            case .unusable(let why): session.log.warning(why)
            }
        }
    }

    /// Without a daemon: one that admits everything.
    private func pretend(_ inbox: PadInbox) async throws {
        inbox.put { $0.daemon = DaemonView() }
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    private func follow(_ dock: Dock, _ inbox: PadInbox, _ desk: PadDesk) async throws {
        desk.connect(dock)
        let accessory = try dock.updates(.accessory), motion = try dock.updates(.motion)
        await withTaskGroup { group in
            group.addTask {
                for await change in dock.connections {
                    if case .connected = change {} else { inbox.lost() }
                }
            }
            group.addTask {
                for await update in accessory where dock.isConnected {
                    let view = DaemonView(update.value)
                    inbox.put { $0.daemon = view }
                }
            }
            group.addTask {
                var endings = MotionEndings()
                for await update in motion {
                    let outcomes = endings.foreign(in: update.value.endings.map { ($0.id, $0.outcome) })
                    if !outcomes.isEmpty { inbox.put { $0.outcomes.formUnion(outcomes) } }
                }
            }
        }
        try Task.checkCancellation()
    }

    private static let poor = DockError(
        .cannotOpen, "the system has no thread or no file descriptor left", hint: "raise `ulimit -n` and `ulimit -u`")
}

extension Dock {
    fileprivate var isConnected: Bool { if case .connected = connection { true } else { false } }
}

extension DaemonView {
    /// What the driver must know of the daemon.
    init(_ accessory: AccessoryReading) {
        func speed(_ limit: LimitReading?) -> Double {
            guard let speed = limit?.speed, speed.isFinite, speed > 0 else { return PadSettings.usualSpeed }
            return speed
        }
        self.init(
            isManual: accessory.mode == .manual, stop: accessory.stoppedBy.map { $0 == "person" },
            isFaulted: accessory.dock == "faulted", hasKeys: accessory.control == "keys",
            speed: PanTilt(pan: speed(accessory.limits?.pan), tilt: speed(accessory.limits?.tilt)))
    }
}
