import Companion
import ExampleSupport

/// `dock-control`: what a camera app does with a DockKit accessory, as lines: one for each word it obeys, and one for
/// each event of the dock.
@main
enum Tool {
    static let usage = """
        dock-control [--port PATH] [--faces FILE] [--script FILE|-] [--seconds N]
        Without --port it takes DOCKFACE_PORT. --faces gives system tracking a recorded detection stream.
        """

    static func main() async {
        let options = Options(known: ["port", "faces", "script", "seconds"], usage: usage)
        let feed = options.text("faces").map { FaceFeed(path: $0) }
        let manager: DockAccessoryManager
        if let port = options.text("port") {
            var configuration = SessionConfiguration(profile: .dlpDock, port: port)
            if let feed { configuration.detections = feed.detections }
            manager = DockAccessoryManager(configuration)
        } else {
            guard feed == nil else { options.refuse("--faces without --port") }
            manager = .shared
        }

        let service = DockControlService(manager: manager, camera: PrintedCamera())
        let words = Words(service: service, lines: lines(of: options.text("script") ?? "-"))
        await runUntilFirstEnds(
            seconds: options.number("seconds"), { await service.run() }, { await words.obey() })

        // Every way out comes along here: the stop is the last that the dock hears.
        let summary = await manager.close()
        feed?.stop()
        say("bye stopped=\(summary?.loop.stoppedLast ?? false)")
    }
}
