internal import Geometry

/// The looks at a face while the head nods to it (`GreetingNod`), along one axis.
struct NodLooks: Sendable {
    /// Whether the last look was one of the nod.
    var isCurrent = false
    /// The least and the largest position of this axis and of the other one, and of the face in the room under each
    /// `SignStory`, in radians.
    private var own: (least: Double, most: Double)?
    private var other = (least: 0.0, most: 0.0)
    private var least = SIMD8<Double>.zero, most = SIMD8<Double>.zero

    /// The turning in a nod that is enough to convict a rig, in radians. It is less than while tracking, because a
    /// head that nods does not follow noise.
    static let leastWay = Double.degrees(3.5)
    /// The fraction of the head's motion that a face may have moved meanwhile if a hypothesis is true. If it moved
    /// farther under all of them, the times of the pictures or poses are wrong, or the person walks.
    static let calm = 0.5

    /// How far this axis and the other one have turned, in radians.
    var way: (own: Double, other: Double) { own.map { ($0.most - $0.least, other.most - other.least) } ?? (0, 0) }

    /// The hypotheses in which the face stayed nearly where it was.
    var isCalm: SIMDMask<SIMD8<Int64>> {
        let own = Self.calm * way.own, other = Self.calm * way.other
        return (most - least) .< SIMD8(own, own, own, other, other, own, own, own)
    }

    /// Whether the face stayed nearly where it was if the camera lies on one of its sides.
    var isCrossed: Bool { isCalm[SignStory.crossed.rawValue] || isCalm[SignStory.counterCrossed.rawValue] }

    /// Returns whether the head has turned far enough to accuse a rig with a face that stayed where it was.
    func convicts(_ story: SignStory) -> Bool {
        isCurrent && (story.isCrossed ? way.other : way.own) > Self.leastWay && isCalm[story.rawValue]
    }

    /// Records a look.
    mutating func add(_ look: SignLook) {
        let places = look.places
        guard let own else {
            (self.own, other) = ((look.own, look.own), (look.other, look.other))
            (least, most) = (places, places)
            return
        }
        self.own = (min(own.least, look.own), max(own.most, look.own))
        other = (min(other.least, look.other), max(other.most, look.other))
        (least, most) = (pointwiseMin(least, places), pointwiseMax(most, places))
    }
}
