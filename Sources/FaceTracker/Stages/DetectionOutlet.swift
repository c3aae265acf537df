internal import CPosix
package import Glibc
internal import Synchronization

/// The single pipe that a session reads, and the sources that may write into it. One source writes at a time, in whole
/// lines.
///
/// It stores the hello of each source. When another source takes over, its hello comes first, so that its clock and
/// units apply.
public final class DetectionOutlet: Sendable {
    /// The maximum number of bytes that wait for the reader. If there is no room for a line, it is dropped, because a
    /// late reader needs newer ones.
    package static let room = 1 << 18

    private struct State {
        var active = 0
        /// Whole lines, of which the bytes before `sent` have been written.
        var lines: [UInt8] = []
        var sent = 0
        var hellos: [Int: [UInt8]] = [:]
        var dropped = 0
        /// The sources that have ended.
        var over: Set<Int> = []
        var isOpen = true

        /// Drops the waiting lines. A line that is partly written is completed.
        mutating func dropLines() {
            let begun = sent > 0 && lines[sent - 1] != 0x0A
            let end = begun ? lines[sent...].firstIndex(of: 0x0A).map { $0 + 1 } : nil
            lines.removeSubrange((end ?? sent)...)
        }
    }

    /// Receives the answers of all sources, active or not.
    public let answers = AnswerTap()

    private let descriptor: Int32
    private let names: [String]
    private var sources: Int { max(1, names.count) }
    private let state = Mutex(State())

    /// Creates an outlet that writes the lines of the sources with these names to `descriptor`, and closes it at the
    /// end. Nothing else may write there. Source 0 is active at first.
    public init(_ descriptor: Int32, sources names: [String] = ["detector"]) {
        (self.descriptor, self.names) = (descriptor, names)
        _ = cposix_set_nonblocking(descriptor, true)
    }

    deinit { finish() }

    /// Activates another source: from now on only its lines are passed on, after its hello. This call does not write.
    /// The threads of the sources do, because they survive a reader that is gone.
    public func activate(_ source: Int) {
        state.withLock { state in
            guard state.active != source else { return }
            state.active = source
            state.dropLines()
            state.lines += state.hellos[source] ?? Array("{\"type\":\"hello\",\"v\":1}\n".utf8)
        }
    }

    /// Passes on a line of a source, including its end. Only lines of the active source are used.
    package func put(_ line: ArraySlice<UInt8>, from source: Int, isHello: Bool = false) {
        state.withLock { state in
            if isHello { state.hellos[source] = Array(line) }
            guard state.active == source, state.isOpen else { return }
            if state.lines.count - state.sent + line.count > Self.room {
                guard isHello else {
                    state.dropped += 1
                    return
                }
                // Without its hello, the next lines would be interpreted with another clock and other units, so the
                // waiting lines are dropped.
                state.dropLines()
            }
            state.lines += line
            flush(&state)
        }
    }

    /// Returns an answer of a source for listeners.
    func answer(
        _ frame: DetectionFrame, drop: DropReason? = nil, from source: Int, line: ArraySlice<UInt8>
    ) -> DetectorAnswer {
        DetectorAnswer(
            source: names.indices.contains(source) ? names[source] : "",
            isActive: state.withLock { $0.active == source },
            frame: frame, drop: drop, line: Array(line))
    }

    /// Forgets the hello of a source, because the source restarts.
    package func forget(_ source: Int) { state.withLock { $0.hellos[source] = nil } }

    /// Records that a source has ended. Returns true if all have ended; then the stream's last line is queued.
    package func end(of source: Int, saying last: [UInt8] = []) -> Bool {
        state.withLock { state in
            state.over.insert(source)
            guard state.over.count == sources else { return false }
            // This source is now responsible for writing everything.
            state.active = source
            if state.isOpen { state.lines += last }
            return true
        }
    }

    /// Returns the descriptor that a source must poll so that waiting lines are written. Only the active source has
    /// one.
    package func wait(for source: Int) -> pollfd {
        state.withLock { state in
            let waits = state.active == source && state.sent < state.lines.count
            return pollfd(fd: state.isOpen ? descriptor : -1, events: waits ? Int16(POLLOUT) : 0, revents: 0)
        }
    }

    /// Returns whether lines wait for the reader and this source must write them.
    package func isWaiting(for source: Int) -> Bool {
        state.withLock { $0.isOpen && $0.active == source && $0.sent < $0.lines.count }
    }

    /// Whether lines wait for the reader.
    package var isWaiting: Bool { state.withLock { $0.isOpen && $0.sent < $0.lines.count } }

    /// Whether the pipe has a reader.
    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The number of lines that were dropped for lack of room.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Writes what the reader accepts.
    package func flush() { state.withLock { flush(&$0) } }

    /// Closes the pipe.
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
                // The reader is gone.
                close(descriptor)
                state.isOpen = false
            }
        }
        // Forgets the written bytes, except the last one, which shows whether a line is incomplete.
        if state.sent == state.lines.count {
            state.lines.removeAll(keepingCapacity: true)
            state.sent = 0
        } else if state.sent > 1 << 16 {
            state.lines.removeSubrange(..<(state.sent - 1))
            state.sent = 1
        }
    }
}
