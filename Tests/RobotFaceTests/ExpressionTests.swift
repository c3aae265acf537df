import Testing

@testable import RobotFace

@Suite struct ExpressionTests {
    @Test func `There are 21 expressions in the order of the taps`() {
        let names = """
            normal happy sad excited sleepy anger disgust fear surprise trust anticipation joy sadness curiosity \
            acceptance contempt pride shame love guilt envy
            """
        #expect(Expression.all.map(\.name) == names.split(separator: " ").map(String.init))
        #expect(Expression.all.map(\.index) == Array(1...21))
    }

    @Test func `The one after the last is the first`() {
        var expression = Expression.normal
        for _ in 0..<21 { expression = expression.next }
        #expect(expression == .normal)
        #expect(Expression.all[20].next.name == "normal")
    }

    @Test func `Names, numbers and common words find an expression in any case`() {
        #expect(Expression(named: "ANGER")?.index == 6)
        #expect(Expression(named: "angry")?.name == "anger")
        #expect(Expression(named: "21")?.name == "envy")
        #expect(Expression(named: "hearts")?.name == "love")
        #expect(Expression(named: "22") == nil)
        #expect(Expression(named: "0") == nil)
        #expect(Expression(named: "") == nil)
        #expect(Expression(named: "shiny") == nil)
    }

    @Test func `Every synonym leads to a name in the table and hides none`() {
        let names = Set(Expression.all.map(\.name))
        for (word, name) in synonyms {
            #expect(names.contains(name), "\(word)")
            #expect(!names.contains(word), "\(word)")
        }
        #expect(synonyms.count >= 40)
    }

    @Test func `Every mood moves`() {
        #expect(Set(motionRows.keys) == Set(Expression.all.map(\.name)))
        for expression in Expression.all { #expect(!expression.motion.isEmpty, "\(expression.name)") }
    }
}
