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

/// What happens at the dock, handed to the session, and the session's wish to end.
struct SessionService: Service {
    let session: CompanionSession
    let loop: DockLoop
    let ends: AsyncStream<Void>

    func run() async throws {
        await withTaskGroup(of: Bool.self) { tasks in
            tasks.addTask {
                for await event in loop.events { session.send(.loop(event)) }
                return true
            }
            tasks.addTask {
                for await _ in ends.cancelOnGracefulShutdown() { return true }
                return true
            }
            // Either end is the end: the wish to end, or the loop's.
            _ = await tasks.next()
            tasks.cancelAll()
        }
    }
}
