internal import ControlProtocol
internal import DockTypes

/// What all connections say about their activities. An indicator ends with its connection.
struct IndicatorBoard: Sendable, Equatable {
    private var entries: [IndicatorReading] = []
    /// The process of each connection with indicators, if it is known.
    private var processes: [Int: Int32] = [:]

    /// The maximum number of indicators of one connection, of all connections of one process, and of all.
    static let perClient = 16, perProcess = 32, most = 256
    /// The number of places that only recordings and broadcasts get.
    static let reserved = 32

    /// Sets an indicator of a connection; `off` removes it.
    /// - Parameter process: the process at the other end of the connection, or nil if it is not known.
    /// - Returns: whether anything changes.
    /// - Throws: `limitReached` if there are too many.
    mutating func set(
        _ name: String, _ state: IndicatorState, text: String, client: Int, process: Int32? = nil
    ) throws(DockError) -> Bool {
        let before = entries
        let place = entries.firstIndex { $0.client == client && $0.name == name }
        if state == .off {
            if let place { entries.remove(at: place) }
        } else if let place {
            (entries[place].state, entries[place].text) = (state, text)
        } else {
            var new = IndicatorReading()
            (new.name, new.client, new.state, new.text) = (name, client, state, text)
            let most = new.isPublic ? Self.most : Self.most - Self.reserved
            // Otherwise one program with many connections could take the places of all others.
            let own = process.map { process in entries.count(where: { processes[$0.client] == process }) } ?? 0
            guard entries.count(where: { $0.client == client }) < Self.perClient, own < Self.perProcess,
                entries.count < most
            else {
                throw DockError(
                    .limitReached,
                    "a connection has at most \(Self.perClient) indicators, a process \(Self.perProcess), and all "
                        + "together \(Self.most)",
                    hint: "switch one off first")
            }
            entries.append(new)
            processes[client] = process
        }
        choose()
        return entries != before
    }

    /// Removes the indicators of a connection that has ended. Returns whether it had any.
    mutating func remove(client: Int) -> Bool {
        let before = entries.count
        entries.removeAll { $0.client == client }
        processes[client] = nil
        choose()
        return entries.count != before
    }

    /// Marks the gravest of each name as shown; of equals, the first.
    private mutating func choose() {
        var shown: [String: Int] = [:]
        for (index, entry) in entries.enumerated() {
            entries[index].isShown = false
            if let best = shown[entry.name], entries[best].gravity >= entry.gravity { continue }
            shown[entry.name] = index
        }
        for index in shown.values { entries[index].isShown = true }
    }

    /// All indicators.
    var all: [IndicatorReading] { entries }

    /// Those that are shown: first a recording, then a broadcast, then the others by name.
    var shown: [IndicatorReading] {
        guard !entries.isEmpty else { return [] }
        func rank(_ name: String) -> Int { name == "record" ? 0 : name == "live" ? 1 : 2 }
        return entries.filter(\.isShown).sorted { (rank($0.name), $0.name) < (rank($1.name), $1.name) }
    }

}
