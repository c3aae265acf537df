import Testing

@testable import SpatialModel

/// Assignments against every possible one.
@Suite struct AssignmentTests {
    /// Returns the smallest cost of all assignments, in which a row may stay alone for the cost `none`.
    private func best(
        _ costs: [[Double]], most: Double, none: Double, row: Int = 0, used: Set<Int> = []
    ) -> Double {
        guard row < costs.count else { return 0 }
        var least = none + best(costs, most: most, none: none, row: row + 1, used: used)
        for column in costs[row].indices where !used.contains(column) && costs[row][column] <= most {
            let rest = best(costs, most: most, none: none, row: row + 1, used: used.union([column]))
            least = min(least, costs[row][column] + rest)
        }
        return least
    }

    @Test func `no assignment costs less`() {
        var dice = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let rows = Int.random(in: 1...5, using: &dice), width = Int.random(in: 1...5, using: &dice)
            let costs = (0..<rows).map { _ in (0..<width).map { _ in Double.random(in: 0...1, using: &dice) } }
            let most = Double.random(in: 0.2...1, using: &dice)
            let none = most * 1.001 + 1e-9, found = Assignment.columns(costs, most: most)
            let taken = found.compactMap { $0 }
            #expect(Set(taken).count == taken.count)
            var sum = 0.0
            for (row, column) in found.enumerated() {
                guard let column else {
                    sum += none
                    continue
                }
                #expect(costs[row][column] <= most)
                sum += costs[row][column]
            }
            #expect(abs(sum - best(costs, most: most, none: none)) < 1e-6, "\(costs) \(most) \(found)")
        }
    }

    @Test func `costs that are no numbers are too high`() {
        #expect(Assignment.columns([[.nan, 0.1], [.infinity, .nan]], most: 1) == [1, nil])
        #expect(Assignment.columns([], most: 1) == [])
        #expect(Assignment.columns([[], []], most: 1) == [nil, nil])
    }
}
