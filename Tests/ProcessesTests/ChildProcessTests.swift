import CPosix
import Geometry
import Glibc
import Processes
import TestSupport
import Testing

/// Real programs, started and ended.
@Suite struct ChildProcessTests {
    /// The output of a program on its descriptor `number`, and how it ended.
    private func run(_ words: [String], number: Int32 = 1) throws -> (text: String, ending: ChildProcess.Ending?) {
        var ours: Int32 = -1, theirs: Int32 = -1
        try #require(cposix_pipe(&ours, &theirs) == 0)
        defer { close(ours) }
        let child = try ChildProcess(words, descriptors: [number: theirs])
        defer { close(child.descriptor) }
        close(theirs)
        var text: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = read(ours, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
        return (String(decoding: text, as: UTF8.self), wait(child))
    }

    private func wait(_ child: ChildProcess) -> ChildProcess.Ending? {
        var ended = pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ended, 1, 5000) == 1, "the end of a program makes its descriptor readable")
        return child.ending()
    }

    @Test(arguments: [Int32(1), 2, 3, 9])
    func `a program writes where it was directed`(number: Int32) throws {
        let (text, ending) = try run(["/bin/sh", "-c", "echo hello >&\(number); exit 7"], number: number)
        #expect(text == "hello\n")
        #expect(ending == .exited(7))
    }

    @Test func `it has only the descriptors that it was given`() throws {
        let open = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(open) }
        let (text, _) = try run(["/bin/sh", "-c", "ls /proc/self/fd | tr '\\n' ' '"])
        #expect(text == "0 1 2 3 ", "3 is the folder that ls reads")
    }

    @Test func `a signal also reaches its child processes`() throws {
        let (text, ending) = try run(["/bin/sh", "-c", "sleep 60 & echo $!; kill -TERM -$$; wait"])
        #expect(ending == .signalled(SIGTERM))
        let grandchild = try #require(pid_t(text.split(separator: "\n").first ?? ""))
        // Adopted and reaped by another process; until then it may be a zombie.
        let state = (0..<500).contains { _ in
            defer { usleep(10_000) }
            return kill(grandchild, 0) != 0 || isZombie(grandchild)
        }
        #expect(state)
    }

    @Test func `a program that ignores a request to end is killed`() throws {
        var ours: Int32 = -1, theirs: Int32 = -1
        try #require(cposix_pipe(&ours, &theirs) == 0)
        let child = try ChildProcess(
            ["/bin/sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done"], descriptors: [1: theirs])
        close(theirs)
        var byte: UInt8 = 0
        #expect(read(ours, &byte, 1) == 1)
        child.signal(SIGTERM)
        #expect(child.ending() == nil)
        child.end()
        #expect(kill(child.identifier, 0) != 0)
        close(ours)
        close(child.descriptor)
    }

    @Test func `the error for a missing program names it`() {
        do {
            _ = try ChildProcess(["no-such-program"], descriptors: [:])
            Issue.record("it was started")
        } catch {
            #expect(error.description == "no-such-program: No such file or directory")
            #expect(error.number == ENOENT)
        }
    }

    @Test func `a program receives the signals that we ignore`() throws {
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        let (text, _) = try run(["/bin/sh", "-c", "grep -E 'Sig(Ign|Blk)' /proc/self/status"])
        for line in text.split(separator: "\n") {
            // Two above 31 are the C library's own.
            let mask = try #require(UInt64(line.split(separator: "\t").last ?? "", radix: 16))
            #expect(mask & 0x7FFF_FFFF == 0, "\(line)")
        }
    }
}

/// What a program writes to its standard error.
@Suite struct ChildLogTests {
    private func feed(_ log: inout ChildLog, _ text: String) {
        text.utf8CString.dropLast().withUnsafeBytes { log.feed($0, now: 0) }
    }

    @Test func `lines are passed on when they are complete, without control characters`() {
        var log = ChildLog()
        feed(&log, "one\ntw")
        #expect(log.lines(now: 0) == ["one"])
        feed(&log, "o\u{1b}[2J\n\n")
        #expect(log.lines(now: 0) == [#"two\u{1b}[2J"#])
        #expect(log.last == #"two\u{1b}[2J"#)
        feed(&log, "a\tb\r\nc\rd\n\r\n\u{9b}\u{202e}\n")
        #expect(log.lines(now: 1) == ["a b", #"c\u{d}d"#, #"\u{9b}\u{202e}"#])
    }

    @Test func `of a flood twenty lines are kept, then the newest once a second with a count`() {
        var log = ChildLog()
        for number in 0..<1000 { feed(&log, "line \(number)\n") }
        #expect(log.lines(now: 0).count == 20)
        #expect(log.lines(now: 0.5) == [] && log.deadline == 1)
        #expect(log.lines(now: 1) == ["line 999 (979 earlier lines omitted)"])
        #expect(log.last == "line 999" && log.deadline == nil)
        var logged = 0
        for turn in 0..<1000 {
            for number in 0..<100 { feed(&log, "line \(number)\n") }
            logged += log.lines(now: 1 + Double(turn) * 0.01).count
        }
        #expect(logged <= 10, "ten seconds of it: \(logged) lines")
    }

    @Test func `of a flood a megabyte a second is read, and none of it without room`() {
        var log = ChildLog(), now = 5.0, taken = 0
        let flood = [UInt8](repeating: 0x0A, count: 1 << 20)
        #expect(log.opens(after: now) == nil)
        while now < 15 {
            let room = min(log.room(now: now), 1 << 16)
            if room > 0 {
                flood.withUnsafeBytes { log.feed(UnsafeRawBufferPointer(rebasing: $0[..<room]), now: now) }
                taken += room
            } else {
                // A little later, or the wait would never end.
                now = log.opens(after: now) ?? .infinity
                #expect(log.opens(after: now) == nil)
            }
        }
        #expect(((10 << 20)...(10 << 20) + (1 << 18) + (1 << 14)).contains(taken), "\(taken)")
        // The remaining output of an ended child is still read.
        flood.withUnsafeBytes { log.feed($0, now: now) }
        #expect(log.room(now: now) == 0 && log.room(now: now + 1) == 1 << 18)
    }

    @Test func `an allowance is used up and grows again, up to its maximum`() {
        var allowance = Allowance(10, most: 3)
        #expect(allowance.spend(5, now: 1) == 3 && allowance.spend(now: 1) == 0 && allowance.due(1) == 1.1)
        #expect(
            allowance.spend(5, now: 1.25) == 2 && allowance.spend(now: 1.29) == 0 && allowance.spend(now: 1.31) == 1)
        #expect(allowance.available(now: 100) == 3 && allowance.available(now: 50) == 3)
    }

    @Test func `of similar lines the first twenty pass, then one a second with the number of the others`() {
        var gate = LogGate()
        let passed = (0..<1000).compactMap { gate.pass("line \($0)", now: 5) }
        #expect(passed.count == 20 && passed.last == "line 19")
        #expect(gate.pass("late", now: 5.9) == nil)
        #expect(gate.pass("later", now: 6.1) == "later (981 similar lines omitted)")
        #expect(gate.pass("latest", now: 6.2) == nil)
        #expect(gate.pass("calm", now: 60) == "calm (1 similar lines omitted)")
        #expect((0..<30).compactMap { gate.pass("line \($0)", now: 60) }.count == 19)
    }

    @Test func `a flood right before the end leaves the next child's log in order`() {
        var log = ChildLog()
        for number in 0..<100 { feed(&log, "line \(number)\n") }
        #expect(log.lines(now: 0, isEnd: true).count == 21)
        feed(&log, "next\n")
        #expect(log.lines(now: 0.1) == [])
        #expect(log.lines(now: 1) == ["next"])
    }

    @Test func `a line without an end is cut, and the last one counts at the end`() {
        var log = ChildLog()
        feed(&log, String(repeating: "x", count: 100_000))
        #expect(log.lines(now: 0) == [])
        #expect(log.lines(now: 0, isEnd: true) == [String(repeating: "x", count: 400)])
    }
}
