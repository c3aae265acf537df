internal import DockControl
internal import Glibc
internal import Logging
internal import Processes
internal import RobotFace
internal import ServiceLifecycle
internal import UnixSignals

/// The services of a session, and the order in which they end.
extension CompanionSession {
    /// Runs the services. They start in this order and end in reverse: the dock first.
    func serve(hangUps: UnixSignalsSequence?) async throws {
        var parts: [any Service] = [SessionService()]
        if let face = terminal.face.withLock({ $0 }) { parts.append(FaceService(screen: face)) }
        parts.append(
            DockLoopService(dock: DockService(loop: loop)))
        var group = ServiceGroupConfiguration(
            services: parts.map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            },
            logger: Self.silent)
        group.maximumGracefulShutdownDuration = .seconds(3)
        defer {
            // Whatever happens to the group, the stop must be written and the terminal restored.
            loop.requestStop()
            loop.join()
            keeper.finish()
            audience.calls.endAll()
            audience.hub.end()
            terminal.face.withLock { $0 }?.stop()
            if configuration.host.ownsProcess {
                LineLog.release()
                LineOutput.answers.finish(within: 0.2)
                LineOutput.log.finish(within: 0.2)
            }
        }
        let services = ServiceGroup(configuration: group)
        async let _: Void = {
            for await _ in ending.requests { await services.triggerGracefulShutdown() }
        }()
        async let _: Void = { if let hangUps { for await _ in hangUps { reload() } } }()
        try await services.run()
    }

    /// A logger that discards everything, because the group's own log is about services, which mean nothing to users.
    private static var silent: Logger { Logger(label: "services") { _ in SwiftLogNoOpLogHandler() } }
}
