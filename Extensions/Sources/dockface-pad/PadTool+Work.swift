internal import DockTypes
internal import EventDevice
internal import ExtensionKit
internal import Gamepad

extension PadTool {
    /// Does what the options say. Returns the exit status.
    func work() async throws(DockError) -> Int32 {
        var configuration = try PadConfiguration.read()
        if let device { configuration.device = device }
        if let speed { configuration.settings.speed = speed / 100 }
        let (database, path) = try PadDatabaseFile.read(configuration.database)
        if list {
            PadList.lines(DeviceFolder(), database, path: path).forEach { TextOutput.put($0 + "\n") }
            return 0
        }
        if map {
            var view = PadMapView(configuration.settings)
            try view.run(PadPort(DeviceFolder(), database, wanted: configuration.device))
            return 0
        }
        let wanted = configuration.device
        let work = PadWork(settings: configuration.settings, isDry: dryRun) {
            PadPort(DeviceFolder(), database, wanted: wanted)
        }
        let host = ExtensionHost(Self.identity, options)
        return await host.run { try await work.run($0) }.exitStatus
    }
}
