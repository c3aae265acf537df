import ControlProtocol
import CPosix
import Geometry
import Glibc
import Processes

/// A program that a demo runs, and what it prints, line by line.
struct StoryProgram {
    private let child: ChildProcess
    private var output = ChildPipe()
    private var framer = LineFramer()

    /// The exit status of a program that could not be started, as in a shell.
    private static let notStarted: Int32 = 127
    /// How often `isStopped` is asked, in milliseconds, and how long a program may take to end by itself, in seconds.
    private static let step: Int32 = 100, patience: Seconds = 2

    private init?(_ words: [String]) {
        guard let theirs = output.open(toChild: false) else { return nil }
        defer { Glibc.close(theirs) }
        guard let child = try? ChildProcess(words, descriptors: [1: theirs, 2: theirs]) else {
            output.close()
            return nil
        }
        self.child = child
    }

    /// Runs a program until it ends. If `isStopped` returns true, it is asked to end as by Ctrl-C.
    /// - Parameters:
    ///   - hear: gets each line of both outputs.
    ///   - idle: called ten times a second.
    /// - Returns: its exit status.
    static func run(
        _ words: [String], hear: (String) -> Void, idle: () -> Void, isStopped: () -> Bool
    ) -> Int32 {
        guard var program = StoryProgram(words) else { return notStarted }
        defer { program.close() }
        return program.run(hear, idle, isStopped)
    }

    private mutating func run(_ hear: (String) -> Void, _ idle: () -> Void, _ isStopped: () -> Bool) -> Int32 {
        var deadline: Seconds?
        while true {
            if deadline == nil, isStopped() {
                child.signal(SIGINT)
                deadline = cposix_monotonic_now() + Self.patience
            }
            var wait = pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&wait, 1, Self.step)
            _ = output.read { framer.append($0) }
            while let next = framer.next() {
                if case .line(let line) = next { hear(String(decoding: line, as: UTF8.self)) }
            }
            idle()
            // Its last lines are read before its end is noticed.
            if output.descriptor < 0 || wait.revents == 0, let ending = child.ending() {
                if case .exited(let status) = ending { return status }
                return Self.notStarted + 1
            }
            if let deadline, cposix_monotonic_now() > deadline {
                child.end()
                return Self.notStarted + 1
            }
        }
    }

    private mutating func close() {
        child.close()
        output.close()
    }
}
