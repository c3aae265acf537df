import DockTestKit
import Testing

@testable import DepthStream

@Suite struct PacketTests {
    /// What a reader makes of pieces.
    private static func read(_ pieces: [[UInt8]]) -> (packets: [StreamPacket], reader: PacketReader) {
        var reader = PacketReader(), packets: [StreamPacket] = []
        for piece in pieces { packets += reader.receive(piece, now: 1) }
        return (packets, reader)
    }

    @Test(arguments: StreamForm.allCases)
    func `each form is recognised, however its bytes are split and joined`(form: StreamForm) {
        let all = (0..<12).flatMap { Packets.packet(form, $0) }
        var dice = Dice(1)
        for round in 0..<300 {
            var pieces: [[UInt8]] = [], rest = all[...]
            while !rest.isEmpty {
                let most = round == 0 ? 1 : round == 1 ? all.count : Int.random(in: 1...120, using: &dice)
                pieces.append(Array(rest.prefix(most)))
                rest = rest.dropFirst(most)
            }
            let (packets, reader) = Self.read(pieces)
            #expect(packets.count == 12 && reader.refusal == nil && reader.form == form && reader.waiting == 0)
            #expect(reader.deadline == nil)
            for (number, packet) in packets.enumerated() {
                #expect(packet.form == form && packet.jpeg == Packets.jpeg(number, size: 30 + number % 50))
                #expect(packet.depth == (form == .cameras ? nil : Packets.png(number)))
            }
        }
    }

    @Test func `other senders are refused, with what was recognised and what to do`() throws {
        let size = Packets.word(5000), jpeg = Packets.jpeg(1)
        let wrong: [(bytes: [UInt8], words: String)] = [
            (Array("<Track> 0.1 0.2 0.3 1 0 0 0".utf8), "text commands"),
            (Array("Open_Palm 0.1".utf8), "text commands"),
            (Array("GET / HTTP/1.1\r\n".utf8), "web browser"), ([0x16, 3, 1, 2, 0, 1], "encrypted"),
            ([0, 0, 0, 1, 0x40, 1, 12, 1], "H.265"), ([0, 0, 0, 1, 0x67, 1, 2], "H.264"),
            (jpeg, "without the two sizes"), (Packets.png(1), "without the two sizes"),
            ([UInt8](repeating: 0, count: 12), "0 bytes is announced"),
            ([UInt8](repeating: 0xFF, count: 12), "is announced"),
            (size + [0, 0, 0, 0] + jpeg, "0 bytes is announced"),
            (size + Packets.word((8 << 20) + 1) + jpeg, "is announced"),
            (Packets.word((8 << 20) + 1) + size + jpeg, "is announced"),
            (size.reversed() + size.reversed() + jpeg, "lowest byte first"), (size + size + Packets.png(1), "no JPEG"),
            (Packets.word(40) + Packets.word(30) + jpeg + [UInt8](repeating: 7, count: 30), "neither a PNG nor a JPEG"),
            (Packets.packet(.pair, 1) + size + [0, 0, 0, 0], "0 bytes is announced"),
            (Packets.packet(.pair, 1) + Packets.packet(.interleaved, 2), "is announced"),
            (Packets.packet(.interleaved, 1) + Packets.packet(.pair, 2), "no JPEG"),
        ]
        for (bytes, words) in wrong {
            // At once, and byte by byte.
            for pieces in [[bytes], bytes.map { [$0] }] {
                let refusal = try #require(Self.read(pieces).reader.refusal, "\(words): \(bytes.prefix(12))")
                #expect(refusal.message.contains(words) && !refusal.hint.isEmpty, "\(refusal)")
            }
        }
    }

    @Test func `packets before a wrong byte are kept, and what follows it is ignored`() {
        let bytes = Packets.packet(.pair, 1) + Packets.packet(.pair, 2) + [0xFF, 0xFF, 0xFF, 0xFF]
        var (packets, reader) = Self.read([bytes])
        #expect(packets.count == 2 && reader.refusal != nil && reader.waiting == 0)
        #expect(reader.receive(Packets.packet(.pair, 3), now: 2).isEmpty && reader.waiting == 0)
    }

    @Test func `a wrong picture is noticed at its first bytes, before the rest has arrived`() {
        let header = Packets.word(8 << 20) + Packets.word(8 << 20)
        #expect(Self.read([header + [0xFF, 0xD8, 0xFE]]).reader.refusal == .noJPEG)
        let reader = Self.read([Packets.word(40) + Packets.word(8 << 20) + Packets.jpeg(1) + [1, 2, 3, 4]]).reader
        #expect(reader.refusal == .noSecond)
    }

    @Test func `a packet that is not complete in time ends the connection, and silence between packets does not`() {
        var reader = PacketReader()
        let packet = Packets.packet(.pair, 1)
        #expect(reader.receive(packet, now: 10).count == 1 && reader.deadline == nil)
        reader.expire(now: 1000)
        #expect(reader.refusal == nil)
        _ = reader.receive(Array(packet.prefix(3)), now: 1000)
        #expect(reader.deadline == 1005)
        _ = reader.receive(Array(packet[3..<20]), now: 1004.9)
        reader.expire(now: 1004.9)
        #expect(reader.refusal == nil && reader.deadline == 1005)
        reader.expire(now: 1005)
        #expect(reader.refusal == .tooSlow && reader.waiting == 0)
        // A sender that drips is noticed without the alarm, too; its complete packets count.
        var other = PacketReader()
        _ = other.receive(Array(packet.prefix(3)), now: 0)
        #expect(other.receive(Array(packet.dropFirst(3)) + [0], now: 6).count == 1 && other.refusal == nil)
        _ = other.receive([0], now: 11.5)
        #expect(other.refusal == .tooSlow)
    }

    @Test func `a size that is only claimed takes no memory`() {
        let reader = Self.read([Packets.word(8 << 20) + Packets.word(8 << 20) + Packets.jpeg(1)]).reader
        #expect(reader.refusal == nil && reader.waiting == 48)
    }

    @Test(arguments: [0, 1, 48])
    func `a large packet leaves no large buffer behind, also if the next one has begun`(next: Int) {
        let large = Packets.packet(.pair, Packets.jpeg(1, size: 8 << 20), Packets.png(1, size: 8 << 20))
        let bytes = large + Packets.packet(.pair, 2).prefix(next)
        let pieces = stride(from: 0, to: bytes.count, by: 1 << 20).map { Array(bytes[$0...].prefix(1 << 20)) }
        let (packets, reader) = Self.read(pieces)
        #expect(packets.count == 1 && reader.refusal == nil && reader.waiting == next)
        #expect(reader.room <= 2 << 20, "\(reader.room) bytes")
    }

    @Test func `a connection that must make room releases its bytes, and ends`() {
        let bytes = Packets.word(8 << 20) + Packets.word(8 << 20) + Packets.jpeg(1)
        var reader = Self.read([bytes]).reader
        reader.makeRoom()
        #expect(reader.refusal == .noRoom && reader.waiting == 0 && reader.deadline == nil)
        #expect(reader.receive(Packets.packet(.pair, 1), now: 2).isEmpty && reader.waiting == 0)
    }

    @Test func `what a sender says about a picture is read, and impossible members are left out`() throws {
        var note = SenderNote()
        (note.sequence, note.time, note.isMonotonic, note.skew, note.unit) = (7, 12.5, true, -0.01, 0.001)
        note.lens = SenderNote.Lens(fx: 554, fy: 553, cx: 320, cy: 240)
        #expect(SenderNote(note.bytes) == note)
        let odd = #"{"v":1,"seq":1.5,"t":-1,"unit":0,"fx":0,"fy":1,"cx":1,"cy":1,"skew":99,"clock":"monotonic"}"#
        var rest = SenderNote()
        rest.isMonotonic = true
        #expect(SenderNote(Array(odd.utf8)) == rest)
        for text in ["", "{}", "[]", #"{"v":2}"#, #"{"v":1"#, "\u{0}", String(repeating: "[", count: 4000)] {
            #expect(SenderNote(Array(text.utf8)) == nil)
        }
    }
}
