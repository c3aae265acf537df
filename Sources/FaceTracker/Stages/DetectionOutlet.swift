internal import CPosix
package import Glibc
internal import Synchronization

/// The one pipe that a session reads, and those who may write into it: one source at a time, in whole lines.
///
/// It remembers how each source introduced itself: when another one takes over, its clock and its units come first.
public final class DetectionOutlet: Sendable {
    /// At most so many bytes wait for the reader; lines that find no room are dropped, for a reader that is late wants newer ones.
    package static let room = 1 << 18

    private struct State {
        var active = 0
        /// Whole lines; those before `sent` are written.
        var lines: [UInt8] = []
        var sent = 0
        var hellos: [Int: [UInt8]] = [:]
        var dropped = 0
        /// Those that will say nothing more.
        var over: Set<Int> = []
        var isOpen = true

        /// Drops what waits; a line that was begun is ended.
        mutating func dropLines() {
            let begun = sent > 0 && lines[sent - 1] != 0x0A
            let end = begun ? lines[sent...].firstIndex(of: 0x0A).map { $0 + 1 } : nil
            lines.removeSubrange((end ?? sent)...)
        }
    }

    private let descriptor: Int32
    private let sources: Int
    private let state = Mutex(State())

    /// Writes to `descriptor` what so many sources say, and closes it at the end; nobody else writes there. Source 0 is the one that
    /// is heard.
    public init(_ descriptor: Int32, sources: Int = 1) {
        (self.descriptor, self.sources) = (descriptor, sources)
        _ = cposix_set_nonblocking(descriptor, true)
    }

    deinit { finish() }

    /// Lets another source be heard: from now on only its lines, after its hello. Writes nothing: that is done on the threads of the
    /// sources, which a reader that has gone does not end.
    public func activate(_ source: Int) {
        state.withLock { state in
            guard state.active != source else { return }
            state.active = source
            state.dropLines()
            state.lines += state.hellos[source] ?? Array("{\"type\":\"hello\",\"v\":1}\n".utf8)
        }
    }

    /// A line of a source, its end included. Only the active one is heard.
    package func put(_ line: ArraySlice<UInt8>, from source: Int, isHello: Bool = false) {
        state.withLock { state in
            if isHello { state.hellos[source] = Array(line) }
            guard state.active == source, state.isOpen else { return }
            if state.lines.count - state.sent + line.count > Self.room {
                guard isHello else {
                    state.dropped += 1
                    return
                }
                // Without its hello, all that follows would be read with another clock and other units: what waits gives way.
                state.dropLines()
            }
            state.lines += line
            flush(&state)
        }
    }

    /// A source begins anew: what it said of itself is forgotten.
    package func forget(_ source: Int) { state.withLock { $0.hellos[source] = nil } }

    /// A source will say nothing more. True: none will, and the stream's last line is on its way.
    package func end(of source: Int, saying last: [UInt8] = []) -> Bool {
        state.withLock { state in
            state.over.insert(source)
            guard state.over.count == sources else { return false }
            // So that somebody sees to it that all is written.
            state.active = source
            if state.isOpen { state.lines += last }
            return true
        }
    }

    /// What to poll for a source, so that what waits is written: the active one sees to it.
    package func wait(for source: Int) -> pollfd {
        state.withLock { state in
            let waits = state.active == source && state.sent < state.lines.count
            return pollfd(fd: state.isOpen ? descriptor : -1, events: waits ? Int16(POLLOUT) : 0, revents: 0)
        }
    }

    /// Whether lines wait for the reader, and it is this source that sees to it that they are written.
    package func isWaiting(for source: Int) -> Bool {
        state.withLock { $0.isOpen && $0.active == source && $0.sent < $0.lines.count }
    }

    /// Whether lines wait for the reader.
    package var isWaiting: Bool { state.withLock { $0.isOpen && $0.sent < $0.lines.count } }

    /// Whether anybody reads it.
    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Lines that found no room.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Writes what the reader takes.
    package func flush() { state.withLock { flush(&$0) } }

    /// There will be no more.
    public func finish() {
        state.withLock { state in
            if state.isOpen { close(descriptor) }
            state.isOpen = false
        }
    }

    private func flush(_ state: inout State) {
        while state.isOpen, state.sent < state.lines.count {
            let count = state.lines.withUnsafeBytes {
                write(descriptor, $0.baseAddress?.advanced(by: state.sent), $0.count - state.sent)
            }
            if count > 0 {
                state.sent += count
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                break
            } else {
                // Whoever read it has gone.
                close(descriptor)
                state.isOpen = false
            }
        }
        // What is written is forgotten, but for whether it ended in the middle of a line.
        if state.sent == state.lines.count {
            state.lines.removeAll(keepingCapacity: true)
            state.sent = 0
        } else if state.sent > 1 << 16 {
            state.lines.removeSubrange(..<(state.sent - 1))
            state.sent = 1
        }
    }
}
