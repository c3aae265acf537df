import DockTestKit
import Foundation
import ProgramTestKit
import Testing

@testable import VideoRecorder
@testable import dockface_record

/// The verbs that tell how recording goes.
@Suite(.timeLimit(.minutes(10))) struct HealthTests {
    private let place = TemporaryFolder()
    private var recordings: Recordings { Recordings(place: place) }

    private func run(_ words: String..., variables: [String: String] = [:]) async throws -> (
        status: Int32, text: String
    ) {
        let program = try Running(Running.recorder, words, in: place, variables: variables)
        try await wait(words.joined(separator: " ")) { program.hasEnded }
        return (await program.status(), program.text)
    }

    private func summary(_ chunks: Int, bytes: Int, free: Int) -> FolderSummary {
        var summary = FolderSummary(folder: "/x")
        summary.space = DiskSpace(free: free, total: 100_000_000_000)
        summary.chunks = (0..<chunks).map { number in
            var record = ChunkRecord(ChunkName(start: number * 30_000, duration: 30_000, verdict: .clear))
            (record.tally.clear, record.tally.covered, record.tally.lost) = (800, 99, 1)
            record.sentAt = number == 0 ? 5 : nil
            return FolderSummary.Chunk(record: record, bytes: bytes)
        }
        return summary
    }

    @Test func `the rate tells how long the room lasts`() throws {
        var limits = RingLimits()
        limits.budget = 10_000_000_000
        // A file of 30 s has 2 MB: 240 MB an hour.
        let rate = try #require(RecordingRate(summary(500, bytes: 2_000_000, free: 50_000_000_000), limits))
        #expect(rate.bytesPerHour == 240_000_000 && abs(rate.capacity - 41.67) < 0.01 && abs(rate.left - 37.5) < 0.01)
        #expect(rate.words == "240 MB an hour; room for 37 hours more")
        // Of the disk, 5 % are not for recordings.
        let narrow = try #require(RecordingRate(summary(500, bytes: 2_000_000, free: 5_240_000_000), limits))
        #expect(abs(narrow.left - 1) < 0.01 && narrow.words == "240 MB an hour; room for 60 minutes more")
        limits.budget = 1_000_000_000
        let full = try #require(RecordingRate(summary(500, bytes: 2_000_000, free: 50_000_000_000), limits))
        #expect(full.left == 0 && full.words == "240 MB an hour; the oldest go, and 4 hours stay")
        #expect(RecordingRate(summary(0, bytes: 1, free: 1), limits) == nil)
        #expect(RecordingRate(FolderSummary(folder: "/x"), limits) == nil)
    }

    @Test func `the figures have a help and a kind each, and every sample is a number`() {
        let text = RecordMetrics.text(summary(3, bytes: 2_000_000, free: 5_000_000), RingLimits())
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.contains("dockface_record_files 3") && lines.contains("dockface_record_bytes 6000000"))
        #expect(lines.contains(#"dockface_record_frames{faces="covered"} 297"#))
        #expect(lines.contains("dockface_record_unsent_files 2") && lines.contains("dockface_record_lost_frames 3"))
        #expect(lines.contains("dockface_record_seconds 90"))
        let samples = lines.filter { !$0.hasPrefix("#") }
        #expect(samples.allSatisfy { $0.split(separator: " ").last.flatMap { Double($0) } != nil })
        let kinds = lines.filter { $0.hasPrefix("# TYPE") }.count
        #expect(kinds == lines.filter { $0.hasPrefix("# HELP") }.count && kinds == 12)
        // Nothing is invented about an empty folder.
        #expect(!RecordMetrics.text(FolderSummary(folder: "/x"), RingLimits()).contains("timestamp"))
    }

    @Test func `figures are printed, or written to a file`() async throws {
        let printed = try await run("metrics")
        #expect(printed.status == 0 && printed.text.contains("\ndockface_record_files 0\n"), "\(printed.text)")
        let file = place.path + "/record.prom"
        #expect(try await run("metrics", "--output", file).status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("dockface_record_running 0"))
        let nowhere = try await run("metrics", "--output", "/proc/none/x.prom")
        #expect(nowhere.status != 0)
    }

    @Test(.enabled(if: Running.hasEncoder, "ffmpeg is not installed"))
    func `doctor names what is missing, and what to do`() async throws {
        let early = try await run("doctor")
        #expect(early.status == 0 && early.text.contains("ok       encoder: ffmpeg encodes with x264"), "\(early.text)")
        #expect(early.text.contains("note     folder: ") && early.text.contains("does not exist yet"))
        #expect(early.text.contains("the recorder waits for it"))
        #expect(early.text.contains("ok       server: none; nothing leaves this machine"))
        #expect(!early.text.contains("sound:"), "no microphone is opened unless sound is wanted")
        let deaf = try await run("doctor", variables: ["DOCKFACE_RECORD_SOUND": "hw:9,9"])
        #expect(deaf.status == 1 && deaf.text.contains("fault    sound: hw:9,9 gives no sound: "), "\(deaf.text)")
        let bare = try await run("doctor", "--json", variables: ["PATH": place.path])
        #expect(bare.status == 1 && bare.text.contains(#""level":"fault","subject":"encoder""#), "\(bare.text)")
    }

    @Test(.enabled(if: Running.daemon != nil && Running.hasEncoder, "the daemon is not built, or ffmpeg is missing"))
    func `doctor asks the daemon for its camera and its detectors`() async throws {
        let words = ["run", "--headless", "--port", "sim", "--config", "none", "--camera", "test"]
        let daemon = try Running(
            try #require(Running.daemon), words + ["--detector", "exec:cat >/dev/null"], in: place)
        var text = ""
        for _ in 0..<100 {
            text = try await run("doctor").text
            if text.contains("ok       camera: ") { break }
        }
        #expect(text.contains("ok       daemon: version ") && text.contains("ok       camera: "), "\(text)")
        #expect(text.contains("detector: exec: "), "\(text)")
        // This daemon has no screen.
        let blind = try await run("doctor")
        #expect(blind.status == 1 && blind.text.contains("fault    screen: there is none, so nothing is recorded"))
        let unsigned = try await run("doctor", variables: ["DOCKFACE_RECORD_SIGN": "none"])
        #expect(unsigned.status == 0 && unsigned.text.contains("note     screen: "), "\(unsigned.text)")
        daemon.signal(SIGTERM)
        _ = await daemon.status()
    }
}
