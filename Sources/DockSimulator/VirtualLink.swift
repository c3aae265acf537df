package import DockControl

/// The host's end of the cable: a port of the operating system in virtual time.
package final class VirtualLink: ByteLink {
    /// Nothing to poll.
    package let descriptor: Int32 = -1
    /// For people.
    package let name = "virtual"
    /// Hardware hangs on it.
    package let isHardware: Bool
    /// Nothing waits on the way out: the line is faster than we are.
    package let queued = 0
    /// Gets what the host writes, and says how much of it the cable still took.
    package var onWrite: ([UInt8]) -> Int = { $0.count }
    /// Bytes of the dock that the host has not read yet, as many as the kernel keeps.
    package private(set) var inbox: [UInt8] = []
    /// The cable is pulled.
    package private(set) var isHungUp = false
    /// Nobody has closed it.
    package private(set) var isOpen = true

    private static let capacity = 4096

    /// An open port; on hardware the loop asks for its queue.
    package init(isHardware: Bool) { self.isHardware = isHardware }

    /// The dock has sent something.
    package func deliver(_ bytes: [UInt8]) {
        guard isOpen, !isHungUp else { return }
        inbox.append(contentsOf: bytes.prefix(max(0, Self.capacity - inbox.count)))
    }

    /// Somebody pulls the cable; what was received can still be read.
    package func hangUp() { isHungUp = true }

    /// What the dock has sent.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead {
        guard isOpen else { return .hangUp }
        guard !inbox.isEmpty else { return isHungUp ? .hangUp : .nothing }
        let count = min(buffer.count, inbox.count)
        buffer.copyBytes(from: inbox.prefix(count))
        inbox.removeFirst(count)
        return .bytes(count)
    }

    /// Writes what the cable takes.
    package func write(_ bytes: [UInt8]) -> Bool {
        guard isOpen, !isHungUp else { return false }
        return onWrite(bytes) == bytes.count
    }

    /// The same.
    package func writeLast(_ bytes: [UInt8], within: Double) -> Bool { write(bytes) }

    /// Closes the port.
    package func close() { isOpen = false }
}
