import Codecs
import Geometry

@testable import FacePrivacy

extension Mutant {
    /// Ways to leave a face bare.
    static let all = looks + reading + verdicts + covers

    /// Wrong steps of a verdict.
    static let looks = [
        Mutant(name: "the last look suffices: none is needed after a picture", clip: .dies) {
            $0.isAfter = { look, frame in look.sequence >= frame.sequence - 60 }
        },
        Mutant(name: "a look counts for the next picture, too", clip: .jerk) {
            $0.isAfter = { look, frame in look.sequence >= frame.sequence - 1 }
        },
        Mutant(name: "a look counts for the picture before it, too", clip: .jerk) {
            $0.isBefore = { look, frame in look.sequence <= frame.sequence + 1 }
        },
        Mutant(name: "no path between two looks", clip: .run) { $0.paths = { _, _, _ in [] } },
        Mutant(name: "an answer that cannot be read is as good as none", clip: .patchy) {
            $0.isComplete = { _, _, _ in true }
        },
        Mutant(name: "only the nearest looks count", clip: .blink) { $0.isNear = { _, _, _ in false } },
        Mutant(name: "looks of any camera count", clip: .foreign) { $0.isOurs = { _, _ in true } },
        Mutant(name: "looks at pictures of any shape count", clip: .shape) { $0.fits = { _, _ in true } },
        Mutant(name: "any program counts as a detector of faces", clip: .things) { $0.isProven = { _, _ in true } },
        Mutant(name: "a look counts however old it is", clip: .dies, policy: { $0.reach = 10 }),
        Mutant(name: "the turn of the head is ignored", clip: .jerk, policy: { $0.mount = .fixed }),
        Mutant(name: "the limit of the turn is in degrees", clip: .jerk, policy: { $0.fastTurn = 40 }),
        Mutant(name: "nothing around a face is covered", clip: .tight, policy: { $0.growth = 0 }),
        Mutant(name: "scores below 0.5 are no faces", clip: .fade, policy: { $0.leastScore = 0.5 }),
    ]

    /// Answers that are read in a wrong way.
    static let reading = [
        Mutant(name: "a maybe is not read", clip: .doubtful, answer: { $1.keep { $0.score >= 0.5 } }),
        Mutant(name: "a late answer is dropped", clip: .slow, answer: { $1.arrival - ($1.time ?? 0) < 0.4 }),
        Mutant(name: "only the first detector counts", clip: .slow, answer: { $1.source == "blazeface" }),
        Mutant(
            name: "a face that cannot be read is left out", clip: .broken,
            answer: {
                $1.broken = 0
                return true
            }),
        Mutant(
            name: "an answer is taken for one about a later picture", clip: .walk,
            answer: {
                $1.sequence = $0 + 12
                $1.time = Bench.time($0 + 12)
                return true
            }),
        Mutant(
            name: "left and right are swapped", clip: .walk,
            answer: {
                $1.move { Rect(x: 1 - $0.maxX, y: $0.y, width: $0.width, height: $0.height) }
            }),
        Mutant(
            name: "rectangles are scaled by the other side", clip: .walk,
            answer: {
                $1.move { Rect(x: $0.x * 0.75, y: $0.y, width: $0.width * 0.75, height: $0.height) }
            }),
        Mutant(
            name: "a corner is taken for the middle", clip: .walk,
            answer: {
                $1.move { $0.offset(dx: -$0.width / 2, dy: -$0.height / 2) }
            }),
        Mutant(
            name: "only the first face is read", clip: .walk,
            answer: {
                $1.faces = Array($1.faces.prefix(1))
                return true
            }),
    ]

    /// Verdicts that are not obeyed.
    static let verdicts = [
        Mutant(
            name: "at the end pictures are kept as they are", clip: .walk, verdict: { $1 == .flushed ? .clear : $0 }),
        Mutant(
            name: "a picture that is forced out is kept as it is", clip: .full,
            verdict: {
                $1 == .forced ? .clear : $0
            }),
        Mutant(
            name: "without a detector pictures are kept as they are", clip: .things,
            verdict: { verdict, _ in
                verdict.reason == nil ? verdict : .clear
            }),
        Mutant(
            name: "one area is forgotten", clip: .walk,
            verdict: { verdict, _ in
                verdict.areas.count > 1 ? .faces(verdict.areas.dropLast()) : verdict
            }),
        Mutant(name: "every picture is covered as a whole", clip: .empty, verdict: { _, _ in .whole(.setting) }),
    ]

    /// Covers with holes.
    static let covers = [
        Mutant(
            name: "each seventh picture is not covered", clip: .walk,
            cover: { frame, verdict, picture in
                if !frame.isMultiple(of: 7) { PictureCover().apply(verdict, to: &picture) }
            }),
        Mutant(
            name: "edges are rounded inward", clip: .still,
            cover: { _, verdict, picture in
                for area in verdict.areas {
                    let whole = PixelRect(covering: area.rect, width: picture.width, height: picture.height)
                    let inner = PixelRect(
                        left: whole.left + 2, top: whole.top + 2, right: whole.right - 2, bottom: whole.bottom - 2)
                    Mosaic.cover(&picture, inner, blocks: 5)
                }
                if verdict.reason != nil { Mosaic.coverWhole(&picture) }
            }),
        Mutant(
            name: "the planes of colour stay bare", clip: .walk,
            cover: { _, verdict, picture in
                Mutant.restore(.red, around: { PictureCover().apply(verdict, to: &$0) }, &picture)
            }),
        Mutant(
            name: "the brightness stays bare", clip: .walk,
            cover: { _, verdict, picture in
                Mutant.restore(.luma, around: { PictureCover().apply(verdict, to: &$0) }, &picture)
            }),
        Mutant(
            name: "the lower half of a whole picture stays bare", clip: .things,
            cover: { _, _, picture in
                let half = PixelRect(left: 0, top: 0, right: picture.width, bottom: picture.height / 2)
                Mosaic.cover(&picture, half, blocks: 20)
            }),
    ]

    init(name: String, clip: Clip, steps: @escaping @Sendable (inout VerdictSteps) -> Void) {
        self.init(name: name, clip: clip)
        self.steps = steps
    }

    /// Covers a picture, and puts the samples of one plane back.
    static func restore(
        _ plane: PlanarPicture.Plane, around cover: (inout PlanarPicture) -> Void, _ picture: inout PlanarPicture
    ) {
        let before = picture.bytes
        cover(&picture)
        var bytes = picture.bytes
        let start = picture.offset(of: plane)
        let part = start..<start + picture.width(of: plane) * picture.height(of: plane)
        bytes.replaceSubrange(part, with: before[part])
        if let new = PlanarPicture(width: picture.width, height: picture.height, bytes: bytes) { picture = new }
    }
}

extension Answer {
    mutating func keep(_ isKept: ((rect: Rect, score: Double)) -> Bool) -> Bool {
        faces.removeAll { !isKept($0) }
        return true
    }

    mutating func move(_ change: (Rect) -> Rect) -> Bool {
        faces = faces.map { (change($0.rect), $0.score) }
        return true
    }
}
