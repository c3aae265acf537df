import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DockClient

/// A client that waits until a busy daemon accepts it.
@Suite struct ConnectSignalTests {
    @Test func `a signal does not end the wait for a daemon that is slow to accept`() throws {
        let path = TestServer.freePath()
        mkdir(ControlSocketPath.folder(of: path), 0o700)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let first = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer {
            for open in [listener, first] { close(open) }
            unlink(path)
            rmdir(ControlSocketPath.folder(of: path))
        }
        try #require(ControlSocketPath.withAddress(path) { bind(listener, $0, $1) } == 0 && listen(listener, 0) == 0)
        // The only place is taken, so the next client waits.
        try #require(ControlSocketPath.withAddress(path) { connect(first, $0, $1) } == 0)
        // A handler that interrupts calls, unlike one that is set by `signal`.
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGUSR2, &action, nil)
        let client = Atomic<UInt>(0), result = Mutex<Result<Void, any Error>?>(nil), threads = ThreadGroup()
        threads.start {
            // The thread of a test blocks most signals, and those that it starts do, too.
            var allowed = sigset_t()
            sigemptyset(&allowed)
            sigaddset(&allowed, SIGUSR2)
            pthread_sigmask(SIG_UNBLOCK, &allowed, nil)
            client.store(UInt(pthread_self()), ordering: .releasing)
            let found = Result<Void, any Error> { _ = try LineChannel(path: path, timeout: 30) }
            result.withLock { $0 = found }
        }
        #expect(eventually { client.load(ordering: .acquiring) != 0 })
        // It waits for room from some moment on; signals come before that and after.
        #expect(
            !eventually(0.2) {
                guard result.withLock({ $0 == nil }) else { return true }
                pthread_kill(pthread_t(client.load(ordering: .acquiring)), SIGUSR2)
                return false
            })
        close(accept(listener, nil, nil))
        threads.wait()
        #expect(throws: Never.self) { try result.withLock { try $0?.get() } }
    }
}
