internal import ControlProtocol

/// The connections of the server, and the order in which they are served.
struct ControlRoster {
    private var byNumber: [Int: ControlConnection] = [:]
    private var lastNumber = 0
    /// The client whose line was executed last, and the client that was read last. The next turn begins after them.
    private var lastServed = 0, lastRead = 0

    /// A connection by its number, or nil if it is gone.
    subscript(number: Int) -> ControlConnection? { byNumber[number] }

    /// The number of connections, including closed ones.
    var count: Int { byNumber.count }
    /// All connections.
    var all: some Collection<ControlConnection> { byNumber.values }
    /// The numbers of all connections, oldest first.
    var numbers: [Int] { byNumber.keys.sorted() }

    /// The connections that are still open, oldest first.
    var open: [ControlConnection] { sorted { $0.closedWork == nil } }
    /// The connections that have closed while their requests are still being executed, oldest first.
    var closed: [ControlConnection] { sorted { $0.closedWork != nil } }
    /// The open connections without an ordinary slot, oldest first.
    var provisional: [ControlConnection] { sorted { $0.closedWork == nil && $0.slot.isProvisional } }

    /// What all of them together have subscribed to.
    var interest: TopicInterest { byNumber.values.reduce(into: []) { $0.formUnion($1.outbox.interest) } }

    /// The open connections in the order in which they are served or read.
    var toServe: [ControlConnection] { Self.rotated(open, behind: lastServed) }
    var toRead: [ControlConnection] { Self.rotated(open, behind: lastRead) }

    /// Returns a number that no connection has had.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Adds a connection.
    mutating func add(_ client: ControlConnection) { byNumber[client.number] = client }

    /// Removes a connection.
    mutating func remove(_ number: Int) -> ControlConnection? { byNumber.removeValue(forKey: number) }

    /// Records that a connection was served or read. The next turn begins after it.
    mutating func recordServed(_ client: ControlConnection) { lastServed = client.number }
    mutating func recordRead(_ client: ControlConnection) { lastRead = client.number }

    private func sorted(_ isIncluded: (ControlConnection) -> Bool) -> [ControlConnection] {
        byNumber.values.filter(isIncluded).sorted { $0.number < $1.number }
    }

    /// Returns the same clients in an order that begins after this one.
    private static func rotated(_ clients: [ControlConnection], behind number: Int) -> [ControlConnection] {
        let next = clients.firstIndex { $0.number > number } ?? 0
        return Array(clients[next...] + clients[..<next])
    }
}
