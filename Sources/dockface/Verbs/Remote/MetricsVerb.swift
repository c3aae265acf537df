import ArgumentParser
import Companion
import DockClient
import DockControl
import DockTypes
import PlainText

/// `dockface metrics`: the running daemon's figures for a monitoring system.
struct MetricsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Print the running daemon's figures in the text format of Prometheus.",
        discussion: """
            Loop and stages (histograms), link, battery, detections, camera and detectors, processor and memory; \
            docs/SERVICE.md explains each. For node_exporter's textfile folder, from a timer:
              dockface metrics --output /var/lib/prometheus/node-exporter/dockface.prom
            """)

    @Option(
        help: ArgumentHelp(
            "Write to this file; it is replaced atomically, so a reader never sees part of it.", valueName: "path"))
    var output: String?

    @OptionGroup var remote: RemoteOptions

    func run() throws {
        let report = Report(isJSON: remote.json)
        do {
            switch try ControlClient(path: remote.socket).ask("metrics") {
            case .failure(let refusal): throw report.refusal(refusal)
            case .success(let result):
                if remote.json { return report.success(result) { _ in "" } }
                let text = ForeignText.guarded(result["text"]?.string ?? "")
                try FileBytes.replace(output ?? "-", with: Array(text.utf8))
            }
        } catch let error as DockError {
            throw report.failure(error)
        }
    }
}
