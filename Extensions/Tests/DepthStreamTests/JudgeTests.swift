import Codecs
import DockTestKit
import Geometry
import Testing

@testable import DepthStream

@Suite struct JudgeTests {
    private static func scenes(_ unit: DepthUnit, holes: Double = 0.2, seed: UInt64 = 1) throws -> [DepthPicture] {
        var dice = Dice(seed)
        return try (0..<10).map { look in
            var scene = DepthScene(head: 0.5 + 0.2 * Double(look % 5), wall: 2.5)
            (scene.holes, scene.unit) = (holes, unit)
            return try #require(scene.picture(&dice))
        }
    }

    @Test(arguments: [DepthUnit.millimetres, .fiveMetres], [0, 0.3, 0.6])
    func `the order of the bytes is found from the first picture on`(unit: DepthUnit, holes: Double) throws {
        for picture in try Self.scenes(unit, holes: holes) {
            var right = DepthJudge(), wrong = DepthJudge()
            right.look(picture)
            wrong.look(picture.swapped)
            #expect(right.order == .big && wrong.order == .little)
            #expect(wrong.map(picture.swapped).picture == picture)
        }
    }

    @Test func `an even picture shows no order, and does not count`() throws {
        let even = try #require(DepthPicture(width: 8, height: 8, samples: [UInt16](repeating: 700, count: 64)))
        var judge = DepthJudge()
        for _ in 0..<50 { judge.look(even) }
        #expect(judge.order == .big)
        for picture in try Self.scenes(.millimetres) { judge.look(picture.swapped) }
        #expect(judge.order == .little)
    }

    @Test func `the decision stays until the connection ends`() throws {
        let pictures = try Self.scenes(.fiveMetres)
        var judge = DepthJudge()
        for (number, picture) in pictures.enumerated() {
            #expect(judge.isSettled == (number >= 10))
            judge.look(picture)
        }
        #expect(judge.isSettled && judge.order == .big)
        for _ in 0..<5 { for picture in pictures { judge.look(picture.swapped) } }
        #expect(judge.order == .big)
    }

    @Test func `the unit is that of the app, unless the sender names another`() throws {
        let picture = try Self.scenes(.fiveMetres)[0]
        var judge = DepthJudge(), note = SenderNote()
        judge.look(picture)
        #expect(judge.unit == UnitDecision(unit: .fiveMetres, reason: .usual) && !judge.isDoubtful)
        note.unit = 0.001
        judge.look(picture, note: note)
        #expect(judge.unit == UnitDecision(unit: .millimetres, reason: .sender))
        // A number that lost digits on its way is still the unit of the app.
        note.unit = 7.63e-5
        var other = DepthJudge()
        other.look(picture, note: note)
        #expect(other.unit == UnitDecision(unit: .fiveMetres, reason: .sender))
    }

    @Test(arguments: [DepthUnit.millimetres, .fiveMetres], [0.4, 0.8, 1.5, 2.5])
    func `a face shows the unit`(unit: DepthUnit, head: Double) throws {
        var dice = Dice(3), judge = DepthJudge()
        for _ in 0..<10 {
            var scene = DepthScene(head: head)
            (scene.holes, scene.unit) = (0.2, unit)
            let face = FaceHint(box: scene.box(off: 0.08, &dice), focal: DepthScene.share)
            judge.look(try #require(scene.picture(&dice)), face: face)
        }
        #expect(judge.unit == UnitDecision(unit: unit, reason: .face))
    }

    @Test func `a face contradicts a sender that names a wrong unit, and not one that is right`() throws {
        var dice = Dice(3), wrong = SenderNote(), right = SenderNote(), scene = DepthScene(head: 0.8)
        (wrong.unit, right.unit, scene.unit) = (0.001, 5.0 / 65_535, .fiveMetres)
        let picture = try #require(scene.picture(&dice))
        let face = FaceHint(box: scene.box(&dice), focal: DepthScene.share)
        var one = DepthJudge(), other = DepthJudge()
        one.look(picture, note: wrong, face: face)
        other.look(picture, note: right, face: face)
        #expect(one.unit == UnitDecision(unit: .fiveMetres, reason: .face))
        #expect(other.unit == UnitDecision(unit: .fiveMetres, reason: .sender))
    }

    @Test func `what a person has set is not decided again`() throws {
        var judge = DepthJudge(.init(unit: DepthUnit("0.002"), order: .big)), note = SenderNote()
        note.unit = 0.001
        for picture in try Self.scenes(.millimetres) { judge.look(picture.swapped, note: note) }
        #expect(judge.order == .big && judge.unit.reason == .setting && judge.unit.unit.metres == 0.002)
        #expect(DepthUnit("mm") == .millimetres && DepthUnit("5m") == .fiveMetres)
        for text in ["", "cm", "0", "-1", "nan", "inf", "2", "1e-9"] { #expect(DepthUnit(text) == nil) }
    }

    @Test func `unnamed millimetres make the unit doubtful`() throws {
        var judge = DepthJudge()
        for picture in try Self.scenes(.millimetres) { judge.look(picture) }
        #expect(judge.unit.unit == .fiveMetres && judge.isDoubtful)
    }

    @Test func `samples keep their meaning in another unit`() throws {
        let picture = try #require(DepthPicture(width: 4, height: 1, samples: [0, 65_535, 13_107, 1]))
        let map = DepthMap(picture, unit: .fiveMetres)
        #expect(map[0, 0] == .none && map[1, 0] == .beyond && map[4, 0] == .none && map[0, -1] == .none)
        #expect(map[2, 0] == .metres(13_107 * 5.0 / 65_535))
        #expect(map.samples(in: .millimetres).samples == [0, 65_535, 1000, 1])
        let far = DepthMap(try #require(DepthPicture(width: 1, height: 1, samples: [9000])), unit: .millimetres)
        #expect(far.samples(in: .fiveMetres).samples == [65_535])
    }
}
