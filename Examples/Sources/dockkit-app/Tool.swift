import CompanionDockKit
import ExampleSupport

/// `dockkit-app`: a camera app for DockKit, as a program without a camera and without windows. Commands are lines on
/// standard input. The rig is that of `dockface run`: DOCKFACE_PORT, or the settings file, or the adopted rig; beside a
/// daemon it is the daemon's.
@main
enum Tool {
    static func main() async {
        let service = DockKitService { say($0) }
        let commands = Commands(service: service, lines: lines(of: "-"))
        await runUntilFirstEnds({ await service.run() }, { await commands.obey() })

        // All exit paths lead here, so the dock stops, or what this app moves beside a daemon. Only this is not in an app for a phone.
        let wasStopped = await DockAccessoryManager.shared.close()
        if let failure = DockAccessoryManager.shared.companion.failure { say("error \(failure)") }
        say("bye stopped=\(wasStopped)")
    }
}
