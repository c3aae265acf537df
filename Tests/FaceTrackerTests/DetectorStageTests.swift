import CPosix
import Geometry
import Glibc
import Processes
import Synchronization
import TestSupport
import Testing

@testable import FaceTracker

/// Real children that behave, crash, hang, flood and send invalid lines.
@Suite struct DetectorStageTests {
    private static let frame = #"{"faces":[{"rect":[0.4,0.2,0.1,0.2]}]}"#

    @Test func `lines of a child are forwarded, and its bye ends the stream`() throws {
        let rig = try StageRig("echo '\(Self.frame)'; echo '{\"type\":\"bye\",\"reason\":\"eof\"}'")
        let lines = rig.lines()
        #expect(lines.first == Self.frame)
        #expect(lines.last?.contains(#""type":"bye""#) == true)
        #expect(lines.count == 2)
        rig.stage.stop()
    }

    @Test func `a child that crashes is restarted, and this is reported`() throws {
        let rig = try StageRig("echo '\(Self.frame)'; echo broken >&2; kill -SEGV $$")
        let lines = rig.lines { $0.count >= 3 }
        #expect(lines.count >= 3)
        #expect(lines.allSatisfy { $0 == Self.frame }, "no bye: the stream continues")
        #expect(rig.waits(for: .restarting))
        #expect(rig.waits(for: .failed), "five ends in a minute")
        #expect(rig.log.contains { $0.contains("broken") })
        #expect(rig.health?.problem?.contains("signal 11") == true)
        rig.stage.stop()
    }

    @Test func `a child that hangs is ended and restarted`() throws {
        let rig = try StageRig("trap '' TERM; echo '\(Self.frame)'; while :; do sleep 1; done") { options in
            options.patience.silence = 0.2
        }
        #expect(rig.waits(for: .stalled))
        let lines = rig.lines { $0.count >= 2 }
        #expect(lines.count >= 2, "the next child sends")
        rig.stage.stop()
    }

    @Test func `a child that hangs and says bye when it is ended is still restarted`() throws {
        let polite = """
            trap 'echo "{\\"type\\":\\"bye\\",\\"reason\\":\\"eof\\"}"; exit 0' TERM
            echo '\(Self.frame)'; while :; do sleep 0.05; done
            """
        let rig = try StageRig(polite) { $0.patience.silence = 0.2 }
        #expect(
            rig.lines { $0.count >= 2 } == [Self.frame, Self.frame], "the next child sends, and the stream continues")
        #expect(rig.health?.restarts ?? 0 >= 1)
        rig.stage.stop()
    }

    @Test func `a program that cannot be started is one line in the log for each try`() throws {
        let rig = try StageRig("/nowhere/detector")
        #expect(rig.waits(for: .failed))
        rig.stage.stop()
        let said = rig.log.filter { $0.contains("/nowhere/detector") }
        #expect(!said.isEmpty && said.allSatisfy { $0.hasPrefix("test restarting: ") || $0.hasPrefix("test failed: ") })
        #expect(said.allSatisfy { $0.contains("(exit status 127)") }, "\(said)")
        #expect(said.last?.contains("; the next start is in ") == true, "\(said)")
    }

    @Test func `invalid lines are not forwarded, and after twenty of them the child is restarted`() throws {
        let rig = try StageRig("echo '\(Self.frame)'; for i in $(seq 25); do echo \"error $i\"; done; sleep 60")
        let lines = rig.lines { $0.count >= 2 }
        #expect(lines.allSatisfy { $0 == Self.frame })
        #expect(rig.health?.restarts ?? 0 >= 1)
        #expect(rig.log.contains { $0.contains("only `dockface run` accepts commands") })
        rig.stage.stop()
    }

    @Test func `a flood neither fills memory nor keeps the stage from ending`() throws {
        let rig = try StageRig("yes '\(Self.frame)'")
        // The pipe is not read.
        #expect(rig.waits(for: .running))
        poll(nil, 0, 300)
        let before = cposix_monotonic_now()
        rig.stage.stop()
        #expect(cposix_monotonic_now() - before < 2)
        // The backlog is bounded: the pipe's 64 KiB, and no half line.
        let lines = rig.lines()
        #expect(lines.dropLast().allSatisfy { $0 == Self.frame })
    }

    @Test func `at most a megabyte a second is read of standard error`() throws {
        let before = cposix_monotonic_now()
        let rig = try StageRig("head -c 3145728 /dev/zero >&2; echo '\(Self.frame)'; sleep 60")
        #expect(rig.lines { $0.count >= 1 } == [Self.frame])
        #expect(cposix_monotonic_now() - before > 2, "the writer waits for unread output")
        rig.stage.stop()
    }

    @Test func `a flood on standard error delays neither the lines of a child nor its end`() throws {
        let rig = try StageRig("yes >&2 & for i in 1 2 3 4 5 6 7 8; do echo '\(Self.frame)'; sleep 0.1; done; exit 3")
        #expect(rig.lines { $0.count >= 16 }.allSatisfy { $0 == Self.frame })
        #expect(rig.health?.restarts ?? 0 >= 1 && rig.health?.problem?.contains("exit status 3") == true)
        let before = cposix_monotonic_now()
        rig.stage.stop()
        #expect(cposix_monotonic_now() - before < 2)
    }

    @Test func `a child that cannot begin reports why, and is not restarted at once`() throws {
        let rig = try StageRig("echo 'no module named brain' >&2; exit 69")
        #expect(rig.waits(for: .failed))
        #expect(rig.health?.problem == "no module named brain (exit status 69)")
        #expect(rig.health?.restarts == 0)
        rig.stage.stop()
    }

    @Test func `a program that does not exist is reported`() throws {
        let rig = try StageRig("") { $0.words = ["/nowhere/detector"] }
        #expect(rig.waits(for: .failed))
        #expect(rig.health?.problem == "/nowhere/detector: No such file or directory")
        rig.stage.stop()
    }

    @Test func `another version of the stream is refused with an explanation`() throws {
        let rig = try StageRig(#"echo '{"type":"hello","v":2}'; sleep 60"#)
        #expect(rig.waits(for: .stalled))
        #expect(rig.log.contains { $0.contains("stream has version 2") })
        rig.stage.stop()
    }

    @Test func `its child processes end with it`() throws {
        let rig = try StageRig("sleep 1000 & echo \"{\\\"faces\\\":[],\\\"pid\\\":$!}\"; wait")
        let line = try #require(rig.lines { $0.count >= 1 }.first)
        let child = try #require(pid_t(line.split(separator: ":").last?.dropLast() ?? ""))
        #expect(kill(child, 0) == 0)
        rig.stage.stop()
        let isGone = (0..<500).contains { _ in
            defer { poll(nil, 0, 10) }
            return kill(child, 0) != 0 || isZombie(child)
        }
        #expect(isGone)
    }

    @Test func `on standby it is asked to rest, and its lines are ignored`() throws {
        let rig = try StageRig("while read -r line; do echo \"$line\" >&2; done")
        rig.stage.isActive = false
        let isAsked = (0..<1000).contains { _ in
            defer { poll(nil, 0, 5) }
            return rig.log.contains { $0.contains("pause") }
        }
        #expect(isAsked)
        rig.stage.isActive = true
        let goesOn = (0..<1000).contains { _ in
            defer { poll(nil, 0, 5) }
            return rig.log.contains { $0.contains("resume") }
        }
        #expect(goesOn)
        rig.stage.stop()
    }
}
