import Aerie
import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import Networking
import SpatialModel
import Synchronization
import Uplink

/// The way to a server: pictures and skeletons to the conversation, and what the server reports back to the daemon.
final class ServerOutput: UplinkOutput {
    private let settings: UplinkSettings
    private let identity: UplinkIdentity
    private let route: ServerRoute
    private let log: ExtensionLog
    private let live: LiveSign
    private let frames: ServerFrames
    private let board: PeopleBoard
    /// nil if the head does not turn toward people whom only others see.
    private let lookout: LookoutPost?
    private let reported: @Sendable (PoseReport, Double) -> Void
    private let shared = Mutex(Shared())

    private struct Shared {
        var state = UplinkState.off
        var dock: Dock?
        var conversation: UplinkConversation?
        /// The number of requests to change the sign, so that an older one does not come after a newer one.
        var signRequests = 0
    }

    /// - Parameter reported: also receives what the server says of people, with its time, CLOCK_MONOTONIC.
    init(
        _ settings: UplinkSettings, _ identity: UplinkIdentity, _ route: ServerRoute, rig: RigKnowledge,
        log: ExtensionLog, live: LiveSign, reported: @escaping @Sendable (PoseReport, Double) -> Void
    ) {
        (self.settings, self.identity, self.route) = (settings, identity, route)
        (self.log, self.live, self.reported) = (log, live, reported)
        frames = ServerFrames(settings, rig) { log.warning($0) }
        board = PeopleBoard(rig, device: identity.device)
        lookout = settings.follows ? LookoutPost(rig: rig, board: board, log: log, device: identity.device) : nil
    }

    var beginning: [String] {
        let what = settings.sendsPictures ? "pictures (faces are visible) and skeletons" : "skeletons, and no pictures,"
        var lines = ["sends \(what) to \(route.url) until Ctrl-C; the robot is \"\(identity.name)\""]
        if !route.isEncrypted {
            lines.append("without encryption: everyone in the network can see what is sent")
        }
        if settings.undistorts, settings.sendsPictures {
            lines.append("pictures are sent without the distortion of the lens, if it was calibrated")
        }
        if settings.follows { lines.append("the head may turn toward people whom only others see") }
        switch settings.link.trust {
        case .proof: break
        case .tls: lines.append("the server does not have to prove that it knows the secret (trust = \"tls\")")
        case .any: lines.append("any server at that address gets what is sent (trust = \"any\")")
        }
        return lines
    }

    func receive(_ picture: TakenPicture) {
        let isStill = frames.receive(picture)
        conversation?.pictured(exposure: picture.facts.exposure, isStill: isStill)
    }

    func receive(_ people: SeenPeople) { frames.receive(people) }

    func daemonReturned() { conversation?.signLost() }

    private var conversation: UplinkConversation? { shared.withLock { $0.conversation } }

    func run(_ dock: Dock) async {
        let route = route
        var terms = settings.terms
        terms.isEncrypted = route.isEncrypted
        let conversation = UplinkConversation(identity, terms, desk: self) { try await route.plan() }
        shared.withLock { ($0.dock, $0.conversation) = (dock, conversation) }
        await withTaskGroup { group in
            group.addTask { await conversation.run() }
            group.addTask { await self.board.run(dock) }
            if let lookout { group.addTask { await lookout.run(dock) } }
            await group.next()
            group.cancelAll()
        }
    }

    func clear(_ dock: Dock?) async {
        frames.stop()
        guard let dock else { return }
        _ = try? await live.show("server", .off, "", on: dock)
        try? await dock.removeLayer(PeopleBoard.layer)
    }

    var figures: [UplinkFigure] {
        get async {
            let readout = await conversation?.readout ?? UplinkReadout(), state = shared.withLock { $0.state }
            let isVideo = readout.shape.isVideo && frames.sendsVideo
            return [
                UplinkFigure("connected", "1 if the server knows this robot.", state.isConnected ? 1 : 0),
                UplinkFigure("sent_total", .counter, "Pictures that were sent.", Double(readout.sent)),
                UplinkFigure("dropped_total", .counter, "Pictures that were left out.", Double(readout.dropped)),
                UplinkFigure("rate", "Pictures a second that the server has read.", readout.rate),
                UplinkFigure("bits_per_second", "Bits a second that were sent.", readout.megabits * 1e6),
                UplinkFigure("width", "The greatest width of a picture, in pixels.", Double(readout.shape.width)),
                UplinkFigure("video", "1 if pictures are sent as H.264.", isVideo ? 1 : 0),
                UplinkFigure("round_trip_seconds", "The way there and back.", readout.roundTrip),
                UplinkFigure("picture_age_seconds", "The age of the last picture at the server.", readout.age),
                UplinkFigure("people_age_seconds", "The age of the last report of people.", readout.peopleAge),
            ]
        }
    }

    func report(problem: String?) async -> (ExtensionState, String) {
        var readout = await conversation?.readout ?? UplinkReadout()
        readout.shape.isVideo = readout.shape.isVideo && frames.sendsVideo
        return UplinkWords.report(
            shared.withLock { $0.state }, readout, problem: problem ?? frames.problem, server: settings.server)
    }
}

extension ServerOutput: UplinkDesk {
    func sign() async -> String? {
        let dock = shared.withLock { shared in
            shared.signRequests += 1
            return shared.dock
        }
        guard let dock else { return "there is no daemon" }
        do throws(DockError) {
            let text = settings.sendsPictures ? "pictures" : "skeletons"
            let isVisible = try await live.show("server", .on, text, on: dock)
            guard isVisible || !settings.needsScreen else {
                return "this robot has no screen; `sign = \"none\"` in uplink.toml sends without one"
            }
            return nil
        } catch {
            return error.message
        }
    }

    func payload(_ shape: FrameShape) async -> [UInt8]? { await frames.payload(shape) }

    func keyFrame() { frames.keyFrame() }

    func note(_ news: UplinkNews) {
        switch news {
        case .state(let new, let words): changed(to: new, words)
        case .log(let text, let isWarning): if isWarning { log.warning(text) } else { log.note(text) }
        case .people(let report, let time):
            board.update(report, time: time)
            reported(report, time)
        }
    }

    private func changed(to new: UplinkState, _ words: String) {
        let before = shared.withLock { shared in
            defer { shared.state = new }
            return shared.state
        }
        switch new {
        case .paused, .streaming: if !before.isConnected { log.note(words) }
        case .off: log.note(words)
        // The machine writes why, and does not repeat itself with each attempt.
        case .connecting, .authenticating, .waiting, .refused: break
        }
        guard before.isConnected, !new.isConnected, let dock = shared.withLock({ $0.dock }) else { return }
        let request = shared.withLock { shared in
            shared.signRequests += 1
            return shared.signRequests
        }
        Task {
            guard shared.withLock({ $0.signRequests == request }) else { return }
            _ = try? await live.show("server", .trying, "no server", on: dock)
        }
    }
}

extension UplinkState {
    /// Whether the server knows this robot.
    var isConnected: Bool { self == .paused || self == .streaming }
}
