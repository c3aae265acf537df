internal import CEventDevice
internal import Glibc

/// Reports when devices appear, disappear or get other rights.
public final class FolderWatch {
    /// The descriptor to wait for. It belongs to the watch.
    public let descriptor: Int32

    /// Begins to watch a folder. The result is nil if the system refuses, or the folder does not exist.
    public init?(_ path: String) {
        descriptor = cevent_watch_folder(path)
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Discards the news, which only say that it is time to look. Returns false if the folder is gone: the system removes
    /// it with the last device.
    public func clear() -> Bool { cevent_discard_news(descriptor) == 0 }
}

/// Wakes a thread that waits for descriptors.
public final class Bell: Sendable {
    /// The descriptor to wait for. It belongs to the bell.
    public let descriptor: Int32

    /// Creates a bell. The result is nil if the system has no descriptor left.
    public init?() {
        descriptor = cevent_bell()
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Makes the descriptor readable.
    public func ring() { cevent_ring(descriptor) }

    /// Makes it unreadable again.
    public func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
    }
}
