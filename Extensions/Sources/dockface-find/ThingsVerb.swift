import ArgumentParser
import ControlProtocol
import DockTypes
import ExtensionKit
import Geometry
import ThingFinder

struct ThingsVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "things", abstract: "List what was found, where, and when.")

    @Flag(help: "Print JSON Lines.")
    var json = false

    func run() async throws {
        let memory = try await FindPlace.reporting { () throws(DockError) -> RoomMemory in try FindPlace.memory() }
        guard !memory.things.isEmpty || json else {
            FindPlace.log.note("nothing is remembered; `dockface find cup` looks for a cup")
            return
        }
        let now = SystemTime.unix
        for thing in memory.things {
            let picture = (try? ThingPictures.existing(thing.name)) ?? nil
            guard json else {
                TextOutput.put(FindWords.line(thing, now: now) + (picture.map { ", picture: \($0)" } ?? "") + "\n")
                continue
            }
            var members = thing.json.object ?? [:]
            members["picture"] = .string(orNull: picture)
            TextOutput.put(String(decoding: JSONValue.object(members).bytes, as: UTF8.self) + "\n")
        }
    }
}

struct ForgetVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget where a thing was, or all things.")

    @Argument(help: "The name of the thing.")
    var name: String?

    @Flag(help: "Forget all things.")
    var all = false

    func validate() throws {
        guard (name == nil) == all else { throw ValidationError("name a thing, or pass --all") }
    }

    func run() async throws {
        try await FindPlace.reporting { () throws(DockError) in
            var isKnown = true
            try FindPlace.change { memory in
                if let name { isKnown = memory.forget(name) } else { memory.forgetAll() }
            }
            guard isKnown else {
                throw DockError(
                    .cannotOpen, "no place is stored for \"\(name ?? "")\"", hint: "see `dockface find things`")
            }
        }
    }
}
