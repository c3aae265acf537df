import Companion
import ExampleSupport

/// `custom-tracking`: a program with its own detection. It reads a recorded detection stream as its camera, assigns its
/// own numbers to the people in it, and makes the dock follow them.
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

        // All exit paths lead here, so the last message to the dock is a stop.
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
