import DockWire
import Foundation
import Testing

/// One line of the fixture file.
struct Vector: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }

    static func load() throws -> [Vector] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/dlp1-vectors", withExtension: "txt"))
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            let words = $0.split(separator: " ")
            return Vector(name: String(words[1]), bytes: words.dropFirst(2).compactMap { UInt8($0, radix: 16) })
        }
    }
}

/// A message of either direction, with the sequence number of its vector.
enum AnyMessage: Equatable {
    case host(UInt8, HostMessage)
    case dock(UInt8, DockMessage)
}

@Suite struct VectorTests {
    static let meanings: [String: AnyMessage] = [
        "hello": .host(0, .hello(Hello())),
        "setpoint": .host(
            7, .setpoint(Setpoint(mode: .velocity, deadman: 25, panVelocity: 30_000, tiltVelocity: -10_000))),
        "motion": .dock(
            42,
            .motion(
                MotionReport(
                    microseconds: 1_000_000, pan: 12_345, tilt: -6_789, panRate: 30_000, tiltRate: -10_000,
                    flags: [.torque, .moving], lastSetpointSequence: 7, fault: 0))),
        "estop": .host(8, .emergencyStop(.stop)),
        "ack": .dock(8, .acknowledge(Acknowledgement(ofType: 0x1F, ofSequence: 8, code: .ok))),
        "power": .dock(
            43,
            .power(PowerReport(millivolts: 7400, milliamperes: -350, percent: 80, state: .discharging, temperature: 31))
        ),
        "event": .dock(44, .event(EventReport(id: 5, kind: .button, value: 1, microseconds: 1_000_000))),
    ]

    @Test func `every golden vector is decoded to its meaning`() throws {
        let vectors = try Vector.load()
        #expect(vectors.count == Self.meanings.count)
        for vector in vectors {
            let frame = try #require(try frames(in: vector.bytes).first)
            switch try #require(Self.meanings[vector.name]) {
            case .host(let sequence, let message):
                #expect(frame.sequence == sequence)
                #expect(try HostMessage(frame) == message)
            case .dock(let sequence, let message):
                #expect(frame.sequence == sequence)
                #expect(try DockMessage(frame) == message)
            }
        }
    }

    @Test func `every golden vector is encoded to its bytes`() throws {
        for vector in try Vector.load() {
            var encoder: FrameEncoder
            let encoded: EncodedFrame
            switch try #require(Self.meanings[vector.name]) {
            case .host(let sequence, let message):
                encoder = FrameEncoder(firstSequence: sequence)
                encoded = encoder.encode(message)
                #expect(encoded.sequence == sequence)
            case .dock(let sequence, let message):
                encoder = FrameEncoder(firstSequence: sequence)
                encoded = encoder.encode(message)
            }
            #expect(encoded.array == vector.bytes, "\(vector.name)")
            #expect(encoded.withBytes { $0.count } == vector.bytes.count)
        }
    }

    @Test func `the checksum of 123456789 is 6F91`() {
        let digits = Array("123456789".utf8)
        #expect(crc16(digits.span) == 0x6F91)
    }

    @Test func `a SETPOINT is 24 bytes in its first form and 29 with its time`() {
        var encoder = FrameEncoder()
        let short = encoder.encode(.setpoint(.stop))
        let long = encoder.encode(.setpoint(Setpoint(mode: .idle, sentMicroseconds: 1)))
        #expect(short.count == 24 && long.count == 29)
        #expect(short.sequence == 0 && long.sequence == 1)
    }
}

/// The frames in a run of bytes; invalid ones are left out.
func frames(in bytes: [UInt8], decoder: inout FrameDecoder) -> [Frame] {
    bytes.compactMap { byte in
        do throws(WireError) { return try decoder.push(byte) } catch { return nil }
    }
}

func frames(in bytes: [UInt8]) throws -> [Frame] {
    var decoder = FrameDecoder()
    return frames(in: bytes, decoder: &decoder)
}
