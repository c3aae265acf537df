import Codecs
import Geometry
import Testing

@testable import FacePrivacy

/// A way to be wrong: each of its parts replaces a part of the right way.
struct Mutant: Sendable, CustomTestStringConvertible {
    var name: String
    /// The clip that finds it.
    var clip: Clip
    var policy: @Sendable (inout FacePolicy) -> Void = { _ in }
    var steps: @Sendable (inout VerdictSteps) -> Void = { _ in }
    /// Changes an answer, or drops it.
    var answer: @Sendable (_ frame: Int, inout Answer) -> Bool = { _, _ in true }
    var verdict: @Sendable (FrameVerdict, Departure) -> FrameVerdict = { verdict, _ in verdict }
    var cover: @Sendable (_ frame: Int, FrameVerdict, inout PlanarPicture) -> Void = { _, verdict, picture in
        PictureCover().apply(verdict, to: &picture)
    }

    var testDescription: String { name }

    /// The right way.
    static func none(_ clip: Clip) -> Mutant { Mutant(name: "none", clip: clip) }
}

/// A clip in virtual time, through a line and a cover.
struct Showing {
    private let mutant: Mutant
    private var line: DelayLine<Int>
    private var frames: [Int] = []
    /// How many pictures left with a verdict to cover them as a whole.
    private(set) var wholes = 0
    /// What the rules found first.
    private(set) var objection: String?
    /// How many pictures left with a verdict that names faces.
    private(set) var withFaces = 0

    init(_ mutant: Mutant) {
        self.mutant = mutant
        var policy = FacePolicy()
        policy.growth = mutant.clip.growth
        mutant.policy(&policy)
        line = DelayLine(mode: .faces, delay: mutant.clip.delay, most: mutant.clip.room, policy: policy)
        mutant.steps(&line.ledger.steps)
    }

    /// Shows the clip until the rules object.
    mutating func run() {
        for happening in Happening.all(of: mutant.clip) where objection == nil {
            leave(until: happening.time)
            switch happening.kind {
            case .picture(let frame):
                let forced = line.push(frame, mutant.clip.stamp(frame), now: happening.time)
                if let forced { left(forced, .forced) }
            case .answer(var answer, let frame):
                if mutant.answer(frame, &answer) { line.ledger.receive(answer) }
            }
        }
        while objection == nil, let exit = line.flush() { left(exit, .flushed) }
        objection = objection ?? Rules.objection(to: frames, wholes: wholes, in: mutant.clip)
    }

    private mutating func leave(until now: Seconds) {
        while objection == nil, let exit = line.pop(now: now) { left(exit, .due) }
    }

    private mutating func left(_ exit: DelayLine<Int>.Exit, _ departure: Departure) {
        let verdict = mutant.verdict(exit.verdict, departure)
        frames.append(exit.picture)
        if case .whole = verdict { wholes += 1 }
        if case .faces = verdict { withFaces += 1 }
        guard var picture = Rules.original else { return objection = "no picture" }
        mutant.cover(exit.picture, verdict, &picture)
        let left = Left(
            frame: exit.picture, verdict: verdict, faces: mutant.clip.faces(exit.picture), picture: picture)
        objection = Rules.objection(to: left).map { "picture \(exit.picture): \($0)" }
    }
}
