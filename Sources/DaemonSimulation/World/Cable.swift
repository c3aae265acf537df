internal import DockSimulator
internal import Geometry

/// The cable between the host and a dock, and the port at the host's end.
struct Cable {
    /// A pending unplug: after how many bytes, and when which repair ends it.
    typealias Cut = (bytes: Int, then: World.Repair, after: Seconds)

    /// The dock at the end of the cable; nil if there is none.
    var plugged: Int? = 0
    /// Number of bytes that the cable accepts per write; nil if all.
    var width: Int?
    /// Until when another program has the port.
    var busyUntil: Seconds = 0
    /// The port that the loop has opened last.
    var link: VirtualLink?
    /// The cable is unplugged after this number of bytes.
    var cut: Cut?

    /// Whether the loop has an open port, and it has not hung up.
    var isConnected: Bool { link.map { $0.isOpen && !$0.isHungUp } ?? false }
    /// Whether bytes wait at the open port.
    var isReadable: Bool { link.map { $0.isOpen && !$0.inbox.isEmpty } ?? false }
    /// Whether the open port has hung up.
    var isHungUp: Bool { link.map { $0.isOpen && $0.isHungUp } ?? false }

    /// The number of bytes that it accepts of a write.
    func accepts(_ count: Int) -> Int { min(count, cut?.bytes ?? count, width ?? count) }

    /// It has accepted bytes. Returns the unplug that they cause.
    mutating func accepted(_ count: Int) -> Cut? {
        guard let cut else { return nil }
        self.cut?.bytes -= count
        guard count == cut.bytes else { return nil }
        self.cut = nil
        return cut
    }
}
