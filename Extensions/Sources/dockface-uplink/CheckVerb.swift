import Aerie
import ArgumentParser
import DockTypes
import ExtensionKit
import Geometry
import Synchronization
import Uplink

struct CheckVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Connect to the server without a daemon, and report how far the connection gets.",
        discussion: "It sends no pictures and no skeletons.")

    @OptionGroup var choices: UplinkChoices

    func run() async throws {
        try await UplinkPlace.reporting { () throws(DockError) in
            let settings = try choices.settings(), route = try ServerRoute(settings)
            let time = try await ServerProbe.roundTrip(settings, route) {
                TextOutput.put("\(route.url): the server knows this robot\(Self.proof(settings))\n")
            }
            TextOutput.put("round trip: \(Int((time * 1000).rounded())) ms\n")
            if !route.isEncrypted { TextOutput.put("not encrypted: everyone in the network can read what is sent\n") }
        }
    }

    private static func proof(_ settings: UplinkSettings) -> String {
        settings.link.trust == .proof ? ", and has proved that it knows the secret" : ""
    }
}

/// A connection to the server that sends nothing, to see how far it gets.
enum ServerProbe {
    /// Returns the round trip, in seconds.
    /// - Parameter accepted: called when the server knows this robot.
    static func roundTrip(
        _ settings: UplinkSettings, _ route: ServerRoute, accepted: () -> Void = {}
    ) async throws(DockError) -> Seconds {
        let desk = CheckDesk()
        // With a name of its own, so that a running uplink of this robot stays connected.
        var identity = try UplinkPlace.identity(settings), terms = settings.terms
        identity.device += "-check"
        terms.isEncrypted = route.isEncrypted
        let conversation = UplinkConversation(identity, terms, desk: desk) { try await route.plan() }
        let work = Task { await conversation.run() }
        let result = await desk.result(within: 12)
        guard case .success = result else {
            work.cancel()
            await work.value
            try result.get()
            return 0
        }
        accepted()
        // A few heartbeats, of which the quickest counts.
        try? await Task.sleep(for: .seconds(3))
        let readout = await conversation.readout
        work.cancel()
        await work.value
        guard let time = readout.roundTrip else {
            throw DockError(.timeout, "the server answers no heartbeats", hint: "check the network")
        }
        return time
    }
}

/// Waits for the end of the first attempt.
private final class CheckDesk: UplinkDesk {
    private let states: AsyncStream<UplinkState>
    private let put: AsyncStream<UplinkState>.Continuation

    init() { (states, put) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16)) }

    func sign() async -> String? { "this is only a check" }

    func payload(_ shape: FrameShape) async -> [UInt8]? { nil }

    func keyFrame() {}

    func note(_ news: UplinkNews) { if case .state(let state, _) = news { put.yield(state) } }

    func result(within limit: Seconds) async -> Result<Void, DockError> {
        let alarm = Task {
            try? await Task.sleep(for: .seconds(limit))
            put.finish()
        }
        defer { alarm.cancel() }
        for await state in states {
            switch state {
            case .paused, .streaming: return .success(())
            case .waiting(let reason): return .failure(DockError(.notConnected, reason, hint: "check the address"))
            case .refused(let reason):
                return .failure(DockError(.permission, reason, hint: "compare secret and fingerprint on both machines"))
            case .off, .connecting, .authenticating: break
            }
        }
        return .failure(DockError(.timeout, "the server did not answer", hint: "check the address"))
    }
}
