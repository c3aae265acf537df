import Codecs
import DockTestKit
import Testing

@testable import DepthStream

@Suite struct ShowingTests {
    @Test func `near is red, far is blue, and what is not known has colours of its own`() {
        let near = DepthColours.colour(of: .metres(0.3)), far = DepthColours.colour(of: .metres(5))
        #expect(near[0] > near[2] + 100 && far[2] > far[0] + 100)
        #expect(DepthColours.colour(of: .metres(0.01)) == near && DepthColours.colour(of: .metres(99)) == far)
        let all = stride(from: 0.3, through: 5, by: 0.1).map { DepthColours.colour(of: .metres($0)) }
        #expect(Set(all).count == all.count)
        for reading in [DepthMap.Reading.none, .beyond] { #expect(!all.contains(DepthColours.colour(of: reading))) }
    }

    @Test func `picture and depth are beside each other, within the terminal`() throws {
        var dice = Dice(1)
        let map = try #require(DepthScene().map(&dice))
        let picture = try #require(
            RGBPicture(width: 640, height: 480, bytes: [UInt8](repeating: 90, count: 3 * 640 * 480)))
        for (columns, rows) in [(80, 24), (40, 50), (200, 10), (3, 1), (1, 1)] {
            let lines = HalfBlocks.lines(picture, beside: map, columns: columns, rows: rows)
            let blocks = lines.map { $0.count { $0 == "\u{2580}" } }
            #expect(lines.count <= max(1, rows) && Set(blocks).count == 1, "\(columns)x\(rows): \(lines.count)")
            #expect(blocks[0] <= max(2, columns) && blocks[0].isMultiple(of: 2))
            #expect(lines.allSatisfy { $0.hasSuffix("\u{1B}[0m") })
        }
        #expect(HalfBlocks.lines(picture, beside: nil, columns: 80, rows: 24).contains { $0.hasSuffix(" no depth") })
    }

    @Test func `a legend says what the colours mean, and how far the middle is, within the terminal`() throws {
        for (sample, words) in [(UInt16(1260), "1.3 m"), (0, "not measured"), (65_535, "too far")] {
            let picture = try #require(
                DepthPicture(width: 3, height: 3, samples: [UInt16](repeating: sample, count: 9)))
            let line = DepthLegend.line(of: DepthMap(picture, unit: .millimetres))
            let plain = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
            #expect(plain.hasPrefix("0.3 m ") && plain.hasSuffix("middle: \(words)"), "\(plain)")
            #expect(plain.count < DepthLegend.columns && plain.contains("\u{2588} not measured"), "\(plain)")
            // Each colour is another one.
            #expect(Set(line.matches(of: /38;2;[0-9;]*m/).map { String($0.output) }).count == 14)
        }
    }

    @Test func `a character shows two pixels, the upper one as its own colour`() throws {
        let picture = try #require(RGBPicture(width: 1, height: 3, bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9]))
        #expect(
            HalfBlocks.lines(picture) == [
                "\u{1B}[38;2;1;2;3m\u{1B}[48;2;4;5;6m\u{2580}\u{1B}[0m",
                "\u{1B}[38;2;7;8;9m\u{1B}[48;2;7;8;9m\u{2580}\u{1B}[0m",
            ])
    }
}
