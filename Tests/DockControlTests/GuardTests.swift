import CPosix
import DockControl
import DockSimulator
import Geometry
import Glibc
import Synchronization
import TestSupport
import Testing

/// The guard's process alone, on a pseudo-terminal: what it writes, and above all when it writes nothing.
@Suite(.serialized, .timeLimit(.minutes(1))) struct GuardTests {
    static let stop: [UInt8] = [0, 0xAA, 0x55, 0x01, 0]

    /// Both ends of a port; the near one is what a daemon holds, the far one the dock.
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

        func closeNear() {
            Glibc.close(near)
            near = -1
        }

        /// The bytes that come within a time, and when the first of them came.
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

    /// Beats as a moving loop does for a time, and gives what the port heard meanwhile.
    func beats(_ guardian: DockGuard, _ port: Port, for seconds: Double) -> [UInt8] {
        let end = monotonicNow() + seconds
        var heard: [UInt8] = []
        while monotonicNow() < end {
            guardian.beat(moving: true, now: monotonicNow())
            heard += port.heard(for: 0.05).bytes
        }
        return heard
    }

    /// A packet that brings two descriptors.
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

    /// Whether one that was renewed reports.
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
        // A link that is gone, or comes just now: what it leads to is not read, it could wait for ever.
        guard !path.contains("/fd/"), let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        return fgets(&text, 256, file) == nil
            ? "" : String(decoding: text.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func `it is a process of its own: name, session, folder, four descriptors at most`() throws {
        let port = try Port(), guardian = try DockGuard()
        #expect(guardian.isAlive && guardian.threadsAtStart > 1, "this process has others")
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

    @Test func `when the daemon is gone it writes the stop twice, at once, and ends`() throws {
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
        #expect(guardian.takeIntervention() == nil, "one silence is told once")
    }

    @Test func `a loop that beats again is left alone, and a new silence is answered anew`() throws {
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
        #expect(port.heard(for: 0.4).bytes.isEmpty, "no beat yet: nothing moves")
        guardian.beat(moving: true, now: monotonicNow())
        guardian.beat(moving: false, now: monotonicNow())
        #expect(port.heard(for: 0.6).bytes.isEmpty)
        #expect(guardian.takeIntervention() == nil && guardian.isAlive)
        guardian.release()
        guardian.close()
        #expect(port.heard(for: 0.1).bytes.isEmpty)
    }

    @Test func `what was released is free for others, and is not written to`() throws {
        let port = try Port(), guardian = try DockGuard()
        let link = try LinkOpener.open(port.path, serial: .init())
        guardian.watch(link, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        guardian.release()
        link.close()
        _ = ioctl(port.near, UInt(TIOCNXCL), 0)  // held open here, which no real port is
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

    @Test func `a flood of beats is no trouble`() throws {
        let port = try Port(), guardian = try DockGuard()
        defer { guardian.close() }
        guardian.watch(descriptor: port.near, stop: Self.stop)
        let end = monotonicNow() + 0.6
        var sent = 0
        while monotonicNow() < end {
            if cposix_guard_beat(guardian.descriptor, true, monotonicNow()) == 0 { sent += 1 }
        }
        #expect(sent > 1000)
        #expect(port.heard(for: 0.1).bytes.isEmpty)
        #expect(port.heard(for: 1, orUntil: Self.stop.count).bytes == Self.stop, "and then it is silent")
    }

    @Test func `rubbish on its channel changes nothing`() throws {
        let port = try Port(), guardian = try DockGuard()
        guardian.watch(descriptor: port.near, stop: Self.stop)
        var random = SystemRandomNumberGenerator()
        for size in [0, 1, 2, 3, 15, 16, 17, 20, 272, 273, 4000] {
            for kind in [0, 4, 200, 255] as [UInt8] {
                var bytes = (0..<max(size, 1)).map { _ in UInt8.random(in: 0...255, using: &random) }
                bytes[0] = kind
                _ = send(guardian.descriptor, bytes, size, Int32(MSG_NOSIGNAL))
            }
            // Right kinds of a wrong size; a watch without a port.
            for kind in [1, 2, 3] as [UInt8] where size != 16 {
                let bytes = [kind] + [UInt8](repeating: 9, count: max(size, 1) - 1)
                _ = send(guardian.descriptor, bytes, size, Int32(MSG_NOSIGNAL))
            }
        }
        // Descriptors that nobody asked for do not stay.
        for size in [0, 257] {
            #expect(cposix_guard_watch(guardian.descriptor, port.near, Self.stop, size, 0.25) == -1 && errno == EINVAL)
        }
        for kind in [0, 2, 7] as [UInt8] {
            sendWithPorts([kind] + [UInt8](repeating: 0, count: 15), port.near, guardian)
        }
        #expect(beats(guardian, port, for: 0.4).isEmpty && guardian.isAlive)
        #expect(word("/proc/\(guardian.process)/fd/5").isEmpty)
        #expect(port.heard(for: 1, orUntil: Self.stop.count).bytes == Self.stop)
        guardian.close()
        #expect(!isRunning(guardian.process) || guardian.process == 0)
    }

    @Test func `signals that end others do not end it; killed, it is replaced under the same number`() throws {
        let port = try Port(), guardian = try DockGuard()
        let first = guardian.process, number = guardian.descriptor
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE] { kill(first, signal) }
        guardian.watch(descriptor: port.near, stop: Self.stop)
        #expect(beats(guardian, port, for: 0.3).isEmpty && guardian.isAlive)
        kill(first, SIGKILL)
        #expect(
            eventually(1) {
                _ = guardian.takeIntervention()
                return !guardian.isAlive
            })
        #expect(guardian.renew() && guardian.process != first && guardian.descriptor == number)
        #expect(!guardian.isAlive && guardian.isAwaited, "its report is not waited for")
        #expect(stands(guardian))
        guardian.watch(descriptor: port.near, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        #expect(port.heard(for: 1, orUntil: Self.stop.count).bytes == Self.stop)
        guardian.close()
        #expect(!guardian.renew(), "closed is closed")
    }

    @Test func `only a child is killed, however its number came to be another's`() throws {
        // A grandchild stands for the stranger who has the number now.
        let shell = try Program(["-c", "sleep 60 & echo $!; exec sleep 60"], Self.shell)
        let line = try #require(shell.line()), stranger = try #require(Int32(line))
        #expect(cposix_child_end(stranger), "gone, as far as this process knows")
        #expect(isRunning(stranger) && isRunning(shell.id))
        _ = eventually(1) { cposix_child_end(shell.id) }
        #expect(!isRunning(shell.id) && isRunning(stranger))
        kill(stranger, SIGKILL)
    }

    @Test func `a guard that another part of the process has reaped is replaced, and nobody is killed for it`() throws {
        let guardian = try DockGuard()
        let first = guardian.process
        kill(first, SIGKILL)
        var status: Int32 = 0
        #expect(waitpid(first, &status, 0) == first)
        #expect(guardian.renew() && stands(guardian) && guardian.process != first)
        guardian.close()
    }

    @Test func `one that is killed by its renewal is reaped a moment later, not at the end`() throws {
        let guardian = try DockGuard()
        let first = guardian.process
        // Alive and well: it cannot be at its end when the renewal returns.
        #expect(guardian.renew() && stands(guardian))
        #expect(
            eventually(1) {
                guardian.beat(moving: false, now: monotonicNow())
                return !isRunning(first)
            }, "no zombie stays")
        guardian.close()
    }

    private static var shell: Program.Setup {
        var setup = Program.Setup()
        setup.path = "/bin/sh"
        return setup
    }

    @Test func `one that is held up and reads nothing counts as gone after about a second of beats`() throws {
        let port = try Port(), guardian = try DockGuard()
        guardian.watch(descriptor: port.near, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        #expect(eventually(1) { !word("/proc/\(guardian.process)/fd/4").isEmpty })
        kill(guardian.process, SIGSTOP)
        var count = 0
        while guardian.isAlive, count < 1000 {
            guardian.beat(moving: true, now: monotonicNow())
            count += 1
        }
        #expect(count > 8 && count < 60, "\(count) beats, 50 ms apart")
        #expect(guardian.renew() && stands(guardian))
        #expect(port.heard(for: 0.1).bytes.isEmpty, "the one that was held up did not write")
        guardian.close()
    }

    @Test func `a port that takes nothing does not hold it up for long`() throws {
        let port = try Port(), guardian = try DockGuard()
        let link = try LinkOpener.open(port.path, serial: .init())
        let block = [UInt8](repeating: 7, count: 4096)
        while link.write(block) {}
        guardian.watch(link, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        let start = monotonicNow()
        #expect(eventually(2) { guardian.takeIntervention() != nil })
        #expect(monotonicNow() - start < 0.7)
        guardian.close()
        #expect(monotonicNow() - start < 1.8)
    }

    @Test func `what a beat costs`() throws {
        let port = try Port(), guardian = try DockGuard()
        guardian.watch(descriptor: port.near, stop: Self.stop)
        let start = monotonicNow()
        var pulse = GuardPulse(), sent = 0, refused = 0
        let count = 20_000
        for _ in 0..<count {
            if cposix_guard_beat(guardian.descriptor, true, start) == 0 { sent += 1 } else { refused += 1 }
        }
        let each = (monotonicNow() - start) / Double(count)
        let before = monotonicNow()
        var due = 0
        for number in 0..<1_000_000 where pulse.isDue(moving: true, now: Double(number) * 1e-6) { due += 1 }
        let policy = (monotonicNow() - before) / 1e6
        print(
            "guard: \(Int(each * 1e9)) ns a beat (\(sent) taken, \(refused) found no room), policy \(policy * 1e9) ns")
        #expect(each < 0.000_2 && due > 10)
        guardian.close()
    }
}

@Suite struct GuardPulseTests {
    @Test func `the first motion and the last are told at once, in between every 50 ms, at rest nothing`() {
        var pulse = GuardPulse(), beats: [Double] = []
        for tick in 0...300 {
            let now = 10 + Double(tick) / 100
            let moving = tick >= 50 && tick < 200
            if pulse.isDue(moving: moving, now: now) { beats.append(now) }
        }
        #expect(beats.first == 10.5)
        #expect(abs((beats.last ?? 0) - 12) < 1e-9)
        #expect(beats.count == 31, "\(beats.count)")
        for (a, b) in zip(beats, beats.dropFirst().dropLast()) { #expect(abs(b - a - 0.05) < 0.011) }
    }

    @Test func `a loop that turns 20 times a second beats in every turn, whatever the timer's jitter`() {
        var pulse = GuardPulse()
        var random = SystemRandomNumberGenerator()
        for turn in 0..<1000 {
            let now = Double(turn) / 20 + Double.random(in: -0.000_9...0.000_9, using: &random)
            let isDue = pulse.isDue(moving: true, now: now)
            #expect(isDue)
        }
    }

    @Test func `motion that begins and ends within one interval is told both times`() {
        var pulse = GuardPulse()
        let calls = [(true, 1), (true, 1.01), (false, 1.02), (false, 1.5), (true, 1.51)]
        #expect(calls.map { pulse.isDue(moving: $0.0, now: $0.1) } == [true, false, true, false, true])
        pulse.reset()
        #expect(!pulse.isMoving)
        let isDue = pulse.isDue(moving: true, now: 1.52)
        #expect(isDue, "another guard knows of nothing")
    }

    @Test func `a clock that goes back does not silence it`() {
        var pulse = GuardPulse()
        #expect([100, 1].map { pulse.isDue(moving: true, now: $0) } == [true, true])
    }
}

/// The real loop and the real guard on a dock that never stops by itself.
@Suite(.serialized, .timeLimit(.minutes(1))) struct HungLoopTests {
    @Test func `a loop that hangs while the dock turns is stopped by its guard, told so, and goes on`() async throws {
        var configuration = SimulatedDock.Configuration()
        configuration.hasDeadman = false
        let dock = try SimulatedDockPort(configuration: configuration)
        let loop = try DockLoop(), guardian = try DockGuard()
        // Where the bell is armed, the listener hangs until it rings.
        let bell = cposix_wake_create(), isArmed = Atomic<Bool>(false), hangs = Atomic<Bool>(false)
        let path = dock.path
        let notes = Mutex<[String]>([])
        try loop.start(
            link: try LinkOpener.open(path, serial: .init()), options: LoopOptions(profile: .dlpDock, mode: .manual),
            driver: DlpDriver(profile: .dlpDock), guardian: guardian,
            reopen: { () throws(DockError) in try LinkOpener.open(path, serial: .init()) }, makeInput: { nil },
            onSnapshot: { _ in
                guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
                hangs.store(true, ordering: .releasing)
                var wait = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
                _ = poll(&wait, 1, 5000)
            }, onEvent: { if case .note(let text) = $0 { notes.withLock { $0.append(text) } } })
        #expect(eventually { loop.latest.dock == .ready && loop.latest.pose != nil })
        _ = try await loop.perform(.velocity(.degrees(pan: 40, tilt: 0), duration: 30))
        #expect(eventually { dock.rate.magnitude > .degrees(35) })
        isArmed.store(true, ordering: .releasing)
        #expect(eventually { hangs.load(ordering: .acquiring) })
        let hung = monotonicNow()
        #expect(eventually { dock.rate.magnitude < .degrees(1) })
        let took = monotonicNow() - hung
        #expect(took > 0.2 && took < 0.25 + 0.1 + 0.25, "\(took)")
        cposix_wake_ring(bell)
        #expect(eventually { loop.latest.counters.guardStops == 1 && loop.latest.dock == .ready })
        #expect(notes.withLock { $0 }.contains { $0.hasPrefix("the guard stopped the dock: the loop was silent for") })
        #expect(dock.rate.magnitude < .degrees(0.1), "what was under way does not go on")
        _ = try await loop.perform(.velocity(.degrees(pan: -40, tilt: 0), duration: 30))
        #expect(eventually { dock.rate.magnitude > .degrees(35) })
        loop.requestStop()
        loop.join()
        #expect(loop.end.stoppedLast && loop.end.counters.guardStops == 1)
        guardian.close()
        #expect(eventually { dock.lastFrameWasStop })
        dock.close()
        close(bell)
    }
}
