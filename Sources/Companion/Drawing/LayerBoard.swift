internal import ControlProtocol
internal import DockTypes
internal import Geometry

/// The layers of all connections. Each lives for at most two seconds unless its program sets it again, and ends with
/// the connection.
struct LayerBoard: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        var layer: Layer
        /// Its length as JSON, in bytes.
        var bytes: Int
        var until: Seconds
    }

    private var entries: [Entry] = []
    /// Counts the changes.
    private(set) var version = 0

    /// The maximum number of layers of one connection, and of items and points of all connections. A point has 32
    /// bytes, so that all layers together need at most 2 MB.
    static let perClient = 8, mostItems = 4096, mostPoints = 16_384
    /// The maximum length of all layers as JSON, so that a subscriber's connection can take them at once.
    static let mostBytes = 180 << 10

    /// All layers, in the order in which they first appeared.
    var layers: [Layer] { entries.map(\.layer) }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether a layer is drawn in the room, so that it moves in the picture when the head turns.
    var hasWorld: Bool { entries.contains { $0.layer.space == .world } }

    /// Adds a layer, or replaces the one of the same connection and name. Without items, removes it.
    /// - Parameter bytes: its length as JSON. It is not measured here, under the session's lock.
    /// - Returns: whether the picture changes.
    /// - Throws: `limitReached` if there are too many layers, items or points.
    mutating func set(_ layer: Layer, bytes: Int, until: Seconds) throws(DockError) -> Bool {
        let place = entries.firstIndex { $0.layer.client == layer.client && $0.layer.name == layer.name }
        guard !layer.items.isEmpty else {
            guard let place else { return false }
            entries.remove(at: place)
            version += 1
            return true
        }
        if place == nil, entries.count(where: { $0.layer.client == layer.client }) >= Self.perClient {
            throw DockError(
                .limitReached, "a connection has at most \(Self.perClient) layers",
                hint: "put more items into one layer, or remove a layer: set it without items")
        }
        if let place, entries[place].layer == layer {
            entries[place].until = until
            return false
        }
        let new = Entry(layer: layer, bytes: bytes, until: until)
        let all = entries.indices.filter { $0 != place }.map { entries[$0] } + [new]
        guard all.reduce(0, { $0 + $1.layer.items.count }) <= Self.mostItems,
            all.reduce(0, { $0 + $1.layer.points }) <= Self.mostPoints,
            all.reduce(0, { $0 + $1.bytes }) <= Self.mostBytes
        else {
            throw DockError(
                .limitReached,
                "all layers together have at most \(Self.mostItems) items, \(Self.mostPoints) points and 180 KiB",
                hint: "draw fewer")
        }
        if let place { entries[place] = new } else { entries.append(new) }
        version += 1
        return true
    }

    /// Removes the layers of a connection that has ended. Returns whether it had any.
    mutating func remove(client: Int) -> Bool { removeAll { $0.layer.client == client } }

    /// Removes the layers whose time is over. Returns whether there were any.
    mutating func expire(now: Seconds) -> Bool { removeAll { now >= $0.until } }

    private mutating func removeAll(_ isOver: (Entry) -> Bool) -> Bool {
        let before = entries.count
        entries.removeAll(where: isOver)
        guard entries.count != before else { return false }
        version += 1
        return true
    }

}

extension Layer {
    /// The number of its points.
    fileprivate var points: Int { items.reduce(0) { $0 + max(1, $1.points.count) } }
}
