internal import DockTypes

/// The dock's port: its state, and the way to open it again. It owns the link and decides nothing.
final class PortSession {
    /// The open port, every byte of which is recorded. It is nil if no port is open.
    private(set) var link: (any ByteLink)?
    /// Reports when ports appear and disappear, or nil if nothing does.
    let news: (any PortEvents)?

    private let open: LinkReopening
    private let recorder: FlightRecorder
    /// The name of the last opened port, or nil if none was opened.
    private var openedName: String?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

    /// Creates a session, with an open port or without.
    /// - Parameter open: opens the port again after it was lost.
    init(
        link: (any ByteLink)?, news: (any PortEvents)?, recorder: FlightRecorder,
        open: @escaping LinkReopening
    ) {
        self.link = link.map { RecordedLink($0, into: recorder) }
        self.news = news
        self.recorder = recorder
        self.open = open
    }

    deinit { buffer.deallocate() }

    /// Opens the port again.
    func reopen() throws(DockError) { link = RecordedLink(try open(), into: recorder) }

    /// Closes the port.
    func close() {
        link?.close()
        link = nil
    }

    /// Records that the open port is in use.
    /// - Returns: its name, and the name of the port that was open before, or nil if none was.
    func noteOpened() -> (name: String, previous: String?) {
        let name = link?.name ?? ""
        defer { openedName = name }
        if let link { recorder.opened(isHardware: link.isHardware, mostQueued: link.mostQueued) }
        return (name, openedName)
    }

    /// The result of a read.
    enum Read {
        /// These bytes. They are valid until the next read.
        case bytes(UnsafeRawBufferPointer)
        /// No bytes at the moment.
        case nothing
        /// The other side is gone.
        case hangUp
    }

    /// Reads the bytes that are available. The result is nil if no port is open.
    func read() -> Read? {
        guard let link else { return nil }
        return switch link.read(into: buffer) {
        case .bytes(let count): .bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case .nothing: .nothing
        case .hangUp: .hangUp
        }
    }
}
