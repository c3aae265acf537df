internal import DockControl

/// The host's end of the cable: a port of the operating system in virtual time.
final class VirtualLink: ByteLink {
    let descriptor: Int32 = -1
    let name = "virtual"
    let isHardware: Bool
    /// Nothing waits on the way out: the line is faster than we are.
    let queued = 0
    /// Gets what the host writes, and says how much of it the cable still took.
    var onWrite: ([UInt8]) -> Int = { $0.count }
    /// Bytes of the dock that the host has not read yet, as many as the kernel keeps.
    private(set) var inbox: [UInt8] = []
    /// The cable is pulled.
    private(set) var isHungUp = false
    private(set) var isOpen = true

    private static let capacity = 4096

    init(isHardware: Bool) { self.isHardware = isHardware }

    /// The dock has sent something.
    func deliver(_ bytes: [UInt8]) {
        guard isOpen, !isHungUp else { return }
        inbox.append(contentsOf: bytes.prefix(max(0, Self.capacity - inbox.count)))
    }

    /// Somebody pulls the cable; what was received can still be read.
    func hangUp() { isHungUp = true }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead {
        guard isOpen else { return .hangUp }
        guard !inbox.isEmpty else { return isHungUp ? .hangUp : .nothing }
        let count = min(buffer.count, inbox.count)
        buffer.copyBytes(from: inbox.prefix(count))
        inbox.removeFirst(count)
        return .bytes(count)
    }

    func write(_ bytes: [UInt8]) -> Bool {
        guard isOpen, !isHungUp else { return false }
        return onWrite(bytes) == bytes.count
    }

    func writeLast(_ bytes: [UInt8], within: Double) -> Bool { write(bytes) }

    func close() { isOpen = false }
}
