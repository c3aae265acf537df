import ControlProtocol
import DockTypes
import Glibc
import Processes
import TestSupport
import Testing

@testable import Companion

/// What the daemon learns of the programs that it runs, and of others that use their names.
@Suite(.timeLimit(.minutes(10))) struct ExtensionChildTests {
    /// Starts a program that is a shell script.
    private static func child(_ script: String, in folder: ExtensionFolder) throws -> ExtensionChild {
        try folder.add("log", program: "#!/bin/sh\n" + script + "\n")
        let installed = try ExtensionLibrary.read(folder.path + "/log.toml")
        var child = ExtensionChild(installed, socket: "/nonexistent", seed: 1)
        _ = child.turn(now: 0)
        return child
    }

    /// Waits for its end.
    private static func end(_ child: inout ExtensionChild) {
        var waits = [child.waits(after: 0)[1]]
        #expect(poll(&waits, 1, 30_000) == 1)
        _ = child.reap(now: 1)
    }

    private static func kill(_ child: inout ExtensionChild) {
        child.kill()
        end(&child)
    }

    /// Waits until it has printed something.
    private static func hear(_ child: inout ExtensionChild) {
        var waits = [child.waits(after: 0)[0]]
        #expect(poll(&waits, 1, 30_000) == 1)
    }

    @Test func `only the child itself speaks for it`() throws {
        let folder = try ExtensionFolder()
        var child = try Self.child("exec tail -f /dev/null", in: folder)
        defer { Self.kill(&child) }
        let process = try #require(child.reading.process)
        for foreign in [process + 1, nil] as [Int32?] {
            child.hear(ExtensionNews(ExtensionSamples.reading("log", .ready, process: foreign), .reported), now: 1)
            #expect(child.reading.state == .starting)
        }
        child.hear(ExtensionNews(ExtensionSamples.reading("other", .ready, process: process), .reported), now: 2)
        #expect(child.reading.state == .ready, "whatever it calls itself")
        child.hear(ExtensionNews(ExtensionSamples.reading("log", .ready, process: process + 1), .silent), now: 3)
        #expect(child.reading.state == .ready)
        child.hear(ExtensionNews(ExtensionSamples.reading("log", .ready, process: process), .silent), now: 3)
        #expect(child.reading.state == .silent)
    }

    @Test func `only what a child starts can be in its process group`() throws {
        let folder = try ExtensionFolder()
        var child = try Self.child("exec tail -f /dev/null", in: folder)
        defer { Self.kill(&child) }
        let process = try #require(child.reading.process)
        #expect(getpgid(process) == process)
        #expect(getsid(process) == process, "no program joins a group of another session")
    }

    @Test func `a false report does not hide a child that never reports`() throws {
        let folder = try ExtensionFolder()
        var child = try Self.child("exec tail -f /dev/null", in: folder)
        defer { Self.kill(&child) }
        for now in stride(from: 1.0, to: 20, by: 2) {
            child.hear(ExtensionNews(ExtensionSamples.reading("log", .ready, process: 1), .reported), now: now)
            _ = child.turn(now: now)
        }
        #expect(child.reading.state == .starting)
        _ = child.turn(now: 20)
        #expect(child.reading.state == .silent && child.reading.text.contains("no report (the call setExtension)"))
    }

    @Test func `a child that another program has ended is started again, and one that has finished is not`() throws {
        let folder = try ExtensionFolder()
        var ended = try Self.child("trap 'exit 143' TERM\ntail -f /dev/null &\necho here\nwait", in: folder)
        Self.hear(&ended)
        Glibc.kill(try #require(ended.reading.process), SIGTERM)
        Self.end(&ended)
        #expect(ended.reading.state == .restarting && ended.reading.text.contains("another program has ended it"))
        var finished = try Self.child("exit 0", in: folder)
        Self.end(&finished)
        #expect(finished.reading.state == .over)
    }

    @Test func `news of programs that are no children do not wait`() {
        var inbox = ExtensionInbox()
        inbox.children = [ExtensionSamples.reading("log", .ready, isChild: true, process: 7)]
        let own = ExtensionNews(ExtensionSamples.reading("log", .ready, process: 7), .reported)
        let isTaken = inbox.add(ExtensionNews(ExtensionSamples.reading("log", .ready, process: 8), .reported))
        let taken = (0..<1000).count { _ in inbox.add(own) }
        #expect(!isTaken && taken == ExtensionInbox.most)
        let first = inbox.take(), second = inbox.take()
        #expect(first.count == ExtensionInbox.most && second.isEmpty)
    }

    @Test func `the control server names the process group that reports`() {
        let report = ControlCall.command(.show(.report(ExtensionSamples.fault, time: 1)))
        guard case .command(.show(.report(let reading, _))) = report.made(by: getpid()) else {
            Issue.record("another call")
            return
        }
        #expect(reading.process == getpgid(0))
        #expect(report.made(by: 0) == report && ControlCall.words("stop").made(by: getpid()) == .words("stop"))
        let mark = ControlCall.command(.show(.indicator("link", .on, text: "")))
        #expect(mark.made(by: 12) == .command(.show(.indicator("link", .on, text: "", process: 12))))
    }
}
