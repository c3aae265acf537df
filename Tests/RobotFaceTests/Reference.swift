import Foundation
import Testing

@testable import RobotFace

/// The masks and distances that the faces were designed with.
struct Reference {
    /// 40 x 24 pixels of each expression, row by row.
    var masks: [String: [Bool]] = [:]
    var points: [(x: Float, y: Float)] = []
    var distances: [String: [Float]] = [:]

    init() throws {
        let file = try #require(Bundle.module.url(forResource: "Fixtures/reference", withExtension: "txt"))
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ").map(String.init)
            switch words[0] {
            case "mask":
                masks[words[1]] = try words.dropFirst(2).flatMap { row in
                    let bits = try #require(UInt64(row, radix: 16))
                    return (0..<40).map { bits >> (39 - $0) & 1 == 1 }
                }
            case "points":
                points = words.dropFirst().map { pair in
                    let values = pair.split(separator: ",").compactMap { Float($0) }
                    return (values[0], values[1])
                }
            default: distances[words[1]] = words.dropFirst(2).compactMap { Float($0) }
            }
        }
    }
}

/// The common fraction of two masks: 1 if equal.
func overlap(_ a: [Bool], _ b: [Bool]) -> Double {
    var both = 0, any = 0
    for (p, q) in zip(a, b) {
        if p && q { both += 1 }
        if p || q { any += 1 }
    }
    return any == 0 ? 1 : Double(both) / Double(any)
}

/// Tests of the silhouette alone use the half-block painter by itself.
extension HalfBlockPainter {
    init(columns: Int, rows: Int, cellAspect: Double = 2) {
        self.init(CellFrame(columns: columns, rows: rows, aspect: cellAspect))
    }
}

/// The tests query one point at a time.
extension FaceShape {
    func distance(_ x: Float, _ y: Float) -> Float { distance(Lanes(repeating: x), Lanes(repeating: y))[0] }

    func distance(_ layer: FaceLayer, _ x: Float, _ y: Float) -> Float {
        distance(layer, Lanes(repeating: x), Lanes(repeating: y))[0]
    }
}

extension EyeShape {
    func measure(_ x: Float, _ y: Float) -> (distance: Float, beyond: Float) {
        let measured = measure(Lanes(repeating: x), Lanes(repeating: y))
        return (measured.distance[0], measured.beyond[0])
    }
}
