import ArgumentParser
import DockTypes
import ExtensionKit
import Files
import ThingFinder

/// Where the memory of the room is, and how verbs end.
enum FindPlace {
    static let log = ExtensionLog(DockfaceFind.identity.name)

    /// The path of the memory.
    /// - Throws: `cannotOpen` if there is no folder for it.
    static func path() throws(DockError) -> String {
        guard let folder = UserFolder.state else {
            throw DockError(
                .cannotOpen, "there is no folder for the memory of the room",
                hint: "set XDG_STATE_HOME, or HOME to a folder that exists")
        }
        return folder + "/find/things.json"
    }

    /// The memory of the room.
    static func memory() throws(DockError) -> RoomMemory { try RoomMemory.read(path()) }

    /// Changes the memory of the room.
    static func change(_ body: (inout RoomMemory) -> Void) throws(DockError) {
        let path = try path()
        var memory = try RoomMemory.read(path)
        let before = memory
        body(&memory)
        if memory != before { try memory.write(to: path) }
    }

    /// Runs a verb. An error is written to standard error, and becomes the exit status of its kind.
    static func reporting<Result>(_ body: () async throws(DockError) -> Result) async throws -> Result {
        do throws(DockError) {
            return try await body()
        } catch {
            guard error.code != .invalidParameter else { throw ValidationError("\(error.message); \(error.hint)") }
            throw ExitCode(log.failure(error))
        }
    }
}
