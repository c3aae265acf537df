import ControlProtocol
import CPosix
import DockTypes
import Geometry
import Glibc
import PlainText
import Processes

/// A program of the detectors' environment that reads pictures and prints JSON Lines; it ends with this value's owner.
final class LensProgram {
    private let child: ChildProcess
    private var input = ChildPipe(), output = ChildPipe(), errors = ChildPipe()
    private var lines = LineFramer()
    private var complaint: ArraySlice<UInt8> = []

    /// Starts it.
    /// - Throws: `cannotOpen` if it cannot be started.
    init(_ words: [String]) throws(DockError) {
        let ends: [Int32: Int32?] = [
            0: input.open(toChild: true), 1: output.open(toChild: false), 2: errors.open(toChild: false),
        ]
        defer { for case let end? in ends.values { Glibc.close(end) } }
        do throws(ChildProcess.Failure) {
            child = try ChildProcess(words, pipes: ends)
        } catch {
            throw DockError(.cannotOpen, error.description, hint: "run scripts/setup --camera again")
        }
    }

    deinit {
        child.end()
        child.close()
        input.close()
        output.close()
        errors.close()
    }

    /// Waits for the line with which the program says that it has found all that it needs.
    /// - Returns: false if `isStopped` ended the wait.
    /// - Throws: `cannotOpen` if it ends, or says nothing for a long time.
    func isReady(_ isStopped: () -> Bool) throws(DockError) -> Bool {
        let deadline = cposix_monotonic_now() + Self.patience
        while output.descriptor >= 0, cposix_monotonic_now() < deadline {
            if isStopped() { return false }
            listen(for: 0)
            if case .line(let line) = lines.next(), JSONValue(json: line)?["doing"]?.string == "ready" { return true }
        }
        throw problem
    }

    /// Sends bytes, and waits until the program has taken them.
    /// - Returns: false if `isStopped` ended the wait.
    /// - Throws: `cannotOpen` if it has ended, or does not read for a long time.
    func send(_ bytes: [UInt8], _ isStopped: () -> Bool) throws(DockError) -> Bool {
        var sent = 0
        let deadline = cposix_monotonic_now() + Self.patience
        while sent < bytes.count, cposix_monotonic_now() < deadline {
            let count = bytes.withUnsafeBytes { input.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            sent += count
            guard input.descriptor >= 0 else {
                // It writes why before it ends.
                listen(for: 0)
                throw problem
            }
            guard count == 0 else { continue }
            if isStopped() { return false }
            listen(for: Int16(POLLOUT))
        }
        guard sent == bytes.count else { throw problem }
        return true
    }

    /// Ends the input, and reads lines until the program ends. Returns the last one.
    /// - Parameters:
    ///   - onLine: is called with each line before that.
    ///   - isStopped: ends the program when it returns true; asked ten times a second.
    /// - Returns: the last line, or nil if `isStopped` ended it.
    /// - Throws: `cannotOpen` if it ends without a line, or prints none for a long time.
    func finish(_ onLine: (JSONValue) -> Void, isStopped: () -> Bool) throws(DockError) -> JSONValue? {
        input.close()
        var last: JSONValue?, deadline = cposix_monotonic_now() + Self.patience
        while output.descriptor >= 0, cposix_monotonic_now() < deadline {
            if isStopped() { return nil }
            listen(for: 0)
            while case .line(let line) = lines.next() {
                guard let value = JSONValue(json: line), value["doing"]?.string != "ready" else { continue }
                if let last { onLine(last) }
                (last, deadline) = (value, cposix_monotonic_now() + Self.patience)
            }
        }
        guard let last, last["doing"] == nil else { throw problem }
        return last
    }

    /// The longest wait for a line or for room, and one step of it, in seconds.
    private static let patience: Seconds = 120, step: Seconds = 0.1

    /// Waits for a step, and keeps what the program has written.
    private func listen(for events: Int16) {
        var waits = [
            pollfd(fd: input.descriptor, events: events, revents: 0),
            pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&waits, 3, Int32(Self.step * 1000))
        _ = output.descriptor >= 0 && output.read { lines.append($0) }
        // What went wrong is at the end.
        _ = errors.descriptor >= 0 && errors.read { complaint = ((complaint + $0).suffix(400)) }
    }

    private var problem: DockError {
        let words = ForeignText.line(bytes: Array(complaint))
        return DockError(
            .cannotOpen, "the program that compares the pictures failed\(words.isEmpty ? "" : ": \(words)")",
            hint: "run scripts/setup --camera again")
    }
}
