import CPosix
import DockControl
import DockSimulator
import DockTypes
import Glibc
import Testing

@Suite(.serialized) struct LinkTests {
    @Test func `the error for a missing port says what to do`() {
        do {
            _ = try LinkOpener.open("/dev/ttyACM99", serial: .init())
            Issue.record("was opened")
        } catch {
            #expect(error.code == .notConnected && error.exitStatus == 69)
            #expect(error.hint.contains("--port sim"))
        }
    }

    @Test func `a file is not a port`() {
        do {
            _ = try LinkOpener.open("/dev/null", serial: .init())
            Issue.record("was opened")
        } catch {
            #expect(error.code == .cannotOpen)
        }
    }

    @Test func `a pseudo-terminal bypasses libserialport, which rejects it`() throws {
        let dock = try SimulatedDockPort()
        defer { dock.close() }
        #expect(LinkOpener.isPseudoTerminal(dock.path))
        #expect(throws: DockError.self) { try SerialPort(path: dock.path, serial: .init()) }
        let link = try LinkOpener.open(dock.path, serial: .init())
        #expect(!link.isHardware)
        link.close()
        link.close()
        #expect(link.descriptor == -1)
    }

    @Test func `a port has one owner`() throws {
        let dock = try SimulatedDockPort()
        defer { dock.close() }
        let first = try LinkOpener.open(dock.path, serial: .init())
        do {
            _ = try LinkOpener.open(dock.path, serial: .init())
            Issue.record("was opened twice")
        } catch {
            #expect(error.code == .portBusy && error.exitStatus == 75)
        }
        first.close()
        let second = try LinkOpener.open(dock.path, serial: .init())
        second.close()
    }

    @Test func `a cable that is pulled is a hang-up, not silence`() throws {
        let dock = try SimulatedDockPort()
        defer { dock.close() }
        let link = try LinkOpener.open(dock.path, serial: .init())
        defer { link.close() }
        dock.unplug()
        var buffer = [UInt8](repeating: 0, count: 4096)
        var result = LinkRead.nothing
        for _ in 0..<100 where result != .hangUp {
            var wait = pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&wait, 1, 1000)
            result = buffer.withUnsafeMutableBytes { link.read(into: $0) }
        }
        #expect(result == .hangUp)
        #expect(!link.writeLast([0, 1, 2], within: 0.1))
    }

    @Test func `the last write is bounded in time if the other end does not read`() throws {
        var master: Int32 = -1, slave: Int32 = -1
        var path = [CChar](repeating: 0, count: 128)
        try #require(cposix_open_pty(&master, &slave, &path, path.count) == 0)
        defer { [master, slave].forEach { Glibc.close($0) } }
        let name = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let link = try LinkOpener.open(name, serial: .init())
        defer { link.close() }
        let block = [UInt8](repeating: 7, count: 4096)
        while link.write(block) {}
        let before = cposix_monotonic_now()
        let isWhole = link.writeLast([UInt8](repeating: 1, count: 200_000), within: 0.2)
        #expect(!isWhole)
        #expect(cposix_monotonic_now() - before < 2)
    }

    @Test func `a failed attempt to open a port that another program holds does not change it`() throws {
        var far: Int32 = -1, near: Int32 = -1, name = [CChar](repeating: 0, count: 64)
        try #require(cposix_open_pty(&far, &near, &name, name.count) == 0)
        defer { for end in [far, near] { close(end) } }
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var found = termios(), before = termios(), after = termios()
        let holder = cposix_claim_terminal(path, &before)
        try #require(holder >= 0)
        #expect(cposix_claim_terminal(path, &found) == -1 && errno == EWOULDBLOCK)
        tcgetattr(holder, &after)
        #expect(before.c_cflag == after.c_cflag && before.c_lflag == after.c_lflag && before.c_iflag == after.c_iflag)
        close(holder)
        let next = cposix_claim_terminal(path, &found)
        #expect(next >= 0)
        close(next)
    }

    @Test func `a closed pseudo-terminal is free for the next program, with its settings as they were`() throws {
        var far: Int32 = -1, near: Int32 = -1, name = [CChar](repeating: 0, count: 64)
        try #require(cposix_open_pty(&far, &near, &name, name.count) == 0)
        defer { for end in [far, near] { close(end) } }
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var before = termios(), after = termios(), isExclusive: Int32 = 0
        tcgetattr(near, &before)
        before.c_lflag |= tcflag_t(ICANON | ECHO)
        tcsetattr(near, TCSANOW, &before)
        let first = try LinkOpener.open(path, serial: .init())
        #expect(throws: DockError(.portBusy, "", hint: "")) { try LinkOpener.open(path, serial: .init()) }
        tcgetattr(near, &after)
        #expect(after.c_lflag & tcflag_t(ICANON | ECHO) == 0, "the failed attempt restored the settings")
        first.close()
        // An exclusive flag, which only root can bypass, would keep all other programs away until the other end is
        // gone.
        #expect(ioctl(near, 0x8004_5440, &isExclusive) == 0 && isExclusive == 0, "TIOCGEXCL")
        tcgetattr(near, &after)
        #expect(after.c_lflag == before.c_lflag)
        try LinkOpener.open(path, serial: .init()).close()
    }
}
