import DockTestKit
import Foundation
import Testing

@testable import DepthStream

@Suite("a stream of rubbish")
struct FuzzTests {
    /// Streams of each seed. DOCKFACE_THOROUGH: many more; DOCKFACE_FUZZ: that number.
    private static let rounds: Int = {
        let variables = ProcessInfo.processInfo.environment
        return variables["DOCKFACE_FUZZ"].flatMap(Int.init)
            ?? (variables["DOCKFACE_THOROUGH"] == nil ? 4_000 : 2_500_000)
    }()

    @Test("no bytes stop a reader, or make it keep more than has arrived", arguments: 0..<4 as Range<UInt64>)
    func rubbish(_ seed: UInt64) {
        var dice = Dice(seed + 30)
        for _ in 0..<Self.rounds {
            let form = StreamForm.allCases.randomElement(using: &dice) ?? .pair
            var bytes = (0..<3).flatMap { Packets.packet(form, $0) }
            for _ in 0..<Int.random(in: 0...3, using: &dice) {
                let at = Int.random(in: 0..<bytes.count, using: &dice)
                if dice.once(in: 2) {
                    bytes[at] = UInt8.random(in: 0...255, using: &dice)
                } else {
                    bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...9, using: &dice)))
                }
            }
            var reader = PacketReader(), rest = bytes[...], arrived = 0
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...60, using: &dice))
                rest = rest.dropFirst(piece.count)
                arrived += piece.count
                for packet in reader.receive(Array(piece), now: 0) where !packet.jpeg.starts(with: FirstBytes.jpeg) {
                    Issue.record("a packet without a JPEG")
                }
                if reader.waiting > arrived { Issue.record("it keeps more than has arrived") }
            }
        }
    }
}
