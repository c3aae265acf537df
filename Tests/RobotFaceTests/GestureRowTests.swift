import Testing

@testable import RobotFace

@Suite struct GestureRowTests {
    @Test func `every row is the gesture of a mood, and only the calm mood has none`() {
        let names = Set(Expression.all.map(\.name))
        #expect(Set(gestureRows.keys) == names.subtracting(["normal"]))
        #expect(Expression.all.filter { $0.gesture == nil }.map(\.name) == ["normal"])
    }

    @Test(arguments: gestureRows.keys.sorted())
    func `a gesture is a closed curve within 12 degrees and 1.5 s`(name: String) throws {
        let gesture = try #require(gestureRows[name])
        let first = try #require(gesture.keys.first), last = try #require(gesture.keys.last)
        #expect(first.time == 0 && first.pan == 0 && first.tilt == 0)
        #expect(last.pan == 0 && last.tilt == 0)
        #expect(gesture.duration >= 0.5 && gesture.duration <= 1.5)
        for (key, next) in zip(gesture.keys, gesture.keys.dropFirst()) { #expect(next.time - key.time >= 0.1) }
        let reach = gesture.keys.map { max(abs($0.pan), abs($0.tilt)) }.max() ?? 0
        #expect(reach <= 12)
        #expect(reach >= 2, "too small to see")
    }

    @Test func `no gesture can be mistaken for another`() {
        let all = gestureRows.sorted { $0.key < $1.key }
        for (index, one) in all.enumerated() {
            for other in all[(index + 1)...] {
                let furthest =
                    stride(from: 0.0, through: 1.5, by: 0.05).map { time in
                        let a = pose(one.value, time), b = pose(other.value, time)
                        return max(abs(a.pan - b.pan), abs(a.tilt - b.tilt))
                    }.max() ?? 0
                #expect(furthest >= 2, "\(one.key) and \(other.key) are never 2 degrees apart")
            }
        }
    }

    /// Straight from key to key.
    private func pose(_ gesture: BodyGesture, _ time: Double) -> (pan: Double, tilt: Double) {
        guard let next = gesture.keys.firstIndex(where: { $0.time > time }), next > 0 else { return (0, 0) }
        let a = gesture.keys[next - 1], b = gesture.keys[next], share = (time - a.time) / (b.time - a.time)
        return (a.pan + (b.pan - a.pan) * share, a.tilt + (b.tilt - a.tilt) * share)
    }
}
