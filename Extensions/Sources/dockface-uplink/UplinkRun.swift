import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import Networking
import Uplink

/// The running uplink: pictures and skeletons of the daemon go to the outputs that the owner has chosen.
final class UplinkRun: Sendable {
    private let session: ExtensionSession
    private let outputs: [any UplinkOutput]
    private let source: PictureSource
    private let metrics: ServedMetrics?

    init(_ session: ExtensionSession, _ outputs: UplinkOutputs, _ metrics: ServedMetrics?) {
        (self.session, self.outputs, self.metrics) = (session, outputs.all, metrics)
        source = PictureSource(
            width: outputs.settings.shape.width, outputs.rig, log: session.log, outputs: outputs.all)
    }

    /// Works until the task is cancelled, or no output has more to do.
    /// - Throws: `cannotOpen` if all outputs have ended by themselves.
    func run() async throws {
        for line in outputs.flatMap(\.beginning) { session.log.note(line) }
        session.report(.starting, "waiting for the daemon")
        let connected: Dock
        do {
            connected = try await session.connect()
        } catch {
            // A file that was begun still ends.
            await clear(nil)
            throw error
        }
        await withTaskGroup { group in
            group.addTask {
                await withTaskGroup { working in
                    for output in self.outputs { working.addTask { await output.run(connected) } }
                }
            }
            group.addTask { await self.source.run(connected) }
            group.addTask { await self.report() }
            // It refuses every WebSocket, and has only the page.
            if let server = metrics?.server {
                group.addTask {
                    await server.run { _ in }
                    // The end of the page is not the end of the outputs.
                    while (try? await Task.sleep(for: .seconds(3600))) != nil {}
                }
            }
            group.addTask {
                // Another daemon may have no screen.
                for await _ in connected.connections { for output in self.outputs { output.daemonReturned() } }
            }
            await group.next()
            group.cancelAll()
        }
        let isOver = !Task.isCancelled
        // This task may be cancelled, and its calls would have no effect.
        await Task { await self.clear(connected) }.value
        if isOver { throw DockError(.cannotOpen, "nothing is left to do", hint: "read the lines above") }
    }

    /// At once for all of them: a daemon that hangs must not keep a file from its end.
    private func clear(_ dock: Dock?) async {
        await withTaskGroup { group in
            for output in outputs { group.addTask { await output.clear(dock) } }
        }
        try? await dock?.closePictures()
    }

    private func report() async {
        repeat {
            session.beat()
            var reports: [(ExtensionState, String)] = []
            for output in outputs { reports.append(await output.report(problem: source.problem)) }
            let (state, text) = UplinkWords.merged(reports)
            session.report(state, text)
            guard let metrics else { continue }
            var figures: [UplinkFigure] = []
            for output in outputs { figures += await output.figures }
            metrics.page.update(figures)
        } while (try? await Task.sleep(for: .seconds(1))) != nil
    }
}
