internal import ControlProtocol
public import DockTypes
internal import Files
public import Geometry

/// The things that were found in the room, at most 64. The one that was not asked for longest goes first.
public struct RoomMemory: Sendable, Equatable {
    /// The things, newest use first.
    public private(set) var things: [Remembrance] = []
    /// A deliberate bug, for tests.
    var mutant: FinderMutant?

    /// The most things.
    public static let most = 64
    /// What remains of the certainty that a thing is in its place after a look that has not shown it.
    static let afterMiss = 1 - SearchMap.chance
    /// Below this certainty a thing counts as gone.
    static let gone = 0.05

    /// Creates an empty memory.
    public init() {}

    /// Returns what is known of a thing, by its name without regard to case.
    public func thing(named name: String) -> Remembrance? {
        let name = name.lowercased()
        return things.first { $0.name == name }
    }

    /// Keeps where a thing was found, instead of where it was before.
    public mutating func remember(_ thing: Remembrance, now: Seconds) {
        var thing = thing
        (thing.seen, thing.used, thing.certainty) = (now, now, 1)
        things.removeAll { $0.name == thing.name }
        things.insert(thing, at: 0)
        guard things.count > Self.most, mutant != .leaksMemory else { return }
        if let oldest = things.indices.min(by: { things[$0].used < things[$1].used }) { things.remove(at: oldest) }
    }

    /// Records that a person has asked for a thing.
    public mutating func use(_ name: String, now: Seconds) {
        guard let place = things.firstIndex(where: { $0.name == name.lowercased() }) else { return }
        things[place].used = now
    }

    /// Records that a thing was looked for in its place and not seen. After enough looks it is forgotten.
    public mutating func missed(_ name: String) {
        guard let place = things.firstIndex(where: { $0.name == name.lowercased() }) else { return }
        things[place].certainty *= Self.afterMiss
        if things[place].certainty < Self.gone { things.remove(at: place) }
    }

    /// Forgets a thing. Returns whether it was known.
    @discardableResult
    public mutating func forget(_ name: String) -> Bool {
        let count = things.count
        things.removeAll { $0.name == name.lowercased() }
        return things.count < count
    }

    /// Forgets all things.
    public mutating func forgetAll() { things = [] }
}

extension RoomMemory {
    /// Reads the memory of a file. Without the file it is empty.
    /// - Throws: `configuration` if the file was damaged; `permission` or `cannotOpen` if it cannot be read.
    public static func read(_ path: String) throws(DockError) -> RoomMemory {
        guard let text = try StoredFile.read(path) else { return RoomMemory() }
        guard let json = JSONValue(json: text.utf8), json["version"]?.integer == 1, let list = json["things"]?.array
        else { throw StoredFile.damaged("\(path) is not a memory of things") }
        var memory = RoomMemory()
        memory.things = Array(list.prefix(most).compactMap(Remembrance.init(json:)))
        return memory
    }

    /// Writes the memory to a file that only its owner can read.
    /// - Throws: the errors of `StoredFile.write`.
    public func write(to path: String) throws(DockError) {
        let json = JSONValue.object(["version": .number(1), "things": .array(things.map(\.json))])
        try StoredFile.write(String(decoding: json.bytes, as: UTF8.self) + "\n", to: path, mode: 0o600)
    }
}
