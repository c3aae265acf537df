import Aerie
import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import Networking
import Synchronization
import Uplink

/// The running uplink: it passes pictures and skeletons from the daemon to the conversation, and what the server reports
/// back to the daemon.
final class UplinkRun: Sendable {
    private let session: ExtensionSession
    private let settings: UplinkSettings
    private let identity: UplinkIdentity
    private let route: ServerRoute
    private let source: PictureSource
    private let people: PeopleBoard
    private let state = Mutex(UplinkState.off)
    private let dock = Mutex<Dock?>(nil)
    /// The number of requests to change the sign, so that an older one does not come after a newer one.
    private let signRequests = Mutex(0)

    init(
        _ session: ExtensionSession, _ settings: UplinkSettings, _ identity: UplinkIdentity, _ route: ServerRoute
    ) {
        (self.session, self.settings, self.identity, self.route) = (session, settings, identity, route)
        let rig = RigKnowledge(settings)
        source = PictureSource(settings, rig, log: session.log)
        people = PeopleBoard(rig, device: identity.device)
    }

    /// Sends until the task is cancelled.
    func run() async throws {
        for line in beginning { session.log.note(line) }
        session.report(.starting, "waiting for the daemon")
        let connected = try await session.connect()
        dock.withLock { $0 = connected }
        let route = route
        var terms = settings.terms
        terms.isEncrypted = route.isEncrypted
        let conversation = UplinkConversation(identity, terms, desk: self) { try await route.plan() }
        await withTaskGroup { group in
            group.addTask { await conversation.run() }
            group.addTask { await self.source.run(connected, conversation) }
            group.addTask { await self.people.run(connected) }
            group.addTask { await self.report(conversation) }
            group.addTask {
                // Another daemon may have no screen.
                for await _ in connected.connections { conversation.signLost() }
            }
            await group.next()
            group.cancelAll()
        }
        // This task is cancelled, and its calls would have no effect.
        await Task { await self.clear(connected) }.value
    }

    /// What is sent, where to, and how it ends, before anything is.
    private var beginning: [String] {
        let what = settings.sendsPictures ? "pictures (faces are visible) and skeletons" : "skeletons, and no pictures,"
        var lines = ["sends \(what) to \(route.url) until Ctrl-C; the robot is \"\(identity.name)\""]
        if !route.isEncrypted {
            lines.append("without encryption: everyone in the network can see what is sent")
        }
        switch settings.link.trust {
        case .proof: break
        case .tls: lines.append("the server does not have to prove that it knows the secret (trust = \"tls\")")
        case .any: lines.append("any server at that address gets what is sent (trust = \"any\")")
        }
        return lines
    }

    private func clear(_ dock: Dock) async {
        _ = try? await dock.setIndicator("live", .off, text: "")
        try? await dock.removeLayer(PeopleBoard.layer)
        try? await dock.closePictures()
    }

    private func report(_ conversation: UplinkConversation) async {
        repeat {
            session.beat()
            let readout = await conversation.readout, state = state.withLock { $0 }
            let (reported, text) = UplinkWords.report(
                state, readout, problem: source.problem, server: settings.server)
            session.report(reported, text)
        } while (try? await Task.sleep(for: .seconds(1))) != nil
    }
}

extension UplinkRun: UplinkDesk {
    func sign() async -> String? {
        guard let dock = dock.withLock({ $0 }) else { return "there is no daemon" }
        signRequests.withLock { $0 += 1 }
        do throws(DockError) {
            let text = settings.sendsPictures ? "pictures" : "skeletons"
            let isVisible = try await dock.setIndicator("live", .on, text: text)
            guard isVisible || !settings.needsScreen else {
                return "this robot has no screen; `sign = \"none\"` in uplink.toml sends all the same"
            }
            return nil
        } catch {
            return error.message
        }
    }

    func payload(_ shape: FrameShape) async -> [UInt8]? { source.payload(shape) }

    func note(_ news: UplinkNews) {
        switch news {
        case .state(let new, let words):
            let before = state.withLock { state in
                defer { state = new }
                return state
            }
            switch new {
            case .paused, .streaming: if !before.isConnected { session.log.note(words) }
            case .off: session.log.note(words)
            // The machine writes why, and does not repeat itself with each attempt.
            case .connecting, .authenticating, .waiting, .refused: break
            }
            if before.isConnected, !new.isConnected, let dock = dock.withLock({ $0 }) {
                let request = signRequests.withLock { count in
                    count += 1
                    return count
                }
                Task {
                    guard signRequests.withLock({ $0 == request }) else { return }
                    _ = try? await dock.setIndicator("live", .trying, text: "no server")
                }
            }
        case .log(let text, let isWarning):
            if isWarning { session.log.warning(text) } else { session.log.note(text) }
        case .people(let report, let time): people.update(report, time: time)
        }
    }
}

extension UplinkState {
    /// Whether the server knows this robot.
    var isConnected: Bool { self == .paused || self == .streaming }
}
