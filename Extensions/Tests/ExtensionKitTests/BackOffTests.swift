import DockTypes
import Testing

@testable import ExtensionKit

@Suite struct BackOffTests {
    @Test func `the delay doubles up to 2 s, and starts again after a success`() {
        var backOff = BackOff()
        let delays = (0..<7).map { _ in backOff.failed() }
        #expect(delays == [0.1, 0.2, 0.4, 0.8, 1.6, 2, 2])
        backOff.succeeded()
        #expect(backOff.failed() == 0.1)
    }
}

@Suite struct DaemonSearchTests {
    private static let absent = DockError(.notConnected, "nothing listens", hint: "start it")

    @Test func `a missing daemon is waited for, and named once`() {
        var search = DaemonSearch(path: "/run/x.sock")
        let text = "waiting for the daemon at /run/x.sock: start it with `dockface run`"
        #expect(search.failed(Self.absent) == .wait(0.1, saying: text))
        #expect(search.failed(Self.absent) == .wait(0.2, saying: nil))
    }

    @Test func `a daemon that hangs is another reason, which is also named once`() {
        var search = DaemonSearch(path: "s")
        _ = search.failed(Self.absent)
        let silent = DockError(.timeout, "no answer", hint: "")
        #expect(search.failed(silent) == .wait(0.2, saying: "waiting for the daemon at s: no answer"))
        #expect(search.failed(silent) == .wait(0.4, saying: nil))
    }

    @Test(arguments: [DockError.Code.permission, .protocolError, .cannotOpen])
    func `an error that waiting does not solve is the end`(code: DockError.Code) {
        var search = DaemonSearch(path: "s")
        let error = DockError(code, "no", hint: "")
        #expect(search.failed(error) == .giveUp(error))
    }
}
