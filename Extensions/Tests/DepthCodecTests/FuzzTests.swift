import Codecs
import DockTestKit
import Foundation
import Testing

@testable import DepthCodec

@Suite("a reader of depth that is given rubbish")
struct FuzzTests {
    /// Files of each seed. DOCKFACE_THOROUGH: many more; DOCKFACE_FUZZ: that number.
    private static let files: Int = {
        let variables = ProcessInfo.processInfo.environment
        return variables["DOCKFACE_FUZZ"].flatMap(Int.init)
            ?? (variables["DOCKFACE_THOROUGH"] == nil ? 3_000 : 2_500_000)
    }()

    /// A file with a few changes. Its checksums are right again after most of them, so that the changes get further.
    private static func changed(_ file: [UInt8], _ dice: inout Dice) -> [UInt8] {
        var file = file
        for _ in 0..<Int.random(in: 1...3, using: &dice) where !file.isEmpty {
            let at = Int.random(in: 0..<file.count, using: &dice)
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: file[at] = UInt8.random(in: 0...255, using: &dice)
            case 1: file.removeSubrange(at..<min(file.count, at + Int.random(in: 1...9, using: &dice)))
            case 2: file.insert(contentsOf: [UInt8](repeating: 255, count: Int.random(in: 1...9, using: &dice)), at: at)
            default: file[at] = [0, 1, 4, 16, 127, 128, 255].randomElement(using: &dice) ?? 0
            }
        }
        return dice.once(in: 4) ? file : repaired(file)
    }

    /// The file with the checksums that its parts should have.
    private static func repaired(_ file: [UInt8]) -> [UInt8] {
        var file = file, at = 8
        while at + 12 <= file.count {
            let length = file.word(at: at), end = at + 8 + Int(length)
            guard length < 1 << 24, end + 4 <= file.count else { break }
            file.replaceSubrange(end..<end + 4, with: TestPNG.word(Int(TestPNG.checksum(Array(file[at + 4..<end])))))
            at = end + 4
        }
        return file
    }

    @Test(
        "no file stops it, and none gives a picture that the header does not permit", arguments: 0..<4 as Range<UInt64>)
    func rubbish(_ seed: UInt64) throws {
        let reader = try #require(DepthPNGReader()), writer = try #require(DepthPNGWriter())
        var dice = Dice(seed + 10)
        for number in 0..<Self.files {
            let picture = try #require(TestPNG.picture(&dice, most: 12))
            let filters = (0..<picture.height).map { _ in UInt8.random(in: 0...4, using: &dice) }
            let good = dice.once(in: 2) ? writer.pack(picture).file() : TestPNG.file(picture) { filters[$0] }
            if let file = try? reader.read(Self.changed(good, &dice)) {
                if file.picture.samples.count != file.picture.width * file.picture.height {
                    Issue.record("file \(number) has a picture of a wrong size")
                }
            }
            guard number.isMultiple(of: 100) else { continue }
            #expect(try reader.read(good).picture == picture)
        }
    }
}
