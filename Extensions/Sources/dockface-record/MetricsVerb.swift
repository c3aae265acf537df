import ArgumentParser
import DockTypes
import ExtensionKit
import Files
import VideoRecorder

struct MetricsVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Print the figures of the recordings in the text format of Prometheus.",
        discussion: """
            For node_exporter's textfile folder, from a timer:
              dockface record metrics --output /var/lib/prometheus/node-exporter/dockface-record.prom
            """)

    @OptionGroup var place: RecordPlace

    @Option(
        help: ArgumentHelp(
            "Write to this file; it is replaced atomically, so a reader never sees part of it.", valueName: "path"))
    var output: String?

    func run() async throws {
        try await RecordPlace.reporting { () throws(DockError) in
            let settings = try RecordPlace.settings(), path = try place.path(settings)
            let limits = try settings.recorder().limits
            let summary =
                ChunkFolder.exists(path)
                ? try FolderSummary(ChunkFolder.open(path, makes: false)) : FolderSummary(folder: path)
            let text = RecordMetrics.text(summary, limits)
            // Readable by the monitoring system, which is another user; devices and pipes are written to.
            if let output { try OutputFile.replace(output, with: Array(text.utf8)) } else { TextOutput.put(text) }
        }
    }
}

/// The figures of a folder in the text format of Prometheus. Pure.
enum RecordMetrics {
    static func text(_ summary: FolderSummary, _ limits: RingLimits) -> String {
        let tally = summary.tally
        var text = ""
        func gauge(_ name: String, _ help: String, _ samples: [(label: String, value: Double)]) {
            guard !samples.isEmpty else { return }
            text += "# HELP dockface_record_\(name) \(help)\n# TYPE dockface_record_\(name) gauge\n"
            for sample in samples { text += "dockface_record_\(name)\(sample.label) \(number(sample.value))\n" }
        }
        func one(_ value: Double?) -> [(String, Double)] { value.map { [("", $0)] } ?? [] }
        gauge("running", "1 if a recorder uses the folder.", one(summary.isRecording ? 1 : 0))
        gauge("active", "1 if a file is being written.", one(summary.isRecording && !summary.open.isEmpty ? 1 : 0))
        gauge("files", "Finished files.", one(Double(summary.chunks.count)))
        gauge("bytes", "Size of the finished files.", one(Double(summary.bytes)))
        gauge("budget_bytes", "Room for all files.", one(Double(limits.budget)))
        gauge("free_bytes", "Free room on the disk.", one(summary.space.map { Double($0.free) }))
        gauge("seconds", "Length of the finished files.", one(Double(summary.length) / 1000))
        gauge(
            "oldest_timestamp_seconds", "Unix time of the first picture.",
            one(summary.chunks.first.map { Double($0.record.name.start) / 1000 }))
        gauge(
            "newest_timestamp_seconds", "Unix time of the end of the last finished file.",
            one(summary.chunks.last.map { Double($0.record.name.end) / 1000 }))
        gauge("unsent_files", "Finished files that no server has.", one(Double(summary.unsent)))
        gauge(
            "frames", "Pictures in the finished files, by what was done to faces.",
            [
                (#"{faces="none"}"#, Double(tally.clear)), (#"{faces="covered"}"#, Double(tally.covered)),
                (#"{faces="whole_picture_covered"}"#, Double(tally.whole)),
                (#"{faces="visible"}"#, Double(tally.visible)),
            ])
        gauge("lost_frames", "Pictures that are missing in the finished files.", one(Double(tally.lost)))
        return text
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }
}
