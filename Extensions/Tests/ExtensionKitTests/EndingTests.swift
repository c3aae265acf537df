import DockTypes
import Glibc
import Testing

@testable import ExtensionKit

@Suite struct StopWishTests {
    @Test func `the first signal cancels the work, and others do not shorten its time`() {
        var request = StopRequest()
        #expect(request.received(SIGINT, now: 10) == .cancel)
        #expect(request.received(SIGTERM, now: 10.1) == .none)
        #expect(request.received(SIGINT, now: 10.2) == .none, "a terminal and a parent may send the same Ctrl-C")
        #expect(request.first == SIGINT && request.overdueStatus == 130)
    }

    @Test func `a person who presses Ctrl-C again ends the process at once`() {
        var request = StopRequest()
        _ = request.received(SIGINT, now: 10)
        #expect(request.received(SIGINT, now: 10.6) == .endNow(130))
    }

    @Test func `work that ignores TERM ends with status 143`() {
        var request = StopRequest()
        _ = request.received(SIGTERM, now: 0)
        #expect(request.overdueStatus == 143)
    }
}

@Suite struct ExtensionEndingTests {
    private struct Odd: Error, CustomStringConvertible { var description: String { "odd" } }

    private static func ending(_ error: (any Error)?, _ signal: Int32? = nil) -> ExtensionEnding {
        ExtensionEnding(error.map { .failure($0) } ?? .success(()), signal: signal)
    }

    @Test func `work that ends by itself has status 0`() {
        #expect(Self.ending(nil).exitStatus == 0 && Self.ending(nil).complaint == nil)
    }

    @Test func `errors of a cancelled task do not count after a signal`() {
        let cancelled = DockError(.timeout, "the task was cancelled", hint: "")
        for error in [CancellationError(), cancelled] as [any Error] {
            #expect(Self.ending(error, SIGINT) == .done && Self.ending(error, SIGTERM) == .stopped(SIGTERM))
        }
        #expect(Self.ending(cancelled).exitStatus == 69)
    }

    @Test func `work that a signal has ended is not work that is done, except with Ctrl-C`() {
        #expect(Self.ending(nil, SIGTERM).exitStatus == 143 && Self.ending(nil, SIGHUP).exitStatus == 129)
        #expect(Self.ending(nil, SIGTERM).complaint == nil && Self.ending(nil, SIGINT).exitStatus == 0)
    }

    @Test func `a failure while it ends still counts`() {
        let full = DockError(.cannotOpen, "the disk is full", hint: "free some space")
        let ending = Self.ending(full, SIGTERM)
        #expect(ending.exitStatus == 69 && ending.complaint == "the disk is full; free some space")
    }

    @Test func `each kind of error has its status`() {
        #expect(Self.ending(DockError(.permission, "", hint: "")).exitStatus == 77)
        #expect(Self.ending(DockError(.portBusy, "", hint: "")).exitStatus == 75)
        #expect(Self.ending(DockError(.configuration, "", hint: "")).exitStatus == 78)
        #expect(Self.ending(Odd()).exitStatus == 70 && Self.ending(Odd()).complaint == "odd")
    }
}
