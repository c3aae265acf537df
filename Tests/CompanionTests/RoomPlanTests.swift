import Geometry
import RobotFace
import Testing

@testable import Companion

@Suite struct RoomPlanTests {
    private func plan(pan: Double = 0, _ people: [RoomPlan.Person] = []) -> RoomPlan {
        RoomPlan(pan: .degrees(pan), halfView: .degrees(33), people: people)
    }

    private func person(_ pan: Double, _ distance: Double, isFollowed: Bool = false) -> RoomPlan.Person {
        RoomPlan.Person(pan: .degrees(pan), distance: distance, isFollowed: isFollowed)
    }

    /// Column and row of a character.
    private func place(of mark: Character, in plan: RoomPlan) -> (column: Int, row: Int)? {
        for (row, line) in plan.lines.enumerated() {
            if let column = Array(line).firstIndex(of: mark) { return (column, row) }
        }
        return nil
    }

    @Test func `every row is as wide as the plan`() {
        let lines = plan(pan: 170, [person(170, 0.1), person(-90, 9)]).lines
        #expect(lines.count == RoomPlan.rows)
        #expect(lines.allSatisfy { $0.count == RoomPlan.columns })
    }

    @Test func `a person to the robot's right is at the left, where a person before the screen sees them`() throws {
        let middle = try #require(place(of: "◆", in: plan()))
        let right = try #require(place(of: "○", in: plan([person(30, 1.5)])))
        let left = try #require(place(of: "○", in: plan([person(-30, 1.5)])))
        #expect(right.column < middle.column && left.column > middle.column)
    }

    @Test func `a person further away is further down, and stays on the plan`() throws {
        let near = try #require(place(of: "○", in: plan([person(0, 1)])))
        let far = try #require(place(of: "○", in: plan([person(0, 2)])))
        let out = try #require(place(of: "○", in: plan([person(0, 30)])))
        #expect(near.row < far.row && far.row < out.row && out.row < RoomPlan.rows)
    }

    @Test func `the followed person is drawn over another one at the same place`() {
        let both = plan([person(10, 1, isFollowed: true), person(10, 1)])
        #expect(place(of: "●", in: both) != nil && place(of: "○", in: both) == nil)
    }

    @Test func `the view turns with the head`() {
        #expect(plan(pan: 40).lines != plan(pan: -40).lines)
        // To the robot's right: the left half of the plan has the more ink.
        func ink(_ lines: [String], _ columns: Range<Int>) -> Int {
            lines.reduce(0) { $0 + Array($1)[columns].filter { $0 != " " }.count }
        }
        let lines = plan(pan: 40).lines, half = RoomPlan.columns / 2
        #expect(ink(lines, 0..<half) > 2 * ink(lines, half..<RoomPlan.columns))
    }

    @Test func `a small screen has no plan, and a large one has it above its status line`() {
        #expect(plan().labels(columns: 40, rows: 12).isEmpty)
        let labels = plan().labels(columns: 80, rows: 24)
        #expect(Set(labels.map { ($0.y * 23).rounded() }) == Set((14..<23).map(Double.init)))
        #expect(labels.allSatisfy { ($0.x * 79).rounded() >= 53 })
    }

    @Test func `the labels draw the plan and cover nothing else`() {
        let plan = plan(pan: 20, [person(20, 1, isFollowed: true), person(-5, 2)])
        var screen = Array(repeating: Array(repeating: Character(" "), count: 80), count: 24)
        for label in plan.labels(columns: 80, rows: 24) {
            #expect(!label.text.contains(" "))
            let row = Int((label.y * 23).rounded()), column = Int((label.x * 79).rounded())
            screen[row].replaceSubrange(column..<column + label.text.count, with: label.text)
        }
        #expect(screen[14..<23].map { String($0[53..<79]) } == plan.lines)
    }
}
