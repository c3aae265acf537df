import Companion
import ExampleSupport

/// `custom-tracking`: a program that sees for itself. It reads a recorded detection stream as if it were its camera, gives
/// its own numbers to who is in it, and lets the dock follow them.
@main
enum Tool {
    static func main() async {
        let options = Options(
            known: ["port", "faces", "seconds"], usage: "custom-tracking --port PATH --faces FILE [--seconds N]")
        guard let port = options.text("port"), let faces = options.text("faces") else {
            options.refuse("--port, --faces")
        }
        let recording: Recording
        do { recording = try Recording(path: faces) } catch { fail("\(error)", status: 66) }

        let manager = DockAccessoryManager(SessionConfiguration(profile: .dlpDock, port: port))
        let tracker = CustomTracker(manager: manager, recording: recording)
        await runUntilFirstEnds(seconds: options.number("seconds")) { await tracker.run() }

        // Every way out comes along here: the stop is the last that the dock hears.
        let stopped = await manager.close()?.loop.stoppedLast ?? false
        let pose = await tracker.pose
        say(
            """
            {"frames":\(await tracker.frames),"refused":\(await tracker.refused),\
            "rate":\((await tracker.rate * 10).rounded() / 10),"subjects":\(await tracker.subjects),\
            "yaw":\(pose.y),"pitch":\(pose.x),"stoppedLast":\(stopped)}
            """)
    }
}
