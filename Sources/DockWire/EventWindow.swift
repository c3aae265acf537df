/// Distinguishes repetitions of an event from new events; for the host.
///
/// An event is identified by the boot of the dock and its id. The window remembers the last 32 ids of a boot.
public struct EventWindow: Sendable {
    private var ids = InlineArray<32, UInt8>(repeating: 0)
    private var count = 0
    private var next = 0
    private var bootID: UInt16?

    /// An empty window.
    public init() {}

    /// Returns whether the event is new, and remembers it.
    public mutating func isNew(id: UInt8, bootID: UInt16) -> Bool {
        if bootID != self.bootID {
            self.bootID = bootID
            count = 0
            next = 0
        }
        for index in 0..<count where ids[index] == id { return false }
        ids[next] = id
        next = (next + 1) % 32
        count = min(count + 1, 32)
        return true
    }
}
