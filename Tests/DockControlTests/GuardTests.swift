import CPosix
import DockControl
import Glibc
import TestSupport
import Testing

/// The guard process alone, on a pseudo-terminal: what it writes, and especially when it must not write.
@Suite(.serialized, .timeLimit(.minutes(10))) struct GuardTests {
    static let stop: [UInt8] = [0, 0xAA, 0x55, 0x01, 0]

    /// Both ends of a port; the daemon holds the near one, the far one is the dock.
    final class Port {
        private(set) var far: Int32 = -1
        private(set) var near: Int32 = -1
        let path: String

        init() throws {
            var name = [CChar](repeating: 0, count: 128)
            try #require(cposix_open_pty(&far, &near, &name, name.count) == 0)
            path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            _ = cposix_set_nonblocking(far, true)
            _ = cposix_set_nonblocking(near, true)
        }

        deinit { [far, near].forEach { if $0 >= 0 { Glibc.close($0) } } }

        func unplug() {
            Glibc.close(far)
            far = -1
        }

        /// The bytes that arrive within a time, and when the first of them arrived.
        func heard(for seconds: Double, orUntil count: Int = .max) -> (bytes: [UInt8], at: Double?) {
            let end = monotonicNow() + seconds
            var all: [UInt8] = [], at: Double?
            var buffer = [UInt8](repeating: 0, count: 4096)
            while all.count < count, case let left = end - monotonicNow(), left > 0 {
                var wait = pollfd(fd: far, events: Int16(POLLIN), revents: 0)
                guard poll(&wait, 1, Int32(left * 1000) + 1) > 0 else { continue }
                let got = read(far, &buffer, buffer.count)
                guard got > 0 else { break }
                at = at ?? monotonicNow()
                all += buffer[..<got]
            }
            return (all, at)
        }
    }

    /// Sends heartbeats as a moving loop does. Returns what the port received meanwhile.
    func beats(_ guardian: DockGuard, _ port: Port, for seconds: Double) -> [UInt8] {
        let end = monotonicNow() + seconds
        var heard: [UInt8] = []
        while monotonicNow() < end {
            guardian.beat(moving: true, now: monotonicNow())
            heard += port.heard(for: 0.05).bytes
        }
        return heard
    }

    /// Sends a packet with two descriptors.
    func sendWithPorts(_ bytes: [UInt8], _ port: Int32, _ guardian: DockGuard) {
        var bytes = bytes
        // struct cmsghdr, and two numbers.
        let rights = [24, Int(SOL_SOCKET) | 1 << 32, Int(port) | Int(port) << 32]
        let sent = bytes.withUnsafeMutableBytes { bytes in
            rights.withUnsafeBytes { rights in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var all = msghdr()
                    all.msg_iov = part
                    all.msg_iovlen = 1
                    all.msg_control = UnsafeMutableRawPointer(mutating: rights.baseAddress)
                    all.msg_controllen = rights.count
                    return sendmsg(guardian.descriptor, &all, Int32(MSG_NOSIGNAL))
                }
            }
        }
        #expect(sent == bytes.count)
    }

    func isRunning(_ id: Int32) -> Bool { kill(id, 0) == 0 }

    /// Whether a renewed guard reports that it is ready.
    func stands(_ guardian: DockGuard) -> Bool {
        eventually(1) {
            _ = guardian.takeIntervention()
            return guardian.isAlive && !guardian.isAwaited
        }
    }

    func word(_ path: String) -> String {
        var text = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &text, text.count)
        if count >= 0 { return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) }
        // The link is gone or just appearing. Do not read its target: that could block forever.
        guard !path.contains("/fd/"), let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        return fgets(&text, 256, file) == nil
            ? "" : String(decoding: text.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func `it is a separate process: name, session, folder, four descriptors at most`() throws {
        let port = try Port(), guardian = try DockGuard()
        #expect(guardian.isAlive && guardian.threadsAtStart > 1, "this process has other threads")
        let place = "/proc/\(guardian.process)"
        #expect(word(place + "/comm") == "dock-guard" && word(place + "/cmdline") == "dock-guard")
        #expect(word(place + "/cwd") == "/")
        #expect(getsid(guardian.process) == guardian.process)
        #expect((0..<3).map { word(place + "/fd/\($0)") } == Array(repeating: "/dev/null", count: 3))
        #expect(word(place + "/fd/3").hasPrefix("socket:") && word(place + "/fd/4").isEmpty)
        guardian.watch(descriptor: port.near, stop: Self.stop)
        #expect(eventually { word(place + "/fd/4").hasPrefix("/dev/pts/") })
        guardian.release()
        #expect(eventually { word(place + "/fd/4").isEmpty })
        let id = guardian.process
        guardian.close()
        guardian.close()
        #expect(!isRunning(id) && !guardian.isAlive)
    }

    @Test func `when the daemon is gone the guard writes the stop twice, at once, and ends`() throws {
        let port = try Port(), guardian = try DockGuard()
        let id = guardian.process
        guardian.watch(descriptor: port.near, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        let gone = monotonicNow()
        guardian.close()
        let heard = port.heard(for: 1, orUntil: Self.stop.count * 2)
        #expect(heard.bytes == Self.stop + Self.stop)
        #expect((heard.at ?? .infinity) - gone < 0.1)
        #expect(!isRunning(id))
    }

    @Test func `silence of a moving loop is answered after 250 ms, and again while it lasts`() throws {
        let port = try Port(), guardian = try DockGuard()
        defer { guardian.close() }
        guardian.watch(descriptor: port.near, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        let last = monotonicNow()
        let heard = port.heard(for: 1, orUntil: Self.stop.count)
        #expect(heard.bytes == Self.stop)
        let age = (heard.at ?? .infinity) - last
        #expect(age > 0.245 && age < 0.35, "\(age)")
        #expect(port.heard(for: 1, orUntil: Self.stop.count * 3).bytes == Self.stop + Self.stop + Self.stop)
        var did: GuardIntervention?
        #expect(
            eventually(1) {
                did = guardian.takeIntervention()
                return did != nil
            })
        #expect(did?.wrote == true && (did?.silence ?? 0) >= 0.25 && (did?.silence ?? 1) < 0.35)
        #expect(guardian.takeIntervention() == nil, "one silence is reported once")
    }

    @Test func `a loop whose heartbeat returns is left alone, and a new silence is answered again`() throws {
        let port = try Port(), guardian = try DockGuard()
        defer { guardian.close() }
        guardian.watch(descriptor: port.near, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        #expect(port.heard(for: 1, orUntil: Self.stop.count).bytes == Self.stop)
        #expect(beats(guardian, port, for: 0.6).isEmpty)
        #expect(port.heard(for: 1, orUntil: Self.stop.count).bytes == Self.stop)
        #expect(eventually(1) { guardian.takeIntervention() != nil })
        #expect(eventually(1) { guardian.takeIntervention() != nil })
    }

    @Test func `at rest it expects nothing and writes nothing`() throws {
        let port = try Port(), guardian = try DockGuard()
        guardian.watch(descriptor: port.near, stop: Self.stop)
        #expect(port.heard(for: 0.4).bytes.isEmpty, "no heartbeat yet: nothing moves")
        guardian.beat(moving: true, now: monotonicNow())
        guardian.beat(moving: false, now: monotonicNow())
        #expect(port.heard(for: 0.6).bytes.isEmpty)
        #expect(guardian.takeIntervention() == nil && guardian.isAlive)
        guardian.release()
        guardian.close()
        #expect(port.heard(for: 0.1).bytes.isEmpty)
    }

    @Test func `a released port is free for others, and the guard does not write to it`() throws {
        let port = try Port(), guardian = try DockGuard()
        let link = try LinkOpener.open(port.path, serial: .init())
        guardian.watch(link, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        guardian.release()
        link.close()
        _ = ioctl(port.near, UInt(TIOCNXCL), 0)  // held open here, unlike a real port
        var again: (any ByteLink)?
        #expect(
            eventually(1) {
                again = try? LinkOpener.open(port.path, serial: .init())
                return again != nil
            })
        guardian.close()
        #expect(port.heard(for: 0.4).bytes.isEmpty)
        again?.close()
    }

    @Test func `a port that hangs up is let go at once, and the next one is guarded`() throws {
        let first = try Port(), second = try Port(), guardian = try DockGuard()
        guardian.watch(descriptor: first.near, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        let held = "/proc/\(guardian.process)/fd/4"
        #expect(eventually(1) { !word(held).isEmpty })
        first.unplug()
        #expect(eventually(0.2) { word(held).isEmpty })
        #expect(guardian.takeIntervention() == nil)
        guardian.watch(descriptor: second.near, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        #expect(second.heard(for: 1, orUntil: Self.stop.count).bytes == Self.stop)
        guardian.close()
    }
}
