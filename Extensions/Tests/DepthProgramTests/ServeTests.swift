import Codecs
import DepthCodec
import DockTestKit
import Foundation
import PictureShare
import ProgramTestKit
import Testing

/// The program that receives, with senders on real sockets.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ServeTests {
    private let place = TemporaryFolder()

    /// Starts a verb at a free port.
    private func receiver(_ words: [String], allow: [String] = []) async throws -> (program: Running, port: Int) {
        let program = try Running(
            Running.program("dockface-depth"),
            words + ["--listen", "127.0.0.1:0"] + allow.flatMap { ["--allow", $0] },
            in: place)
        try await wait("the port: \(program.text)") { program.text.contains("listening on ") || program.hasEnded }
        let found = program.text.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)/)
        return (program, try #require(found.flatMap { Int($0.1) }, "\(program.text)"))
    }

    /// Sends packets until the program has printed a text.
    private func send(
        _ bytes: [UInt8], by sender: StreamSender, until words: String, _ program: Running
    ) async throws {
        try await wait("\(words) in \(program.text)") {
            #expect(sender.send(bytes), "\(program.text)")
            return program.text.contains(words) || program.hasEnded
        }
    }

    private func end(_ program: Running) async {
        program.signal(SIGTERM)
        #expect(await program.status() == 128 + SIGTERM, "\(program.text)")
    }

    @Test func `each form is received, and the meaning of the samples is reported`() async throws {
        let pair = try SentPair()
        for (bytes, words) in [
            (pair.pair, "RGB and depth"), (pair.interleaved, "RGB and depth, interleaved"),
            (pair.cameras, "two cameras, no depth"),
        ] {
            let (program, port) = try await receiver(["serve"]), sender = try StreamSender(port: port)
            try await send(bytes, by: sender, until: "pictures arrive from 127.0.0.1, 64x48, ", program)
            #expect(program.text.contains("pictures come from 127.0.0.1: \(words)\n"), "\(program.text)")
            if bytes != pair.cameras {
                try await send(
                    bytes, by: sender, until: "the unit of the depth is mm (named by the sender), byte order big",
                    program)
            }
            await end(program)
        }
    }

    @Test func `swapped bytes and the unit of the app are found, and unnamed millimetres are suspected`()
        async throws
    {
        let (program, port) = try await receiver(["serve"]), sender = try StreamSender(port: port)
        let pair = try SentPair(swaps: true, note: nil)
        try await send(
            pair.pair, by: sender, until: "the unit of the depth is 5m (that of the app), byte order little", program)
        try await send(pair.pair, by: sender, until: "pass --unit mm", program)
        await end(program)
    }

    @Test func `after every kind of rubbish the next good picture is seen, and memory does not grow`() async throws {
        let (program, port) = try await receiver(["serve"]), pair = try SentPair(), size = SentPair.word(5000)
        let first = try StreamSender(port: port)
        try await send(pair.pair, by: first, until: "127.0.0.1, 64x48", program)
        let before = try memory(of: program)
        var bomb = pair.pair
        bomb.replaceSubrange(0..<8, with: SentPair.word(8 << 20) + SentPair.word(8 << 20))
        let claims = try claims(width: 4096, height: 4096),
            damaged = Array(pair.png.dropLast(20)) + [UInt8](repeating: 0, count: 20)
        let wrong: [(bytes: [UInt8], words: String)] = [
            (Array("<Track> 0.1 0.2 0.3 1 0 0 0".utf8), "text commands"),
            (Array("GET / HTTP/1.1\r\n\r\n".utf8), "web browser"),
            ([0, 0, 0, 1, 0x40, 1, 12, 1, 255], "H.265"), ([UInt8](repeating: 0xFF, count: 4096), "is announced"),
            (size + size + [UInt8](repeating: 0, count: 64), "no JPEG"),
            (bomb + [UInt8](repeating: 0, count: 3 << 20), "neither a PNG"),
            (
                SentPair.word(pair.jpeg.count) + SentPair.word(claims.count) + pair.jpeg + claims,
                "the depth is refused: it claims"
            ),
            (
                SentPair.word(pair.jpeg.count) + SentPair.word(damaged.count) + pair.jpeg + damaged,
                "the depth is refused: a checksum"
            ),
            (
                SentPair.word(20) + SentPair.word(pair.png.count) + pair.jpeg.prefix(20) + pair.png,
                "the picture is refused"
            ),
        ]
        for (bytes, words) in wrong {
            let sender = try StreamSender(port: port)
            sender.send(bytes)
            if words == "neither a PNG" {
                // It is not noticed before its second picture has begun, and then at once.
                sender.send([UInt8](repeating: 1, count: 6 << 20))
            }
            // All senders have one address, of which the newest connection counts.
            try await wait("\(words): \(program.text)") { program.text.contains(words) || program.hasEnded }
            #expect(!program.hasEnded)
        }
        let last = try StreamSender(port: port), next = try SentPair(width: 80, height: 60)
        try await wait("the good picture") {
            last.send(next.pair)
            return program.text.contains("80x60") || program.hasEnded
        }
        let after = try memory(of: program)
        #expect(after - before < 40_000, "\(before) kB became \(after) kB")
        await end(program)
    }

    @Test func `senders of large packets do not take the memory, and the one that steers stays`() async throws {
        let (program, port) = try await receiver(["serve"]), pair = try SentPair()
        let first = try StreamSender(port: port), next = try SentPair(width: 80, height: 60)
        try await send(pair.pair, by: first, until: "127.0.0.1, 64x48", program)
        let before = try memory(of: program)
        // All but the last mebibyte of the largest packet.
        let large = 8 << 20, jpeg = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: large - 3)
        let png = [0x89, 0x50, 0x4E, 0x47] + [UInt8](repeating: 0, count: large - (1 << 20))
        let bytes = SentPair.word(large) + SentPair.word(large) + jpeg + png
        let flood = try (0..<3).map { _ in try StreamSender(port: port) }
        for sender in flood { sender.send(bytes) }
        try await wait("the reason: \(program.text)") {
            program.text.contains("do not fit into 24 MiB") || program.hasEnded
        }
        let after = try memory(of: program)
        #expect(after - before < 100_000, "\(before) kB became \(after) kB")
        try await send(next.pair, by: first, until: "127.0.0.1, 80x60", program)
        await end(program)
    }

    /// A PNG that claims a size, and has no rows.
    private func claims(width: Int, height: Int) throws -> [UInt8] {
        var png = try SentPair().png
        png.replaceSubrange(16..<24, with: SentPair.word(width) + SentPair.word(height))
        var sum = ~0 as UInt32
        for byte in png[12..<29] {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
        }
        png.replaceSubrange(29..<33, with: SentPair.word(Int(~sum)))
        return png
    }

    private func memory(of program: Running) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(program.identifier)/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /VmRSS:\s+(\d+)/).flatMap { Int($0.1) })
    }

    @Test func `a packet that stops in the middle ends its connection after five seconds, and a silent one stays`()
        async throws
    {
        let (program, port) = try await receiver(["serve"]), pair = try SentPair()
        let silent = try StreamSender(port: port), slow = try StreamSender(port: port)
        slow.send(Array(pair.pair.prefix(100)))
        try await wait("the end") { slow.isClosed }
        #expect(program.text.contains("not complete after 5 s") && !silent.isClosed)
        await end(program)
    }

    @Test func `an address that is not allowed is closed, and an address that others reach is a loud warning`()
        async throws
    {
        let (program, port) = try await receiver(["serve"], allow: ["192.0.2.7"])
        let stranger = try StreamSender(port: port)
        try await wait("the end") { stranger.isClosed }
        try await wait("the reason") { program.text.contains("127.0.0.1 may not send here; pass --allow 127.0.0.1") }
        #expect(!program.text.contains("EVERY"))
        await end(program)
        let open = try Running(Running.program("dockface-depth"), ["serve", "--listen", "0.0.0.0:0"], in: place)
        try await wait("the warning") { open.text.contains("EVERY program in the network can send pictures here") }
        #expect(open.text.contains("neither encrypted nor authenticated"))
        await end(open)
    }

    @Test func `wrong words and settings end it with the reason`() async throws {
        for (words, status, reason) in [
            (["serve", "--listen", "5000"], 78, "not an address to listen at"),
            (["serve", "--allow", "phone"], 78, "not a numeric address"),
            (["serve", "--unit", "cm"], 78, "not a unit of depth"),
            (["serve", "--order", "odd"], 64, "the order is one of"),
            (["save", "--out", "/proc/none"], 69, "cannot be created"),
            (["camera", "--listen", "5000"], 78, "not an address to listen at"),
        ] as [([String], Int32, String)] {
            let program = try Running(Running.program("dockface-depth"), words, in: place)
            #expect(await program.status() == status, "\(program.text)")
            #expect(program.text.contains(reason), "\(program.text)")
        }
    }

    @Test func `a picture is saved in millimetres, sent again, and shown`() async throws {
        let pair = try SentPair(swaps: true, note: nil), folder = place.path + "/saved"
        let (saver, port) = try await receiver(["save", "--out", folder, "--unit", "mm"])
        let sender = try StreamSender(port: port)
        sender.send(pair.pair)
        #expect(await saver.status() == 0, "\(saver.text)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/picture.jpg")) == Data(pair.jpeg))
        let file = try Array(Data(contentsOf: URL(fileURLWithPath: folder + "/depth.png")))
        let saved = try #require(DepthPNGReader()).read(file)
        #expect(
            saved.picture == pair.depth && String(decoding: saved.note ?? [], as: UTF8.self) == #"{"unit":0.001,"v":1}"#
        )
        // What was saved goes to two receivers, in the unit of the app.
        let (show, first) = try await receiver(["show", "--count", "2", "--rate", "30"])
        let (serve, second) = try await receiver(["serve"])
        let again = try Running(
            Running.program("dockface-depth"),
            ["send", "--picture", folder + "/picture.jpg", "--depth", folder + "/depth.png", "--unit", "5m"]
                + ["--to", "127.0.0.1:\(first)", "--to", "127.0.0.1:\(second)"], in: place)
        #expect(await show.status() == 0, "\(show.text)")
        #expect(show.text.contains("\u{1B}[38;2;90;90;90m") || show.text.contains("\u{2580}"), "\(show.text)")
        try await wait("the unit: \(serve.text)") {
            serve.text.contains("the unit of the depth is 5m (named by the sender)")
        }
        try await wait("the end of one: \(again.text)") { again.text.contains("trying again every 3 s") }
        try await wait("pictures for the other") {
            serve.text.contains("pictures arrive from 127.0.0.1, 64x48, unit 5m")
        }
        await end(again)
        await end(serve)
    }

    // MARK: depth for other programs

    @Test func `other programs read the depth of a server, also after its size has changed`() async throws {
        let (program, port) = try await receiver(["serve"]), sender = try StreamSender(port: port)
        let note = #"{"v":1,"unit":0.001,"fx":70,"fy":71,"cx":32,"cy":24}"#
        let small = try SentPair(note: note), large = try SentPair(width: 96, height: 72)
        let path = place.path + "/dockface/depth"
        try await send(small.pair, by: sender, until: "pictures arrive from 127.0.0.1, 64x48, ", program)
        let reader = try DepthReader(path: path), newest = try #require(reader.newest())
        #expect(reader.width == 64 && reader.height == 48 && newest.samples == small.depth.samples)
        #expect(newest.facts.unit == 0.001 && newest.facts.isEstimated)
        #expect(newest.facts.lens == DepthFacts.Lens(fx: 70, fy: 71, cx: 32, cy: 24))
        // The preview shows the same picture, although the address is taken.
        let preview = try Running(
            Running.program("dockface-depth"), ["show", "--count", "2", "--rate", "30"], in: place)
        try await send(small.pair, by: sender, until: "pictures", preview)
        #expect(await preview.status() == 0 && preview.text.contains("\u{2580}"), "\(preview.text)")
        try await wait("the other size: \(program.text)") {
            sender.send(large.pair)
            return (try? DepthReader(path: path))?.width == 96
        }
        #expect(reader.hasEnded)
        let second = try DepthReader(path: path)
        await end(program)
        #expect(second.hasEnded && !FileManager.default.fileExists(atPath: path))
        var status = stat()
        #expect(lstat(path, &status) == -1, "the link is gone, too")
    }
}
