internal import DockClient
internal import DockTypes

/// Reports the state of an extension to the daemon, every two seconds and after each change.
///
/// It has a connection of its own. Each request of a connection renews that connection's lease, and the daemon must
/// take the lease from an extension whose work hangs, although its reports go on.
struct ExtensionReporter: Sendable {
    let session: ExtensionSession

    /// Reports until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask {
                while (try? await Task.sleep(for: .seconds(ReportRule.period))) != nil { session.remind() }
            }
            await report()
            group.cancelAll()
        }
    }

    private func report() async {
        var rule = ReportRule(), dock: Dock?
        for await _ in session.reports {
            let state = session.state
            guard let path = state.path else { continue }
            // It fails only while the daemon is away; the next reminder tries again.
            if dock == nil { dock = try? await Dock.connect(path: path, timeout: 1) }
            guard let dock, case .connected(let greeting) = dock.connection, rule.reaches(greeting) else { continue }
            let parameters = ReportRule.parameters(session.identity, state.state, state.text)
            do throws(DockError) {
                _ = try await dock.call("setExtension", parameters, timeout: ReportRule.period)
            } catch {
                if let text = rule.failed(error, by: greeting) { session.log.warning(text) }
            }
        }
    }
}
