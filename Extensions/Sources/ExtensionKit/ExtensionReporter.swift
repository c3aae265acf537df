internal import ControlProtocol
internal import DockClient
internal import DockTypes
internal import Geometry

/// Reports the state of an extension to the daemon and to systemd, every two seconds and after each change, as long as
/// its work goes on.
///
/// It has a connection of its own. Each request of a connection renews that connection's lease, and the daemon must
/// take the lease from an extension whose work hangs, although its reports go on.
struct ExtensionReporter: Sendable {
    let session: ExtensionSession
    /// The service manager, or nil if the extension is no service.
    var service: ServiceNotice?

    /// The time between two reports, in seconds.
    private var period: Seconds { min(ExtensionTimes.report, (service?.timeout ?? .infinity) / 3) }

    /// Reports until the task is cancelled.
    func run() async {
        service?.ready()
        await withTaskGroup { group in
            group.addTask {
                while (try? await Task.sleep(for: .seconds(period))) != nil { session.remind() }
            }
            await report()
            group.cancelAll()
        }
        service?.stopping()
    }

    private func report() async {
        var rule = ReportRule(), dock: Dock?
        for await _ in session.reports {
            guard session.isAtWork(now: SystemTime.monotonic) else { continue }
            let state = session.state
            service?.live(ReportRule.words(state.state, state.text))
            guard let path = state.path else { continue }
            // It fails only while the daemon is away; the next reminder tries again.
            if dock == nil { dock = try? await Dock.connect(path: path, timeout: 1) }
            guard let dock, case .connected(let greeting) = dock.connection, rule.reaches(greeting) else { continue }
            let parameters = ReportRule.parameters(session.identity, state.state, state.text)
            do throws(DockError) {
                _ = try await dock.call("setExtension", parameters, timeout: ExtensionTimes.report)
            } catch {
                if let text = rule.failed(error, by: greeting) { session.log.warning(text) }
            }
        }
    }
}
