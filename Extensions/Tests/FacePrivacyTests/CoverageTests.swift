import ControlProtocol
import Foundation
import Geometry
import Testing

@testable import FacePrivacy

/// Faces that a real detector found in every picture of a clip. Some pictures are looked at; the others must be covered.
@Suite struct CoverageTests {
    static let clips = ["man-turning-head", "two-people", "woman-turning-head", "walking", "walking-and-pause"]

    /// A picture of a recording: its time in the clip, and its faces.
    struct Recorded: Sendable {
        var time: Seconds
        var faces: [Rect]
    }

    /// How well faces were covered.
    struct Score: CustomStringConvertible {
        var faces = 0
        var complete = 0
        var least = 1.0
        var wholes = 0
        var pictures = 0
        /// The area of all faces, and that of all covers, in pictures.
        var area = (faces: 0.0, covers: 0.0)

        var share: Double { Double(complete) / Double(max(faces, 1)) }
        var description: String {
            "\(complete) of \(faces) faces complete, the least \(least), \(wholes) of \(pictures) pictures as a whole"
                + ", covered \(area.covers / area.faces) times the area of the faces"
        }

        mutating func add(_ rects: [Rect], in areas: [FaceArea]) {
            let shares = rects.map { CoverageTests.share(of: $0, in: areas) }
            area.faces += rects.map(\.area).reduce(0, +)
            area.covers += CoverageTests.share(of: .full, in: areas)
            faces += shares.count
            complete += shares.count { $0 >= 1 }
            least = min(least, shares.min() ?? 1)
        }
    }

    static func recording(_ name: String) throws -> [Recorded] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Examples/faces").standardized
        let text = try String(contentsOf: folder.appendingPathComponent(name + ".jsonl"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            guard let json = JSONValue(json: Array(line.utf8)), let time = json["t"]?.number,
                let faces = json["faces"]?.array
            else { return nil }
            return Recorded(time: time, faces: faces.compactMap { $0["rect"]?.rect })
        }
    }

    /// The same faces at 30 pictures a second, on straight lines between the recorded ones.
    static func resampled(_ recorded: [Recorded]) -> [Recorded] {
        zip(recorded, recorded.dropFirst()).flatMap { first, second -> [Recorded] in
            let pictures = Int((first.time * 30).rounded(.up))..<Int((second.time * 30).rounded(.up))
            return pictures.map { index in
                let time = Double(index) / 30, share = (time - first.time) / (second.time - first.time)
                return Recorded(time: time, faces: between(first.faces, second.faces, share))
            }
        }
    }

    private static func between(_ first: [Rect], _ second: [Rect], _ share: Double) -> [Rect] {
        var rest = second
        var faces: [Rect] = []
        for face in first {
            let index = rest.indices.max { rest[$0].overlap(face) < rest[$1].overlap(face) }
            if let index, rest[index].overlap(face) > 0 {
                let other = rest.remove(at: index)
                func mix(_ side: KeyPath<Rect, Double>) -> Double {
                    face[keyPath: side] * (1 - share) + other[keyPath: side] * share
                }
                faces.append(Rect(x: mix(\.x), y: mix(\.y), width: mix(\.width), height: mix(\.height)))
            } else if share < 0.5 {
                faces.append(face)
            }
        }
        return faces + (share < 0.5 ? [] : rest)
    }

    /// Shows a recording to a line. A detector looks at each n-th picture and answers after 0.1 s.
    static func score(_ recorded: [Recorded], every: Int) -> Score {
        var line = DelayLine<Int>(mode: .faces), score = Score()
        let aspect = 480.0 / 270
        func judge(_ exit: DelayLine<Int>.Exit) {
            score.pictures += 1
            if exit.verdict.reason != nil { return score.wholes += 1 }
            guard !exit.picture.isMultiple(of: every) else { return }
            score.add(recorded[exit.picture].faces, in: exit.verdict.areas)
        }
        var answers: [FaceLook] = []
        for (index, picture) in recorded.enumerated() {
            let now = 100 + picture.time
            while let answer = answers.first, answer.arrival <= now + 0.02 {
                line.ledger.add(answers.removeFirst())
            }
            let stamp = FrameStamp(sequence: index, exposure: now, width: 480, height: 270, rate: .zero)
            if let forced = line.push(index, stamp, now: now + 0.02) { judge(forced) }
            while let exit = line.pop(now: now + 0.02) { judge(exit) }
            if index.isMultiple(of: every) {
                answers.append(
                    FaceLook(
                        source: "blazeface", sequence: index, exposure: now, arrival: now + 0.1, aspect: aspect,
                        faces: picture.faces))
            }
        }
        for answer in answers { line.ledger.add(answer) }
        while let exit = line.flush() { judge(exit) }
        return score
    }

    /// The share of a face that areas cover, on a grid of 41 x 41 points, those outside the picture left out.
    static func share(of face: Rect, in areas: [FaceArea]) -> Double {
        var points = 0, covered = 0
        for row in 0...40 {
            for column in 0...40 {
                let point = Point(
                    x: face.x + face.width * Double(column) / 40, y: face.y + face.height * Double(row) / 40)
                guard Rect.full.contains(point) else { continue }
                points += 1
                covered += areas.contains { $0.rect.contains(point) } ? 1 : 0
            }
        }
        return points == 0 ? 1 : Double(covered) / Double(points)
    }

    static func total(_ rate: (String) throws -> Score) rethrows -> Score {
        try clips.map(rate).reduce(into: Score()) { total, score in
            total.faces += score.faces
            total.complete += score.complete
            total.least = min(total.least, score.least)
            total.wholes += score.wholes
            total.pictures += score.pictures
            total.area.faces += score.area.faces
            total.area.covers += score.area.covers
        }
    }

    @Test func `ten looks a second of thirty cover at least 99.5 percent of recorded faces completely`() throws {
        let score = try Self.total { Self.score(Self.resampled(try Self.recording($0)), every: 3) }
        #expect(score.share >= 0.995 && score.least >= 0.9, "\(score)")
        #expect(score.faces > 500 && score.wholes < score.pictures / 30, "\(score)")
        #expect(score.area.covers < score.area.faces * 4, "\(score)")
    }

    @Test(arguments: [2, 3]) func `six and four looks a second of twelve do, too`(every: Int) throws {
        let score = try Self.total { Self.score(try Self.recording($0), every: every) }
        #expect(score.share >= 0.995 && score.least >= 0.9, "\(score)")
        #expect(score.faces > 150 && score.wholes < score.pictures / 30, "\(score)")
        #expect(score.area.covers < score.area.faces * 4, "\(score)")
    }

    @Test func `rectangles as they were last seen would not`() throws {
        let recorded = try Self.recording("walking-and-pause")
        let shares = recorded.indices.dropFirst().flatMap { index in
            recorded[index].faces.map { face in
                Self.share(of: face, in: recorded[index - 1].faces.map { FaceArea($0, growth: 0) })
            }
        }
        #expect(shares.count { $0 >= 1 } < shares.count * 9 / 10)
    }
}
