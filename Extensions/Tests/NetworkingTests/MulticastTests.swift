import DockTestKit
import Testing

@testable import NetworkTestKit
@testable import Networking

/// Messages of multicast DNS as bytes, built by hand from RFC 1035.
@Suite struct MulticastTests {
    /// Writes a message.
    struct Packet {
        var bytes: [UInt8]

        init(flags: Int = 0x8400, questions: Int = 0, answers: Int = 0, additional: Int = 0) {
            bytes =
                [0, 0] + Self.short(flags) + Self.short(questions) + Self.short(answers) + [0, 0]
                + Self.short(additional)
        }

        static func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

        static func name(_ labels: [String], pointer: Int? = nil) -> [UInt8] {
            labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + (pointer.map { short(0xC000 | $0) } ?? [0])
        }

        mutating func record(_ name: [UInt8], _ kind: Int, type: Int = 1, lifetime: Int = 120, _ data: [UInt8]) {
            bytes +=
                name + Self.short(kind) + Self.short(type) + [0, 0] + Self.short(lifetime) + Self.short(data.count)
                + data
        }
    }

    static let service = MulticastName(labels: [Array("_allspark".utf8), Array("_tcp".utf8), Array("local".utf8)])

    /// What python-zeroconf answers: PTR, SRV, TXT and A, with pointers; the host has a name of several labels.
    static func answer(
        instance: String = "AllSpark on desk", host: [String] = ["192", "168", "1", "5"], port: Int = 8080,
        lifetime: Int = 4500, address: [UInt8]? = [192, 168, 1, 5]
    ) -> [UInt8] {
        var packet = Packet(answers: 1, additional: address == nil ? 2 : 3)
        // The service's name is at 12, and its last label, `local`, at 27.
        packet.record(
            Packet.name(["_allspark", "_tcp", "local"]), 12, lifetime: lifetime, Packet.name([instance], pointer: 12))
        let instancePlace = 12 + 22 + 10
        let hostPlace = packet.bytes.count + 2 + 10 + 6
        packet.record(
            Packet.short(0xC000 | instancePlace), 33, type: 0x8001,
            Packet.short(0) + Packet.short(0) + Packet.short(port) + Packet.name(host, pointer: 27))
        packet.record(Packet.short(0xC000 | instancePlace), 16, [0])
        if let address { packet.record(Packet.short(0xC000 | hostPlace), 1, type: 0x8001, address) }
        return packet.bytes
    }

    @Test func `the answer of a server is read with all its pointers`() throws {
        let message = try #require(MulticastMessage(Self.answer()))
        let instance = MulticastName(labels: [Array("AllSpark on desk".utf8)] + (Self.service?.labels ?? []))
        let host = MulticastName("192.168.1.5.local")
        #expect(message.isAnswer && message.records.count == 4)
        #expect(message.records.map(\.name) == [Self.service, instance, instance, host])
        #expect(
            message.records.map(\.content) == [
                .pointer(try #require(instance)), .service(host: try #require(host), port: 8080), .text([]),
                .address4([192, 168, 1, 5]),
            ])
        #expect(message.records.map(\.lifetime) == [4500, 120, 120, 120])
    }

    @Test func `the question is the one of the standard`() throws {
        let service = try #require(Self.service)
        let bytes = MulticastMessage.question([.init(name: service, kind: .ptr)])
        #expect(
            bytes == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + Packet.name(["_allspark", "_tcp", "local"]) + [0, 12, 0, 1])
        let message = try #require(MulticastMessage(bytes))
        #expect(!message.isAnswer && message.questions == [.init(name: service, kind: .ptr)])
    }

    @Test func `an address of sixteen bytes and entries of text are read`() throws {
        var packet = Packet(answers: 2)
        packet.record(Packet.name(["a", "local"]), 28, [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1])
        packet.record(Packet.name(["a", "local"]), 16, [5] + Array("tls=1".utf8) + [0, 1, 0x78])
        let message = try #require(MulticastMessage(packet.bytes))
        #expect(
            message.records.map(\.content) == [
                .address6([0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]), .text([Array("tls=1".utf8), [0x78]]),
            ])
    }

    @Test func `pointers that run in circles, forward or beyond the end are no names`() {
        for name in [
            Packet.short(0xC00C), Packet.short(0xC00E), Packet.short(0xFFFF), [1, 0x61] + Packet.short(0xC00C), [0xC0],
            [0x80, 0],
            [0x40], [5, 0x61],
        ] {
            var packet = Packet(answers: 1)
            packet.bytes += name
            packet.bytes += [0, 12, 0, 1, 0, 0, 0, 0, 0, 2, 0xC0, 0x0C]
            #expect(MulticastMessage(packet.bytes)?.records.isEmpty == true, "\(name)")
        }
    }

    @Test func `a name has at most 255 bytes, also through pointers`() throws {
        let label = String(repeating: "x", count: 63)
        var packet = Packet(answers: 2)
        packet.record(Packet.name([label, label, label]), 1, [1, 2, 3, 4])
        packet.record(Packet.name([label], pointer: 12), 1, [1, 2, 3, 4])
        #expect(try #require(MulticastMessage(packet.bytes)).records.count == 1)
        #expect(MulticastName(labels: []) != nil && MulticastName("a..b") == nil)
        #expect(MulticastName(String(repeating: "x", count: 64)) == nil)
    }

    @Test func `lengths that lie end the message, and what was before counts`() throws {
        var packet = Packet(answers: 3)
        packet.record(Packet.name(["a", "local"]), 1, [1, 2, 3, 4])
        packet.record(Packet.name(["a", "local"]), 1, [1, 2, 3, 4, 5])
        packet.bytes += Packet.name(["a", "local"]) + [0, 1, 0, 1, 0, 0, 0, 0, 0xFF, 0xFF, 1]
        let message = try #require(MulticastMessage(packet.bytes))
        #expect(message.records.map(\.content) == [.address4([1, 2, 3, 4])])
        #expect(MulticastMessage([]) == nil && MulticastMessage([0, 0, 0x84, 0, 0, 0]) == nil)
        #expect(MulticastMessage(Self.answer() + [UInt8](repeating: 0, count: 9000)) == nil)
        #expect(MulticastMessage([0, 0, 0x84, 3] + [UInt8](repeating: 0, count: 8)) == nil)
    }

    @Test func `a message that claims many entries costs little`() {
        var packet = Packet(answers: 65_535, additional: 65_535)
        let name = Packet.name((0..<60).map { _ in "x" })
        packet.record(name, 1, [1, 2, 3, 4])
        while packet.bytes.count < 8980 { packet.record(Packet.short(0xC00C), 1, [1, 2, 3, 4]) }
        #expect(MulticastMessage(packet.bytes)?.records.count ?? 0 <= MulticastMessage.mostRecords)
    }

    @Test func `names are compared without their case`() {
        #expect(MulticastName("_AllSpark._TCP.Local") == Self.service)
        #expect(MulticastName("a.b") != MulticastName("ab"))
        let dotted = MulticastName(labels: [Array("a.b".utf8)])
        #expect(dotted != MulticastName("a.b") && dotted?.text == "a.b")
        #expect(MulticastName(labels: [[0x1B, 0x5B, 0x32, 0x4A, 0xFF]])?.text == "\\u{1b}[2J\u{FFFD}")
    }

    @Test func `no packet breaks the reader or the browser`() async throws {
        var dice = Dice(9), known = 0, browser = ServiceBrowser(try #require(Self.service), now: 0)
        let samples = [Self.answer(), Self.answer(host: ["desk"], address: nil), MulticastMessage.question([])]
        for round in 0..<(isThorough ? 10_000_000 : 3000) {
            if round % 20 == 0 { await Task.yield() }
            var bytes = samples.randomElement(using: &dice) ?? []
            for _ in 0..<Int.random(in: 0...5, using: &dice) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &dice)
                switch Int.random(in: 0..<5, using: &dice) {
                case 0: bytes[place] = [0, 1, 0x0C, 0x3F, 0x40, 0xC0, 0xFF].randomElement(using: &dice) ?? 0
                case 1: bytes[place] = UInt8.random(in: 0...255, using: &dice)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &dice)))
                case 3: bytes.insert(contentsOf: Packet.short(0xC000 | place), at: place)
                default: bytes[place...].shuffle(using: &dice)
                }
            }
            guard let message = MulticastMessage(bytes) else { continue }
            known += message.records.count
            let question = browser.receive(message)
            #expect(question?.count ?? 0 <= 1472)
            if round % 100 == 0 { #expect(browser.services.count <= ServiceBrowser.most) }
        }
        #expect(known > 300)
    }
}
