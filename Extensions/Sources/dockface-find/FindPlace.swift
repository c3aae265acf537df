import ArgumentParser
import DockTypes
import ExtensionKit
import Files
import ThingFinder

/// Where the memory of the room is, and how verbs end.
enum FindPlace {
    static let log = ExtensionLog(DockfaceFind.identity.name)

    /// The folder of everything that is kept, whether it exists or not.
    /// - Throws: `cannotOpen` if there is none.
    static func folder() throws(DockError) -> String {
        guard let folder = UserFolder.state else {
            throw DockError(
                .cannotOpen, "there is no folder for the memory of the room",
                hint: "set XDG_STATE_HOME, or HOME to a folder that exists")
        }
        return folder + "/find"
    }

    /// The folder of everything that is kept, or one in it, which is made if it is missing.
    /// - Throws: `permission` if others can change its contents: they could put a link in place of a file.
    static func madeFolder(_ name: String = "") throws(DockError) -> String {
        let folder = try folder() + name
        return try TrustedFolder.open(
            folder, makes: .all, hint: "set XDG_STATE_HOME to a folder of your own"
        ).path
    }

    /// The path of the memory.
    /// - Throws: `cannotOpen` if there is no folder for it.
    static func path() throws(DockError) -> String { try folder() + "/things.json" }

    /// The memory of the room.
    static func memory() throws(DockError) -> RoomMemory { try RoomMemory.read(path()) }

    /// Changes the memory of the room.
    static func change(_ body: (inout RoomMemory) -> Void) throws(DockError) {
        let path = try path()
        var memory = try RoomMemory.read(path)
        let before = memory
        body(&memory)
        guard memory != before else { return }
        // A thing that is forgotten has no picture, even if the file of the memory cannot be written.
        try ThingPictures.deleteAll(but: memory.things)
        try memory.write(to: path)
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
