public import Geometry
internal import Glibc

/// Where the listener stands. A person who faces the robot has left and right swapped.
public enum Viewpoint: String, Sendable, CaseIterable {
    /// In front of the robot, face to face: its left is the listener's right.
    case front
    /// Behind the robot, or beside it: both look the same way.
    case behind

    /// How far to the listener's side a direction is: -1 left, 0 in the middle, 1 right. What is behind the robot is as
    /// far aside as what is before it.
    public func side(of direction: PanTilt) -> Double {
        guard direction.pan.isFinite else { return 0 }
        let right = sin(direction.pan)
        return self == .front ? -right : right
    }

    /// Returns a sentence in which the robot's side ("to my left", "on my right") is the listener's ("to your right"). Only
    /// a side that ends its clause is a place: "on my left." is one, "on my left arm" is not.
    public func sentence(_ text: String) -> String {
        var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count >= 3 else { return text }
        for index in 1..<(words.count - 1) where words[index] == "my" {
            guard Self.prepositions.contains(words[index - 1].lowercased()) else { continue }
            let side = words[index + 1].prefix { $0.isLetter }, end = words[index + 1].dropFirst(side.count)
            let endsClause = index + 2 == words.count || !end.isEmpty
            guard let mine = Self.opposite[String(side)], endsClause, !end.contains(where: { $0.isLetter || $0 == "-" })
            else { continue }
            words[index] = "your"
            words[index + 1] = (self == .front ? mine : String(side)) + end
        }
        return words.joined(separator: " ")
    }

    private static let prepositions: Set<String> = ["to", "on", "at"]
    private static let opposite = ["left": "right", "right": "left"]
}
