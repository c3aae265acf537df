import Codecs
import DockTestKit
import DockTypes
import Foundation
import Synchronization
import Testing

@testable import LiveStream

/// Streams between real programs: ffmpeg of the sender, and one of the test that receives.
@Suite(.enabled(if: access("/usr/bin/ffmpeg", X_OK) == 0, "ffmpeg is missing"), .serialized, .timeLimit(.minutes(10)))
struct SenderTests {
    private let place = TemporaryFolder()

    /// A receiver, which writes what it gets to a file until it is killed.
    private final class Receiver {
        let process = Process()
        let path: String

        init(_ path: String, _ words: [String]) throws {
            self.path = path
            process.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
            process.arguments =
                ["-nostdin", "-y", "-loglevel", "error"] + words + ["-c", "copy", "-f", "mpegts", path]
            process.standardInput = FileHandle.nullDevice
            try process.run()
        }

        deinit { kill() }

        func kill() {
            guard process.isRunning else { return }
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        var bytes: Int { (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 }
    }

    private static func freePort(_ kind: __socket_type) -> Int {
        let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                _ = bind(descriptor, raw, length)
                getsockname(descriptor, raw, &length)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
    }

    /// Puts pictures until something is true.
    private func put(_ sender: StreamSender, within seconds: Double = 60, until isTrue: () -> Bool) async throws {
        let end = Date() + seconds
        var number = 0
        while !isTrue() {
            try #require(Date() < end, "in vain: \(sender.state)")
            number += 1
            let bytes = (0..<(3 * 160 * 120)).map { UInt8(truncatingIfNeeded: $0 / 7 + number * 5) }
            sender.put(try #require(RGBPicture(width: 160, height: 120, bytes: bytes)))
            try await Task.sleep(for: .milliseconds(33))
        }
    }

    private func probe(_ path: String) throws -> String {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ffprobe")
        process.arguments = [
            "-v", "error", "-show_entries", "stream=codec_name,width,height,has_b_frames", "-of", "csv=p=0", path,
        ]
        process.standardOutput = pipe
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return text.split(separator: "\n").first.map(String.init) ?? ""
    }

    @Test func `a receiver of SRT gets H264, and again after it was away; the passphrase is nowhere`() async throws {
        let port = Self.freePort(SOCK_DGRAM), secret = "0123456789-secret"
        let listen = ["-i", "srt://127.0.0.1:\(port)?mode=listener&passphrase=\(secret)"]
        var receiver = try Receiver(place.path + "/a.ts", listen)
        let states = Mutex<[StreamState]>([])
        let sender = try StreamSender(
            StreamSettings(try StreamAddress("srt://127.0.0.1:\(port)?passphrase=\(secret)"))
        ) { state in states.withLock { $0.append(state) } }
        sender.permit(true)
        try await put(sender) { receiver.bytes > 20_000 }
        #expect(try probe(receiver.path).hasPrefix("h264,160,120,0"))
        // The command lines of all processes but the receiver's.
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            guard let number = Int32(name), number != receiver.process.processIdentifier else { continue }
            let line = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(name)/cmdline"))) ?? Data()
            #expect(!String(decoding: line, as: UTF8.self).contains(secret), "process \(name)")
        }
        receiver.kill()
        try await put(sender) { if case .waiting = sender.state { true } else { false } }
        receiver = try Receiver(place.path + "/b.ts", listen)
        try await put(sender) { receiver.bytes > 20_000 }
        sender.stop()
        #expect(states.withLock { $0.contains(.connecting) && !$0.contains { "\($0)".contains(secret) } })
    }

    @Test func `a server of RTSP gets H264`() async throws {
        let port = Self.freePort(SOCK_STREAM)
        let receiver = try Receiver(
            place.path + "/c.ts", ["-rtsp_flags", "listen", "-i", "rtsp://127.0.0.1:\(port)/dock"])
        let sender = try StreamSender(
            StreamSettings(try StreamAddress("rtsp://127.0.0.1:\(port)/dock"))
        ) { _ in }
        sender.permit(true)
        try await put(sender) { receiver.bytes > 20_000 }
        #expect(try probe(receiver.path).hasPrefix("h264,160,120,0"))
        sender.stop()
    }

    /// A server of RTSP that wants a password: a gate before an ffmpeg that listens.
    private static let gate = #"""
        import hashlib, re, socket, sys, threading
        listen, upstream, kind = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
        door = socket.create_server(("127.0.0.1", listen))
        def digest(text): return hashlib.md5(text.encode()).hexdigest()
        def allowed(method, uri, value):
            if kind == "basic":
                return value == "Basic cm9ib3Q6aHVudGVyMjI="
            fields = dict(re.findall(r'(\w+)="(.*?)"', value))
            secret = digest("robot:gate:hunter22")
            return fields.get("response") == digest(f"{secret}:number:{digest(f'{method}:{uri}')}") and fields["uri"] == uri
        def copy(source, target):
            while data := source.recv(65536):
                target.sendall(data)
        while True:
            client, _ = door.accept()
            server = None
            stream = client.makefile("rb")
            while line := stream.peek(1)[:1]:
                if line == b"$":
                    head = stream.read(4)
                    server.sendall(head + stream.read(int.from_bytes(head[2:], "big")))
                    continue
                lines = []
                while (line := stream.readline()) not in (b"\r\n", b""):
                    lines.append(line.decode())
                text = "".join(lines)
                length = re.search(r"(?i)content-length: *(\d+)", text)
                body = stream.read(int(length[1])) if length else b""
                method, uri, _ = lines[0].split(" ")
                value = re.search(r"Authorization: (.*)\r\n", text)
                if f":{listen}/dock" in uri and value and allowed(method, uri, value[1]):
                    if server is None:
                        server = socket.create_connection(("127.0.0.1", upstream))
                        threading.Thread(target=copy, args=(server, client), daemon=True).start()
                    lines = [line for line in lines if not line.startswith("Authorization")]
                    server.sendall("".join(lines).replace(f":{listen}/", f":{upstream}/").encode() + b"\r\n" + body)
                else:
                    number = re.search(r"CSeq: *(\d+)", text)[1]
                    asked = "Basic realm=gate" if kind == "basic" else 'Digest realm="gate", nonce="number"'
                    client.sendall(f"RTSP/1.0 401 Unauthorized\r\nCSeq: {number}\r\nWWW-Authenticate: {asked}\r\n\r\n".encode())
        """#

    @Test(arguments: ["basic", "digest"])
    func `a server of RTSP that wants a password gets it, and no list of processes has it`(kind: String) async throws {
        let port = Self.freePort(SOCK_STREAM), upstream = Self.freePort(SOCK_STREAM), gate = Process()
        let receiver = try Receiver(
            place.path + "/e.ts", ["-rtsp_flags", "listen", "-i", "rtsp://127.0.0.1:\(upstream)/dock"])
        let script = place.path + "/gate.py"
        try Self.gate.write(toFile: script, atomically: true, encoding: .utf8)
        gate.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gate.arguments = ["python3", script, "\(port)", "\(upstream)", kind]
        // It must not keep the output of the tests open.
        (gate.standardOutput, gate.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try gate.run()
        defer {
            // Its TERM may be blocked, as in this process.
            kill(gate.processIdentifier, SIGKILL)
            gate.waitUntilExit()
        }
        // With a wrong password it says so.
        let wrong = try StreamSender(
            StreamSettings(try StreamAddress("rtsp://robot:hunter23@127.0.0.1:\(port)/dock"))
        ) { _ in }
        wrong.permit(true)
        try await put(wrong) { wrong.state == .waiting("the server does not accept the user or the password") }
        wrong.stop()
        let sender = try StreamSender(
            StreamSettings(try StreamAddress("rtsp://robot:hunter22@127.0.0.1:\(port)/dock"))
        ) { _ in }
        sender.permit(true)
        try await put(sender) { receiver.bytes > 20_000 }
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int32(name) != nil {
            let line = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(name)/cmdline"))) ?? Data()
            #expect(!String(decoding: line, as: UTF8.self).contains("hunter22@"), "process \(name)")
        }
        sender.stop()
    }

    @Test func `where no program listens it says so, and a picture that may not leave starts nothing`() async throws {
        let port = Self.freePort(SOCK_STREAM)
        let sender = try StreamSender(
            StreamSettings(try StreamAddress("rtsp://robot:hunter22@127.0.0.1:\(port)/dock"))
        ) { _ in }
        var count = 0
        try await put(sender) {
            count += 1
            return count > 10
        }
        #expect(sender.state == .idle)
        sender.permit(true)
        try await put(sender) { sender.state == .waiting("no program listens there") }
        sender.permit(false)
        try await put(sender) { sender.state == .idle }
        sender.stop()
    }

    @Test func `a camera that stops ends the stream`() async throws {
        let port = Self.freePort(SOCK_STREAM)
        let receiver = try Receiver(
            place.path + "/d.ts", ["-rtsp_flags", "listen", "-i", "rtsp://127.0.0.1:\(port)/dock"])
        let sender = try StreamSender(StreamSettings(try StreamAddress("rtsp://127.0.0.1:\(port)/dock"))) { _ in }
        sender.permit(true)
        try await put(sender) { receiver.bytes > 20_000 }
        let end = Date() + 30
        while sender.state != .idle {
            try #require(Date() < end, "\(sender.state)")
            try await Task.sleep(for: .milliseconds(20))
        }
        sender.stop()
    }

    @Test func `without ffmpeg it says what to install`() async throws {
        var settings = StreamSettings(try StreamAddress("srt://127.0.0.1:9"))
        settings.program = "dockface-no-such-program"
        let sender = try StreamSender(settings) { _ in }
        sender.permit(true)
        try await put(sender) { sender.state == .waiting("ffmpeg is missing (apt-get install ffmpeg)") }
        sender.stop()
    }

    @Test func `an encoder that hangs is ended after ten seconds, with a word`() async throws {
        let program = place.path + "/hangs"
        try "#!/bin/sh\nexec sleep 600\n".write(toFile: program, atomically: true, encoding: .utf8)
        chmod(program, 0o755)
        var settings = StreamSettings(try StreamAddress("srt://127.0.0.1:9"))
        settings.program = program
        let sender = try StreamSender(settings) { _ in }
        sender.permit(true)
        try await put(sender) { sender.state == .waiting("no connection within 10 s") }
        sender.stop()
    }
}
