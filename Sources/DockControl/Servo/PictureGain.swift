internal import Geometry

/// How far the picture moves when the head turns, relative to what the camera's field of view says.
///
/// Compares bends: how far the third of three positions is from where the first two lead. A person at a constant speed
/// has none. A head that stops or turns back has large ones, and the picture has the same with the opposite sign. If
/// the picture has smaller ones, the lens is wider than stated.
///
/// A head that follows a person bends after the person does, so the picture shows both. A person who is followed well
/// makes a right lens look somewhat wider, and a dancing one who is followed late makes it look narrower. Single
/// motions, with the head at rest before or after, are hardly affected. They must therefore agree, unless the head
/// explains nearly all of the picture's motion for a long time.
struct PictureGain: Sendable, Equatable {
    /// What a finding requires.
    private struct Demand {
        /// The number of independent looks, and the fraction of the picture's bends that the head must explain.
        var looks: Double, explained: Double
        /// The same if the picture moves less. A person who is followed well makes a right lens look wider.
        var explainedIfLess: Double
        /// The least deviation of the gain from 1, as a factor. With less, play between motor and head may be the
        /// reason.
        var deviation: Double
        var deviationIfLess: Double
    }

    /// The sums over compared looks, faded: squares of the head's bends and of the picture's (rad²), their products,
    /// and the number of independent looks.
    private struct Sums: Sendable, Equatable {
        var head = 0.0, picture = 0.0, both = 0.0, looks = 0.0

        mutating func add(head bend: Double, picture seen: Double, share: Double) {
            let fade = 1 - PictureGain.fading * share
            head = head * fade + share * bend * bend
            picture = picture * fade + share * seen * seen
            both = both * fade + share * bend * seen
            looks = looks * fade + share
        }

        static func + (a: Sums, b: Sums) -> Sums {
            Sums(head: a.head + b.head, picture: a.picture + b.picture, both: a.both + b.both, looks: a.looks + b.looks)
        }

        /// Returns the gain if it meets a demand.
        func gain(_ demand: Demand) -> Double? {
            let gain = -both / head, isLess = gain < 1, explained = both * both / (head * picture)
            guard looks > demand.looks, explained > (isLess ? demand.explainedIfLess : demand.explained),
                PictureGain.possible.contains(gain),
                max(gain, 1 / gain) > (isLess ? demand.deviationIfLess : demand.deviation)
            else { return nil }
            let rest = max(0, picture - both * both / head), error = (rest / (looks * head)).squareRoot()
            return abs(gain - 1) > PictureGain.certainty * error ? gain : nil
        }
    }

    /// The bends of the head and of the picture along one axis in three looks, in radians.
    struct Bend {
        /// How far the third pose and the third bearing are from where the first two lead.
        var head: Double, picture: Double
        /// The travel of the head in the quieter one of the two intervals.
        var leastTravel: Double
    }

    private var all = Sums(), single = Sums()

    /// The distance between two of the three looks, in seconds: long enough for a bend that is large compared with the
    /// play between motor and head.
    static let spacing: Seconds = 0.3
    /// The head's bend that is necessary to reveal anything, and the travel below which the head counts as at rest, in
    /// radians.
    static let least = Double.degrees(3), resting = Double.degrees(0.5)
    /// How much of the evidence one independent look replaces.
    static let fading = 0.04
    /// The deviation of the gain from 1 that counts, in standard errors.
    static let certainty = 2.0
    /// The gains that a lens can explain.
    static let possible = 0.4...2.5
    // Measured with the recordings among the examples: a right lens has gains of 0.73 to 1.04 in all motions and of
    // 0.75 to 1.15 in a few single ones; a profile with 45 instead of 66 degrees has 0.54 and 0.63. In four hours with a
    // person who walks and pauses, a right lens had gains down to 0.58, but the head explained less than 0.95 of them.
    private static let fromSingle = Demand(
        looks: 1.5, explained: 0.8, explainedIfLess: 0.95, deviation: 1.2, deviationIfLess: 1.4)
    private static let fromAll = Demand(
        looks: 5, explained: 0.8, explainedIfLess: 0.95, deviation: 1.3, deviationIfLess: 1.4)
    private static let alone = Demand(
        looks: 10, explained: 0.97, explainedIfLess: 0.97, deviation: 1.4, deviationIfLess: 1.4)

    /// Records a bend. `share` is the part of the time that the looks before have not covered, 0...1.
    mutating func add(_ bend: Bend, share: Double) {
        guard abs(bend.head) > Self.least else { return }
        all.add(head: bend.head, picture: bend.picture, share: share)
        if bend.leastTravel < Self.resting { single.add(head: bend.head, picture: bend.picture, share: share) }
    }

    /// Merges the evidence of both axes, which share the lens.
    static func + (a: PictureGain, b: PictureGain) -> PictureGain {
        var sum = PictureGain()
        (sum.all, sum.single) = (a.all + b.all, a.single + b.single)
        return sum
    }

    /// The factor by which the picture moves farther than stated, or nil if nothing is certain or it moves as stated.
    var finding: Double? {
        if let gain = single.gain(Self.fromSingle), let rough = all.gain(Self.fromAll), (gain < 1) == (rough < 1) {
            return gain
        }
        return all.gain(Self.alone)
    }
}
