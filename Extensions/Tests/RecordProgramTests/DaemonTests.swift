import DockTestKit
import Foundation
import ProgramTestKit
import Testing

@testable import VideoRecorder

/// The program beside a real daemon, whose camera is a test pattern.
@Suite(
    .enabled(if: Running.daemon != nil && Running.hasEncoder, "the daemon is not built, or ffmpeg is missing"),
    .serialized, .timeLimit(.minutes(10)))
struct RecordDaemonTests {
    private let place = TemporaryFolder()
    private var recordings: Recordings { Recordings(place: place) }

    private func daemon() throws -> Running {
        let words =
            ["run", "--headless", "--port", "sim", "--config", "none", "--camera", "test"]
            + ["--detector", "exec:cat >/dev/null"]
        return try Running(try #require(Running.daemon), words, in: place)
    }

    /// A recorder beside a daemon without a screen.
    private func recorder(_ words: String...) throws -> Running {
        try Running(
            Running.recorder, ["run", "--length", "2"] + words, in: place, variables: ["DOCKFACE_RECORD_SIGN": "none"])
    }

    private func status() async throws -> String {
        let status = try Running(try #require(Running.daemon), ["status"], in: place)
        _ = await status.status()
        return status.text
    }

    /// Checks every file: it plays, and says as many pictures as it has.
    private func checkAll() async throws {
        let verify = try Running(Running.recorder, ["verify", "--decode"], in: place)
        #expect(await verify.status() == 0, "\(verify.text)")
    }

    @Test func `without a detector every picture is covered, and the daemon shows that it records`() async throws {
        let daemon = try daemon(), recorder = try recorder()
        try await wait("two recordings") { recordings.chunks.count >= 2 }
        #expect(try await status().contains("record on"))
        recorder.signal(SIGINT)
        #expect(await recorder.status() == 0)
        #expect(recordings.chunks.allSatisfy { $0.verdict == .whole } && !recordings.isOpen)
        // A camera that pauses on a busy machine ends a file, too.
        let gaps = zip(recordings.chunks, recordings.chunks.dropFirst()).map { $1.start - $0.end }
        #expect(gaps.contains { abs($0) <= 1 } && gaps.allSatisfy { $0 >= -1 }, "\(gaps)")
        try await checkAll()
        #expect(try await !status().contains("record on"))
        daemon.signal(SIGTERM)
        _ = await daemon.status()
    }

    @Test func `where no screen shows it, nothing is recorded unless the owner says so`() async throws {
        let daemon = try daemon(), recorder = try Running(Running.recorder, ["run", "--length", "2"], in: place)
        try await wait("the reason") { recorder.text.contains("nothing is recorded, because it cannot be shown") }
        #expect(recorder.text.contains(#"this robot has no screen; `sign = "none"` in record.toml"#))
        recorder.signal(SIGINT)
        #expect(await recorder.status() == 0 && recordings.chunks.isEmpty && !recordings.isOpen)
        daemon.signal(SIGTERM)
        _ = await daemon.status()
    }

    @Test func `with a microphone that is not there it records pictures, and the screen says that sound may be`()
        async throws
    {
        let daemon = try daemon(), recorder = try recorder("--sound", "hw:9,9")
        try await wait("two recordings") { recordings.chunks.count >= 2 }
        let status = try await status()
        #expect(status.contains("record on: sound") && status.contains("no sound: "), "\(status)")
        #expect(recorder.text.contains("no sound is recorded: ") && recorder.text.contains("hw:9,9"))
        recorder.signal(SIGINT)
        _ = await recorder.status()
        let list = try Running(Running.recorder, ["list", "--json"], in: place)
        #expect(
            await list.status() == 0 && list.text.contains(#""sound":false"#) && !list.text.contains(#""sound":true"#))
        try await checkAll()
        daemon.signal(SIGTERM)
        _ = await daemon.status()
    }

    @Test func `a recorder that is killed loses the end of one file, and finishes it at its next start`() async throws {
        let daemon = try daemon()
        for round in 1...3 {
            let before = recordings.chunks.count, recorder = try recorder("--privacy", "none")
            try await wait("a recording, round \(round)") {
                recordings.chunks.count > before && recordings.openBytes > 10_000
            }
            recorder.signal(SIGKILL)
            #expect(await recorder.status() == 128 + SIGKILL && recordings.openBytes > 0)
        }
        let last = try recorder("--standby")
        try await wait("the repair") { last.text.contains("was left open and is finished now") }
        last.signal(SIGINT)
        #expect(await last.status() == 0 && !recordings.isOpen)
        #expect(recordings.chunks.count >= 4 && recordings.chunks.allSatisfy { $0.verdict == .visible })
        try await checkAll()
        daemon.signal(SIGTERM)
        _ = await daemon.status()
    }

    @Test func `the daemon may go and return`() async throws {
        let first = try daemon(), recorder = try recorder()
        try await wait("a recording") { !recordings.chunks.isEmpty }
        first.signal(SIGKILL)
        _ = await first.status()
        try await wait("the end of the open one") { !recordings.isOpen }
        let before = recordings.chunks.count, second = try daemon()
        try await wait("another recording") { recordings.chunks.count > before }
        recorder.signal(SIGINT)
        #expect(await recorder.status() == 0)
        try await checkAll()
        second.signal(SIGTERM)
        _ = await second.status()
    }

    @Test func `the shutter begins and ends a recording`() async throws {
        let daemon = try daemon(), recorder = try recorder("--standby")
        try await wait("the recorder") { try await status().contains("waits for the shutter button") }
        #expect(recordings.chunks.isEmpty && !recordings.isOpen)
        let open = try Running(try #require(Running.daemon), ["send", "shutter"], in: place)
        #expect(await open.status() == 0, "\(open.text)")
        try await wait("a recording") { !recordings.chunks.isEmpty }
        let close = try Running(try #require(Running.daemon), ["send", "shutter"], in: place)
        #expect(await close.status() == 0, "\(close.text)")
        try await wait("the end of the open one") {
            recordings.isOpen ? false : try await !status().contains("record on")
        }
        let count = recordings.chunks.count
        recorder.signal(SIGINT)
        #expect(await recorder.status() == 0 && recordings.chunks.count == count)
        try await checkAll()
        daemon.signal(SIGTERM)
        _ = await daemon.status()
    }

    @Test func `a folder that is removed is made again, and recording goes on`() async throws {
        let daemon = try daemon(), recorder = try recorder()
        try await wait("a recording") { recordings.chunks.count >= 1 }
        // The recorder makes files in it meanwhile.
        let removed = place.path + "/removed"
        rename(recordings.path, removed)
        // The recorder may still change files in it while it is being removed.
        try await wait("the removal") {
            try? FileManager.default.removeItem(atPath: removed)
            return !FileManager.default.fileExists(atPath: removed)
        }
        try await wait("another recording") { recordings.chunks.count >= 1 }
        #expect(recorder.text.contains("the folder of the recordings is gone, and is opened again"))
        recorder.signal(SIGINT)
        #expect(await recorder.status() == 0 && !recordings.isOpen)
        try await checkAll()
        daemon.signal(SIGTERM)
        _ = await daemon.status()
    }

    @Test func `a folder may be moved away and back, and a person's stop counts meanwhile`() async throws {
        let daemon = try daemon(), recorder = try recorder(), away = place.path + "/away"
        try await wait("a recording") { recordings.chunks.count >= 1 }
        // A file in its place keeps the recorder from making another folder.
        rename(recordings.path, away)
        try Data().write(to: URL(fileURLWithPath: recordings.path))
        try await wait("the loss") { recorder.text.contains("the folder of the recordings is gone") }
        try await wait("the end of the mark") { try await !status().contains("record on") }
        unlink(recordings.path)
        rename(away, recordings.path)
        let count = recordings.chunks.count
        try await wait("another recording") { recordings.chunks.count > count }

        rename(recordings.path, away)
        try Data().write(to: URL(fileURLWithPath: recordings.path))
        try await wait("the second loss") {
            recorder.text.components(separatedBy: "the folder of the recordings is gone").count == 3
        }
        let close = try Running(try #require(Running.daemon), ["send", "shutter"], in: place)
        #expect(await close.status() == 0, "\(close.text)")
        unlink(recordings.path)
        rename(away, recordings.path)
        try await wait("the recorder") { try await status().contains("waits for the shutter button") }
        #expect(!recordings.isOpen)
        recorder.signal(SIGINT)
        #expect(await recorder.status() == 0)
        try await checkAll()
        daemon.signal(SIGTERM)
        _ = await daemon.status()
    }

    @Test func `what a person deletes while it is recorded is gone`() async throws {
        let daemon = try daemon(), recorder = try recorder("--length", "600")
        try await wait("pictures on the disk") { recordings.openBytes > 2000 }
        let delete = try Running(Running.recorder, ["delete", "-10m", "--yes"], in: place)
        #expect(await delete.status() == 0 && delete.text.contains("deleted 1 recording"), "\(delete.text)")
        try await wait("another one") {
            recorder.text.contains("the open chunk was deleted") && recordings.openBytes > 0
        }
        recorder.signal(SIGINT)
        #expect(await recorder.status() == 0 && recordings.chunks.count == 1)
        try await checkAll()
        daemon.signal(SIGTERM)
        _ = await daemon.status()
    }
}
