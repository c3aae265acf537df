internal import DockControl
internal import RobotFace
internal import ServiceLifecycle

/// The dock's loop in a group: asks for the stop at once when the group ends.
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

/// The face in a group: takes the terminal, and gives it back at the end.
struct FaceService: Service {
    let screen: FaceScreen

    func run() async throws {
        LineLog.holdForTerminal()
        screen.start()
        // Its thread does the work; here is only the end of it.
        try? await gracefulShutdown()
        screen.stop()
        LineLog.release()
    }
}

/// The session in a group.
///
/// It ends only when it is told to: a service that ends by itself while the group shuts others down would be taken for a
/// failure. The session's wish to end goes to the group, and the loop's own end is `DockLoopService`'s.
struct SessionService: Service {
    func run() async throws {
        try? await gracefulShutdown()
    }
}
