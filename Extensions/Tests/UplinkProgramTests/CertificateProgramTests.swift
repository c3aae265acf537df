import DockTestKit
import Foundation
import Networking
import ProgramTestKit
import Testing

@testable import NetworkTestKit

/// The certificate of the program `room`, and what the uplink makes of it.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CertificateProgramTests {
    private let place = TemporaryFolder()
    private var file: String { place.path + "/state/dockface/room/certificate.pem" }

    private func start(_ words: [String] = []) throws -> Running {
        try Running(Running.program("dockface-room"), ["--host", "127.0.0.1", "--port", "0"] + words, in: place)
    }

    /// A server that listens: its port, and the line for robots.
    private func room(_ words: String...) async throws -> (program: Running, port: Int, line: String) {
        let program = try start(words)
        try await wait("the server") { program.text.contains("robots need the secret") || program.hasEnded }
        let port = program.text.firstMatch(of: /listening on wss:\/\/127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) }
        let line = program.text.firstMatch(of: /fingerprint = "[0-9A-F:]{95}"/).map { String($0.0) }
        return (program, try #require(port, "\(program.text)"), try #require(line, "\(program.text)"))
    }

    private static func digits(_ line: String) -> String { String(line.split(separator: "\"").last ?? "") }

    private func check(_ words: String...) async throws -> (status: Int32, text: String) {
        let program = try Running(
            Running.program("dockface-uplink"), ["check"] + words, in: place)
        return (await program.status(), program.text)
    }

    private func end(_ program: Running) async {
        program.signal(SIGTERM)
        _ = await program.status()
    }

    @Test("the first start makes a certificate that only its owner may read, and the next one keeps it")
    func made() async throws {
        let first = try await room()
        #expect(first.program.text.contains("made a new certificate in \(file)"), "\(first.program.text)")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        let shown = try TestCertificates.openssl(["x509", "-in", file, "-noout", "-fingerprint", "-sha256"])
        #expect(shown.contains(Self.digits(first.line)))
        await end(first.program)
        let second = try await room()
        #expect(second.line == first.line && !second.program.text.contains("made a new certificate"))
        await end(second.program)
    }

    @Test("two first starts at the same time share one certificate and one secret")
    func race() async throws {
        let both = try [start(), start()]
        for program in both {
            try await wait("the server") { program.text.contains("robots need the secret") || program.hasEnded }
        }
        let lines = both.map { $0.text.firstMatch(of: /fingerprint = "[0-9A-F:]{95}"/).map { String($0.0) } }
        #expect(lines[0] != nil && lines[0] == lines[1], "\(lines)")
        for words in ["made a new certificate", "made a new secret"] {
            #expect(both.count(where: { $0.text.contains(words) }) == 1, "\(words)")
        }
        for program in both { await end(program) }
    }

    @Test("the printed line connects a robot, and nothing else does")
    func pins() async throws {
        let (room, port, line) = try await room(), address = "wss://127.0.0.1:\(port)"
        let unknown = try await check("--server", address)
        let digits = Self.digits(line)
        #expect(unknown.status == 77 && unknown.text.contains("vouches for itself (\(digits))"), "\(unknown)")
        let wrong = try await check("--server", address, "--fingerprint", String(repeating: "AB", count: 32))
        #expect(wrong.status == 77 && wrong.text.contains("shows another certificate: \(digits)"), "\(wrong)")
        let plain = try await check("--server", "ws://127.0.0.1:\(port)")
        #expect(plain.status == 0 && plain.text.contains("not encrypted"), "this machine may: \(plain)")
        // As a person would copy it.
        let folder = place.path + "/config/dockface"
        try "server = \"\(address)\"\n\(line)\n".write(
            toFile: folder + "/uplink.toml", atomically: true, encoding: .utf8)
        let right = try await check()
        #expect(right.status == 0 && right.text.contains("has proved that it knows the secret"), "\(right)")
        #expect(!right.text.contains("not encrypted"))
        await end(room)
    }

    @Test("--plain encrypts nothing, and a robot that wants encryption says so")
    func plain() async throws {
        let program = try start(["--plain"])
        try await wait("the server") { program.text.contains("robots need the secret") || program.hasEnded }
        let port = try #require(program.text.firstMatch(of: /listening on ws:\/\/127\.0\.0\.1:(\d+)/)?.1)
        #expect(program.text.contains("without encryption") && !FileManager.default.fileExists(atPath: file))
        let open = try await check("--server", "ws://127.0.0.1:\(port)")
        #expect(open.status == 0 && open.text.contains("not encrypted"), "\(open)")
        let encrypted = try await check("--server", "wss://127.0.0.1:\(port)")
        let words = ["does not speak TLS", "without an answer to TLS"]
        #expect(encrypted.status != 0 && words.contains { encrypted.text.contains($0) }, "\(encrypted)")
        await end(program)
    }

    @Test("the owner's own files are served, and what is wrong with them is named")
    func given() async throws {
        let certificates = try TestCertificates.shared.get()
        func words(_ certificate: TestCertificates.Identity, key: TestCertificates.Identity? = nil) -> [String] {
            ["--certificate", certificate.pem, "--key", (key ?? certificate).key]
        }
        let mine = try await room("--certificate", certificates.right.pem, "--key", certificates.right.key)
        #expect(mine.program.text.contains("that do not know the certificate's authority"), "\(mine.program.text)")
        let address = "wss://127.0.0.1:\(mine.port)"
        let pinned = try await check("--server", address, "--fingerprint", Self.digits(mine.line))
        #expect(pinned.status == 0, "\(pinned)")
        await end(mine.program)
        #expect(!FileManager.default.fileExists(atPath: file))

        let garbage = place.path + "/garbage", open = place.path + "/open.key"
        try "no certificate\n".write(toFile: garbage, atomically: true, encoding: .utf8)
        chmod(garbage, 0o600)
        try FileManager.default.copyItem(atPath: certificates.right.key, toPath: open)
        chmod(open, 0o644)
        let cases: [([String], Int32, String)] = [
            (words(certificates.expired), 78, "the certificate expired "),
            (words(certificates.notYetValid), 78, "becomes valid in "),
            (words(certificates.right, key: certificates.selfSigned), 78, "do not belong together"),
            (["--certificate", garbage, "--key", certificates.right.key], 78, "the certificate cannot be read"),
            (["--certificate", certificates.right.pem, "--key", garbage], 78, "the key cannot be read"),
            (["--certificate", certificates.right.pem, "--key", place.path + "/none"], 78, "there is no file"),
            (["--certificate", certificates.right.pem, "--key", open], 77, "other users may read the key in \(open)"),
            (["--certificate", certificates.right.pem], 78, "a certificate needs a key"),
            (["--key", certificates.right.key], 78, "a key needs a certificate"),
            (words(certificates.right) + ["--plain"], 78, "but nothing is to be encrypted"),
        ]
        for (words, status, complaint) in cases {
            let program = try start(words)
            #expect(await program.status() == status, "\(complaint): \(program.text)")
            #expect(program.text.contains(complaint) && !program.text.contains("listening on"), "\(program.text)")
        }
    }

    @Test("a certificate of the server's own that is damaged is kept, and the error says what to do")
    func damaged() async throws {
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try "no certificate\n".write(toFile: file, atomically: true, encoding: .utf8)
        chmod(file, 0o600)
        let program = try start()
        #expect(await program.status() == 78)
        #expect(program.text.contains("\(file): the certificate cannot be read; move it away"), "\(program.text)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "no certificate\n")
    }

    // MARK: with pictures

    /// A figure of the server's metrics page.
    private func figure(_ name: String, at plan: TransportPlan) async throws -> Int {
        let text = String(decoding: try await HTTPFetch(plan).body(of: "/metrics"), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("dockface_room_\(name) ") })
        return Int(line.split(separator: " ")[1]) ?? -1
    }

    @Test(
        "a robot with the right pin sends pictures; one with another pin does not even open a connection",
        .enabled(if: Running.daemon != nil && Running.hasEncoder, "the daemon is not built, or ffmpeg is missing"))
    func pictures() async throws {
        let (room, port, line) = try await room(), address = "wss://127.0.0.1:\(port)"
        let server = try ServerAddress(address, defaultPort: port)
        let plan = try TransportPlan(server, trust: .pinned(await CertificateProbe.certificate(of: server)))
        let daemon = try Running(
            try #require(Running.daemon),
            ["run", "--headless", "--port", "sim", "--config", "none", "--camera", "test"]
                + ["--detector", "exec:sleep 1000"], in: place)
        func uplink(_ fingerprint: String) throws -> Running {
            try Running(
                Running.program("dockface-uplink"), ["--server", address, "--fingerprint", fingerprint], in: place,
                variables: ["DOCKFACE_UPLINK_SIGN": "none"])
        }
        let wrong = try uplink(String(repeating: "AB", count: 32))
        try await wait("the reason: \(wrong.text)") { wrong.text.contains("shows another certificate") }
        await end(wrong)
        #expect(try await figure("connections_total", at: plan) == 0)
        #expect(try await figure("frames_total", at: plan) == 0)
        let right = try uplink(Self.digits(line))
        try await wait("frames: \(right.text)") { try await figure("frames_total", at: plan) > 5 }
        for one in [right, daemon, room] { await end(one) }
    }
}
