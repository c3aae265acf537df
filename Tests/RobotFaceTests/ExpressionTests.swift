import Testing

@testable import RobotFace

@Suite struct ExpressionTests {
    @Test func `there are 21 expressions in the order of the taps`() {
        let names = """
            normal happy sad excited sleepy anger disgust fear surprise trust anticipation joy sadness curiosity \
            acceptance contempt pride shame love guilt envy
            """
        #expect(Expression.all.map(\.name) == names.split(separator: " ").map(String.init))
        #expect(Expression.all.map(\.index) == Array(1...Expression.all.count))
        #expect(faceRamps.count == Expression.all.count)
    }

    @Test func `the one after the last is the first`() {
        let book = ExpressionBook()
        var expression = Expression.normal
        for _ in Expression.all { expression = book.next(after: expression) }
        #expect(expression == .normal)
    }

    @Test func `names, numbers and common words find an expression in any case`() {
        #expect(Expression(named: "ANGER")?.index == 6)
        #expect(Expression(named: "angry")?.name == "anger")
        #expect(Expression(named: "21")?.name == "envy")
        #expect(Expression(named: "hearts")?.name == "love")
        #expect(Expression(named: "\(Expression.all.count + 1)") == nil)
        #expect(Expression(named: "0") == nil)
        #expect(Expression(named: "") == nil)
        #expect(Expression(named: "shiny") == nil)
    }

    @Test func `every synonym leads to a name in the table and hides none`() {
        let names = Set(Expression.all.map(\.name))
        for (word, name) in synonyms {
            #expect(names.contains(name), "\(word)")
            #expect(!names.contains(word), "\(word)")
        }
        #expect(synonyms.count >= 40)
    }

    @Test func `every mood moves`() {
        #expect(Set(motionRows.keys) == Set(Expression.all.map(\.name)))
        for expression in Expression.all { #expect(!expression.motion.isEmpty, "\(expression.name)") }
    }
}

@Suite struct FewColoursTests {
    @Test func `a colour without its own ramp gets one of its hue, from dark to bright`() {
        for (colour, small) in [
            (0xFF2010, 1), (0x20D040, 2), (0xF0D020, 3), (0x3040FF, 4), (0xD030D0, 5), (0x20D0E0, 6), (0xD0D4D8, 7),
        ] {
            let ramp = FaceRamp(near: UInt32(colour), accent: 0xFFFFFF)
            #expect(ramp.small == [UInt8(small), UInt8(small) + 8], "\(String(colour, radix: 16))")
            #expect(ramp.smallAccent == 15 && ramp.accent == 231)
            // The sum of a colour's channels only grows.
            let sums = ramp.large.map(Self.sum)
            #expect(sums == sums.sorted() && sums[0] < sums[4], "\(ramp.large)")
            #expect(ramp.large.allSatisfy { $0 > 16 })
        }
    }

    private static func sum(_ index: UInt8) -> Int {
        if index >= 232 { return 3 * (8 + 10 * (Int(index) - 232)) }
        let cube = Int(index) - 16
        return [cube / 36, cube / 6 % 6, cube % 6].map { $0 == 0 ? 0 : 55 + 40 * $0 }.reduce(0, +)
    }
}
