import Companion
import ExampleSupport

/// `dock-control`: what a camera app does with a DockKit accessory, as text: one line for each command, and one for
/// each event of the dock.
@main
enum Tool {
    static let usage = """
        dock-control [--port PATH] [--faces FILE] [--script FILE|-] [--seconds N]
        Without --port, rig, camera and detectors are those of dockface run (DOCKFACE_PORT, ... or the settings file).
        --faces feeds a recorded detection stream to system tracking.
        """

    static func main() async {
        let options = Options(known: ["port", "faces", "script", "seconds"], usage: usage)
        let feed = options.text("faces").map { FaceFeed(path: $0) }
        let manager: DockAccessoryManager
        if let port = options.text("port") {
            var configuration = SessionConfiguration(profile: .dlpDock, port: port)
            if let feed {
                configuration.detections = feed.detections
                // The recording does not turn with the dock.
                configuration.dock.cameraIsElsewhere = true
            }
            manager = DockAccessoryManager(configuration)
        } else {
            guard feed == nil else { options.refuse("--faces without --port") }
            manager = .shared
        }

        let service = DockControlService(manager: manager, camera: PrintedCamera())
        let words = Words(service: service, lines: lines(of: options.text("script") ?? "-"))
        await runUntilFirstEnds(
            seconds: options.number("seconds"), { await service.run() }, { await words.obey() })

        // All exit paths lead here, so the last message to the dock is a stop. A daemon goes on after it has ended what
        // this program moved, and there is no summary.
        let isClient = manager.daemon != nil
        let summary = await manager.close()
        feed?.stop()
        say("bye stopped=\(summary?.loop.stoppedLast ?? isClient)")
    }
}
