internal import DockControl
internal import RobotFace
internal import ServiceLifecycle

/// The dock's loop in a service group. It requests the stop at once when the group ends.
struct DockLoopService: Service {
    let dock: DockService

    func run() async throws {
        await withGracefulShutdownHandler {
            await dock.run()
        } onGracefulShutdown: {
            dock.requestStop()
        }
    }
}

/// The face in a service group. It takes the terminal over and restores it at the end.
struct FaceService: Service {
    let screen: FaceScreen

    func run() async throws {
        LineLog.holdForTerminal()
        screen.start()
        // The face's thread does the work. This only waits for the end.
        try? await gracefulShutdown()
        screen.stop()
        LineLog.release()
    }
}

/// The session in a service group.
///
/// It ends only when the group shuts down, because the group would treat a service that ends by itself during a
/// shutdown as a failure. A request to end the session goes to the group, and `DockLoopService` reports the end of the
/// loop.
struct SessionService: Service {
    func run() async throws {
        try? await gracefulShutdown()
    }
}
