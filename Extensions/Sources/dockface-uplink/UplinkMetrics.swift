import DockTypes
import ExtensionKit
import Networking
import Synchronization

/// A figure for monitoring.
struct UplinkFigure: Sendable, Equatable {
    enum Kind: String, Sendable { case gauge, counter }

    var name: String
    var kind: Kind
    var help: String
    /// What it is now, or nil if it is unknown.
    var value: Double?

    init(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        (self.name, self.kind, self.help, self.value) = (name, kind, help, value)
    }

    init(_ name: String, _ help: String, _ value: Double?) { self.init(name, .gauge, help, value) }

    /// The figures in the text form of Prometheus. Those that are unknown are left out.
    static func text(_ figures: [UplinkFigure]) -> String {
        figures.compactMap { figure -> String? in
            guard let value = figure.value, value.isFinite else { return nil }
            let name = "dockface_uplink_\(figure.name)", isWhole = value == value.rounded() && abs(value) < 1e15
            let number = isWhole ? String(Int(value)) : String(value)
            return "# HELP \(name) \(figure.help)\n# TYPE \(name) \(figure.kind.rawValue)\n\(name) \(number)\n"
        }.joined()
    }
}

/// The page of figures and its server.
struct ServedMetrics: Sendable {
    let page = MetricsPage(), server: WebSocketServer

    /// Listens on this machine.
    /// - Throws: `portBusy`, `permission`, `cannotOpen`.
    init(port: Int) async throws(DockError) { server = try await page.listen(port: port) }
}

/// A page with the figures of the uplink, for this machine only.
final class MetricsPage: Sendable {
    private let newest = Mutex("")

    /// Receives the figures of now.
    func update(_ figures: [UplinkFigure]) { newest.withLock { $0 = UplinkFigure.text(figures) } }

    /// Listens on this machine.
    /// - Throws: `portBusy`, `permission`, `cannotOpen`.
    func listen(port: Int) async throws(DockError) -> WebSocketServer {
        try await WebSocketServer(
            ServerPlan(host: "127.0.0.1", port: port), accepts: { _ in false },
            page: { [self] path, _ in
                path == "/metrics" ? ServedPage(text: newest.withLock { $0 }) : nil
            })
    }
}
