/// The assignment problem: which row belongs to which column so that the sum of the costs is smallest (the Hungarian
/// method with potentials, after Jonker and Volgenant; its time grows with the cube of the size).
enum Assignment {
    /// Returns the column of each row, or nil where every column that is left costs more than `most`.
    /// - Parameter costs: rows of equal length; a cost that is no number counts as too much.
    static func columns(_ costs: [[Double]], most: Double) -> [Int?] {
        let rows = costs.count, width = costs.first?.count ?? 0
        guard rows > 0, width > 0 else { return Array(repeating: nil, count: rows) }
        // Each row also has a column of its own that stands for "none" and costs just a little more than `most`.
        let count = width + rows, none = most * 1.001 + 1e-9
        func cost(_ row: Int, _ column: Int) -> Double {
            guard column < width else { return column - width == row ? none : 2 * none }
            let cost = costs[row][column]
            return cost <= most ? cost : 2 * none
        }
        var rowPotential = [Double](repeating: 0, count: rows + 1)
        var columnPotential = [Double](repeating: 0, count: count + 1)
        // Rows and columns count from 1; 0 is the row that is being placed.
        var owner = [Int](repeating: 0, count: count + 1), previous = [Int](repeating: 0, count: count + 1)
        for row in 1...rows {
            owner[0] = row
            var column = 0
            var slack = [Double](repeating: .infinity, count: count + 1)
            var isUsed = [Bool](repeating: false, count: count + 1)
            repeat {
                isUsed[column] = true
                let present = owner[column]
                var least = Double.infinity, next = 0
                for other in 1...count where !isUsed[other] {
                    let reduced = cost(present - 1, other - 1) - rowPotential[present] - columnPotential[other]
                    if reduced < slack[other] { (slack[other], previous[other]) = (reduced, column) }
                    if slack[other] < least { (least, next) = (slack[other], other) }
                }
                for other in 0...count {
                    if isUsed[other] {
                        rowPotential[owner[other]] += least
                        columnPotential[other] -= least
                    } else {
                        slack[other] -= least
                    }
                }
                column = next
            } while owner[column] != 0
            repeat {
                owner[column] = owner[previous[column]]
                column = previous[column]
            } while column != 0
        }
        var result = [Int?](repeating: nil, count: rows)
        for column in 1...width where owner[column] > 0 && costs[owner[column] - 1][column - 1] <= most {
            result[owner[column] - 1] = column - 1
        }
        return result
    }
}
