import Geometry
import Glibc
import Processes

/// Something that sounds until it ends, is ended, or takes too long. One thread uses it.
protocol SoundingTool: AnyObject {
    /// The descriptors to wait for.
    var waits: [pollfd] { get }
    /// When to look again although nothing has happened, or nil.
    var deadline: Seconds? { get }
    /// Looks how it is, and returns its ending, once.
    func look(now: Seconds) -> ToolEnding?
    /// Ends it. The ending comes from `look`.
    func cut(now: Seconds)
}

/// How a tool has ended.
enum ToolEnding: Sendable, Equatable {
    /// It has spoken or played, or was ended.
    case done
    /// It failed, for this reason.
    case failed(String)
}

/// A program that speaks or plays, and ends by itself.
final class ToolChild: SoundingTool {
    private let name: String
    private let child: ChildProcess
    private let limit: Seconds
    private var errors: ChildPipe
    private var log = ChildLog()
    private var isCut = false

    /// How often a child is looked at whose end the kernel does not report, in seconds.
    private static let period: Seconds = 0.05

    /// Starts a program.
    /// - Parameters:
    ///   - name: its name, for messages.
    ///   - words: its path and its arguments.
    ///   - descriptors: the child's number of a descriptor, and ours, which stays open.
    ///   - patience: how long it may take, in seconds.
    init(
        _ name: String, _ words: [String], _ descriptors: [Int32: Int32], patience: Seconds, now: Seconds
    ) throws(ChildProcess.Failure) {
        var errors = ChildPipe()
        let theirs = errors.open(toChild: false)
        defer { if let theirs { close(theirs) } }
        let pipes: [Int32: Int32?] = descriptors.mapValues { .some($0) }
        do throws(ChildProcess.Failure) {
            child = try ChildProcess(words, pipes: pipes.merging([2: theirs]) { $1 })
        } catch {
            errors.close()
            throw error
        }
        (self.name, self.errors, limit) = (name, errors, now + patience)
    }

    deinit {
        errors.close()
    }

    var waits: [pollfd] {
        [
            pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0),
        ]
    }

    var deadline: Seconds? { child.descriptor < 0 ? -.infinity : limit }

    func look(now: Seconds) -> ToolEnding? {
        if errors.descriptor >= 0 {
            var wait = pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&wait, 1, 0) > 0 { _ = errors.read { log.feed($0, now: now) } }
        }
        if now >= limit { child.signal(SIGKILL) }
        if child.descriptor < 0 { usleep(UInt32(Self.period * 1e6)) }
        guard let ending = child.ending() else { return nil }
        child.close()
        errors.drain { log.feed($0, now: now) }
        _ = log.lines(now: now, isEnd: true)
        // espeak-ng without a sound card writes an error, and ends with status 0.
        if isCut || ending == .exited(0) && log.last?.hasPrefix("error:") != true { return .done }
        let why = now >= limit ? "it took too long" : log.last ?? "\(ending)"
        return .failed("\(name) failed: \(why)")
    }

    func cut(now: Seconds) {
        isCut = true
        child.signal(SIGKILL)
    }
}
