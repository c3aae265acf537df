import ControlProtocol
import DockTestKit
import Foundation
import Networking
import ProgramTestKit
import Testing

@testable import NetworkTestKit
@testable import VideoRecorder

/// The verbs about servers, against a server on 127.0.0.1.
@Suite(.enabled(if: Running.hasEncoder, "ffmpeg is not installed"), .timeLimit(.minutes(10)))
struct UploadProgramTests {
    private let place = TemporaryFolder()
    private var recordings: Recordings { Recordings(place: place) }

    /// Runs a program to its end, without holding up the threads of other tests.
    private func run(_ words: String...) async throws -> (status: Int32, text: String) {
        let program = try Running(Running.recorder, words, in: place)
        try await wait(words.joined(separator: " ")) { program.hasEnded }
        return (await program.status(), program.text)
    }

    @Test func `a server is chosen, gets what its owner sends, and is forgotten`() async throws {
        let server = try await TestServer()
        for start in [1_795_000_000_000, 1_795_000_002_000] { try recordings.make(start) }
        let early = try await run("upload", "2026-11-18", "--yes")
        #expect(early.status == 78 && early.text.contains("no server was chosen"), "\(early.text)")

        let asks = try await run("join", "127.0.0.1:\(server.port)")
        #expect(asks.status == 64 && asks.text.contains("pass --tls off --yes"), "\(asks.text)")
        let join = try await run("join", "127.0.0.1:\(server.port)", "--tls", "off", "--yes")
        #expect(join.status == 0 && join.text.contains("the server is now 127.0.0.1:\(server.port)"), "\(join.text)")
        #expect(server.seen.connections == 0 && server.seen.texts.isEmpty, "no name leaves with the choice")

        let hesitates = try await run("upload", "2026-11-18")
        #expect(hesitates.status == 64 && hesitates.text.contains("pass --yes") && server.seen.files.isEmpty)
        let upload = try await run("upload", "2026-11-18", "--yes")
        #expect(upload.status == 0 && upload.text.contains("has received 2 of 2"), "\(upload.text)")
        #expect(
            server.seen.files.keys.filter { $0.hasPrefix("chunk") }.sorted() == [
                "chunk_1795000000000.mp4", "chunk_1795000002000.mp4",
            ])
        let original = try Data(contentsOf: URL(fileURLWithPath: recordings.path + "/" + recordings.chunks[0].file))
        #expect(server.seen.files["chunk_1795000000000.mp4"] == Array(original))
        #expect(server.seen.texts.first?.contains("dockface (Device-") == true)

        let list = try await run("list")
        #expect(list.text.split(separator: "\n").allSatisfy { $0.contains("sent") }, "\(list.text)")
        let audit = try await run("audit")
        #expect(audit.status == 0 && audit.text.contains("not encrypted"))
        #expect(audit.text.components(separatedBy: "  sent  ").count == 3, "\(audit.text)")
        let status = try await run("status")
        #expect(status.text.contains("server") && status.text.contains("it may fetch what it requests"))

        try Data("{".utf8).write(to: URL(fileURLWithPath: recordings.path + "/server.json"))
        let damaged = try await run("status")
        #expect(damaged.status == 0 && damaged.text.contains("unknown, and nothing is uploaded"), "\(damaged.text)")

        let leave = try await run("leave")
        #expect(leave.status == 0 && leave.text.contains("forgotten"))
        let late = try await run("upload", "2026-11-18", "--yes")
        #expect(late.status == 78)
    }

    @Test func `a server gets the container, the times and the poses that it wants`() async throws {
        var behaviour = TestServer.Behaviour()
        behaviour.greeting =
            #"{"type":"clientConfig","config":{"videoFormat":"mov","timestampFormat":"txt","poseFormat":"json"}}"#
        let server = try await TestServer(behaviour)
        try recordings.make(1_795_000_000_000)
        let poses = "frame,time,pan,tilt\n0,1795000000000,-0.2500,0.0625\n"
        try Data(poses.utf8).write(to: URL(fileURLWithPath: recordings.path + "/poses_1795000000000.csv"))
        let join = try await run("join", "ws://127.0.0.1:\(server.port)", "--tls", "off", "--yes")
        #expect(join.status == 0, "\(join.text)")
        let upload = try await run("upload", "2026-11-18", "--yes", "--json")
        #expect(upload.status == 0 && upload.text.contains(#""sent":1"#), "\(upload.text)")
        let bytes = try #require(server.seen.files["timestamps_1795000000000.txt"])
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 60 && lines[0] == "0 : 1795000000000" && lines[30] == "30 : 1795000001000")
        let sent = try #require(server.seen.files["pose_1795000000000.json"])
        let members = try #require(JSONValue(json: sent)?.array?.first?.object)
        #expect(members["pan"]?.number == -0.25 && members["timestampMs"]?.number == 1_795_000_000_000)
        let film = try #require(server.seen.files["chunk_1795000000000.mov"])
        #expect(String(decoding: film[4..<12], as: UTF8.self) == "ftypqt  ")
        let names = try FileManager.default.contentsOfDirectory(atPath: recordings.path)
        #expect(!names.contains { $0.hasSuffix(".draft") }, "\(names)")
        // Every picture is in the copy, at its time.
        let copy = ChunkName(start: 1_795_000_500_000, duration: 2000, verdict: .visible)
        try Data(film).write(to: URL(fileURLWithPath: recordings.path + "/" + copy.file))
        let folder = try ChunkFolder.open(recordings.path, makes: false)
        let times = try folder.frameTimes(of: copy).map { $0 - 500_000 }
        let original = try folder.frameTimes(of: recordings.chunks[0])
        #expect(times == original && times.count == 60)
    }

    @Test func `a certificate is accepted by its fingerprint, and no other`() async throws {
        let certificates = try TestCertificates.shared.get()
        var behaviour = TestServer.Behaviour()
        behaviour.identity = certificates.selfSigned
        let server = try await TestServer(behaviour), address = "127.0.0.1:\(server.port)"
        let right = certificates.selfSigned.certificate.fingerprint
        let asks = try await run("join", address, "--yes")
        #expect(asks.status == 77 && asks.text.contains(right), "\(asks.text)")
        let wrong = try await run(
            "join", address, "--fingerprint", certificates.otherSelfSigned.certificate.fingerprint)
        #expect(wrong.status == 77 && wrong.text.contains("another certificate"), "\(wrong.text)")
        let system = try await run("join", address, "--tls", "system", "--yes")
        #expect(system.status == 77, "\(system.text)")
        let plain = try await run("join", address, "--tls", "off", "--yes")
        #expect(plain.status != 0, "no fallback: \(plain.text)")
        let join = try await run("join", address, "--fingerprint", right.lowercased())
        #expect(join.status == 0 && join.text.contains("wss://"), "\(join.text)")
        let empty = try await run("upload", "-1h", "--yes")
        #expect(empty.status == 0 && empty.text.contains("no such recordings"))
    }

    @Test func `a server that is away, or none, is named`() async throws {
        let away = try await run("join", "127.0.0.1:1", "--tls", "off", "--yes")
        #expect(away.status == 69 && away.text.contains("no program listens at 127.0.0.1:1"), "\(away.text)")
        let none = try await run("join", "no such name")
        #expect(none.status != 0 && none.text.contains("\"no such name\""), "\(none.text)")
        let nothing = try await run("leave")
        #expect(nothing.status == 0 && nothing.text.contains("no server was chosen"))
        let audit = try await run("audit")
        #expect(audit.status == 0)
    }
}
