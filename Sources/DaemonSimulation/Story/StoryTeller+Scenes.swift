internal import Geometry

/// Scenes of several events that belong together, told by a teller of their own: the rest of a story stays what it is.
extension StoryTeller {
    mutating func scenes(until end: Seconds) -> [(at: Seconds, what: Happening)] {
        var all: [(at: Seconds, what: Happening)] = []
        if chance(0.1) { all += silence(from: between(0.3, max(0.4, end - 3))) }
        return all
    }

    /// Somebody walks about and is followed, and the detector says nothing for a while.
    private mutating func silence(from start: Double) -> [(at: Double, what: Happening)] {
        [
            (start, .person(0, isThere: true)), (start, .words("mode system")),
            (start + between(1.2, 2.6), .detectorStall(for: between(0.3, 1))),
        ]
    }
}
