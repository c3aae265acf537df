package import DockControl

/// The host's end of the cable: a port of the operating system in virtual time.
package final class VirtualLink: ByteLink {
    /// There is nothing to poll.
    package let descriptor: Int32 = -1
    /// Name for people.
    package let name = "virtual"
    /// Whether the port counts as hardware.
    package let isHardware: Bool
    /// No output waits, because the line is faster than the host.
    package let queued = 0
    /// Receives what the host writes, and returns the number of bytes that the cable accepted.
    package var onWrite: ([UInt8]) -> Int = { $0.count }
    /// Bytes from the dock that the host has not read yet, limited like the kernel's buffer.
    package private(set) var inbox: [UInt8] = []
    /// Whether the cable is unplugged.
    package private(set) var isHungUp = false
    /// Whether the port is still open.
    package private(set) var isOpen = true

    private static let capacity = 4096

    /// An open port. On hardware the loop checks its queue.
    package init(isHardware: Bool) { self.isHardware = isHardware }

    /// Adds bytes that the dock has sent.
    package func deliver(_ bytes: [UInt8]) {
        guard isOpen, !isHungUp else { return }
        inbox.append(contentsOf: bytes.prefix(max(0, Self.capacity - inbox.count)))
    }

    /// Unplugs the cable. Received bytes can still be read.
    package func hangUp() { isHungUp = true }

    /// Reads bytes from the dock.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead {
        guard isOpen else { return .hangUp }
        guard !inbox.isEmpty else { return isHungUp ? .hangUp : .nothing }
        let count = min(buffer.count, inbox.count)
        buffer.copyBytes(from: inbox.prefix(count))
        inbox.removeFirst(count)
        return .bytes(count)
    }

    /// Writes as many bytes as the cable accepts.
    package func write(_ bytes: [UInt8]) -> Bool {
        guard isOpen, !isHungUp else { return false }
        return onWrite(bytes) == bytes.count
    }

    /// The same as ``write(_:)``.
    package func writeLast(_ bytes: [UInt8], within: Double) -> Bool { write(bytes) }

    /// Closes the port.
    package func close() { isOpen = false }
}
