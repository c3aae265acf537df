import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import LiveStream
import Synchronization
import Uplink

/// A stream of the camera's pictures to a media server, by ffmpeg.
final class StreamOutput: UplinkOutput {
    private let address: StreamAddress
    private let rate: Double
    private let live: LiveSign
    private let log: ExtensionLog
    private let sign: OutputSign
    private let sender: StreamSender
    private let clock = Mutex(FrameClock())

    /// Starts the thread of the stream. Nothing is sent before the robot shows it.
    /// - Throws: `configuration` if no pictures may be sent; `limitReached`.
    init(
        _ address: StreamAddress, _ settings: UplinkSettings, live: LiveSign, log: ExtensionLog
    ) throws(DockError) {
        guard settings.sendsPictures else {
            throw DockError(
                .configuration, "a stream has pictures, but only skeletons are to be sent",
                hint: "leave the stream out, or set `send` to \"pictures\"")
        }
        (self.address, self.live, self.log) = (address, live, log)
        rate = min(settings.rate, 30)
        sign = OutputSign(needsScreen: settings.needsScreen) { dock throws(DockError) in
            try await live.show("stream", .on, "pictures", on: dock)
        }
        var stream = StreamSettings(address)
        stream.rate = rate
        let said = Mutex<String?>(nil)
        sender = try StreamSender(stream) { state in
            switch state {
            case .idle, .connecting: break
            case .sending:
                said.withLock { $0 = nil }
                log.note("the stream to \(address.shown) is running")
            case .waiting(let reason):
                // Each attempt fails for the same reason.
                guard said.withLock({ replace(&$0, with: reason) }) else { return }
                log.warning("no stream to \(address.shown): \(reason); it is tried again")
            }
        }
    }

    var beginning: [String] {
        ["sends pictures (faces are visible) to \(address.shown) until Ctrl-C"]
    }

    func receive(_ picture: TakenPicture) {
        let exposure = picture.facts.exposure
        sender.permit(sign.isShown)
        guard sign.isShown, clock.withLock({ $0.wants(exposure, rate: rate) }) else { return }
        clock.withLock { $0.advance(past: exposure, rate: rate) }
        sender.put(picture.pixels)
    }

    func receive(_ people: SeenPeople) {}

    func daemonReturned() {
        sign.lost()
        sender.permit(false)
    }

    func run(_ dock: Dock) async {
        await sign.run(dock) { self.log.warning("no pictures are sent to \(self.address.shown): \($0)") }
    }

    func clear(_ dock: Dock?) async {
        sender.stop()
        if let dock { _ = try? await live.show("stream", .off, "", on: dock) }
    }

    var figures: [UplinkFigure] {
        var pictures: Int?
        if case .sending(let count) = sender.state { pictures = count }
        return [
            UplinkFigure("stream_running", "1 if the stream is running.", pictures == nil ? 0 : 1),
            UplinkFigure("stream_pictures", "Pictures since the stream began.", Double(pictures ?? 0)),
        ]
    }

    func report(problem: String?) async -> (ExtensionState, String) {
        switch sender.state {
        case .idle: (.ready, UplinkWords.short(sign.problem ?? problem ?? "the stream waits for pictures"))
        case .connecting: (.starting, UplinkWords.short("connecting to \(address.shown)"))
        case .sending(let pictures): (.ready, "stream \(pictures) pictures")
        case .waiting(let reason): (.fault, UplinkWords.short("stream: \(reason)"))
        }
    }
}

/// Replaces a value. Returns whether it was another one.
private func replace(_ value: inout String?, with new: String) -> Bool {
    defer { value = new }
    return value != new
}
