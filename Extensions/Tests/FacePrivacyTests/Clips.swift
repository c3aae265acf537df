import Geometry
import Glibc

@testable import FacePrivacy

extension Clip {
    static let all = [
        still, tight, empty, walk, run, blink, fade, slow, dies, hangs, foreign, things, shape, jerk, full, broken,
        patchy, doubtful,
    ]

    private static func face(_ x: Double, _ y: Double, _ size: Double = 0.18) -> Rect {
        Rect(x: x, y: y, width: size, height: size * 1.5)
    }

    /// A detector's box: up to 8 % of the face beside it, and up to 8 % larger or smaller, differently in each picture.
    private static func shaky(_ face: Rect, _ frame: Int) -> Rect {
        func noise(_ seed: Int) -> Double { Double((frame &* 7919 &+ seed &* 104_729) % 1000) / 500 - 1 }
        let scale = 1 + 0.08 * noise(1)
        return Rect(
            center: Point(
                x: face.center.x + 0.08 * noise(2) * face.width, y: face.center.y + 0.08 * noise(3) * face.height),
            width: face.width * scale, height: face.height * scale)
    }

    /// Edges between pixels, and no growth: only the right rounding covers it.
    static let still = Clip(
        name: "a still face, looked at in every picture, covered exactly", frames: 45,
        faces: { _ in [Rect(x: 0.2531, y: 0.3042, width: 0.1703, height: 0.2588)] }, watchers: [Watcher(every: 1)],
        growth: 0, wholes: 3)

    static let tight = Clip(
        name: "boxes from brow to chin", frames: 60, faces: { _ in [face(0.3, 0.3)] },
        watchers: [
            Watcher(sees: { _, faces in
                faces.map { (Rect(center: $0.center, width: $0.width * 0.7, height: $0.height * 0.7), 0.9) }
            })
        ], wholes: 5)

    static let empty = Clip(name: "an empty room", faces: { _ in [] }, wholes: 5)

    static let walk = Clip(
        name: "two people who pass each other, in shaky boxes",
        faces: { frame in
            let time = Double(frame) / 30
            return [face(-0.1 + 0.3 * time, 0.2), face(0.9 - 0.25 * time, 0.55, 0.16)]
        },
        watchers: [Watcher(sees: { frame, faces in faces.map { (shaky($0, frame), 0.9) } })], wholes: 5)

    static let run = Clip(
        name: "a person who runs past, at five looks a second", frames: 75,
        faces: { frame in [face(-0.6 + 1.6 * Double(frame - 15) / 30, 0.35, 0.15)] }, watchers: [Watcher(every: 6)],
        wholes: 8)

    static let blink = Clip(
        name: "a face that the detector misses most of the time",
        faces: { frame in [face(0.3 + 0.05 * Double(frame) / 30, 0.3)] },
        watchers: [Watcher(sees: { frame, faces in frame % 24 < 6 ? faces.map { ($0, 0.9) } : [] })], wholes: 5)

    static let fade = Clip(
        name: "a face that turns away for three seconds", frames: 150,
        faces: { frame in [face(0.3 + 0.01 * Double(frame) / 30, 0.3)] },
        watchers: [Watcher(sees: { frame, faces in faces.map { ($0, (20..<110).contains(frame) ? 0.35 : 0.9) } })],
        wholes: 5)

    static let slow = Clip(
        name: "a fast detector that sees one of two people, and a slow one that sees both",
        faces: { frame in [face(0.2, 0.2), face(0.6 + 0.02 * Double(frame) / 30, 0.5)] },
        watchers: [
            Watcher(sees: { _, faces in faces.prefix(1).map { ($0, 0.9) } }),
            Watcher(name: "yunet", every: 6, latency: { _ in 0.5 }),
        ], wholes: 5)

    /// Neither the looks before nor those after show where the person was meanwhile.
    static let dies = Clip(
        name: "a detector that dies while a person runs away and returns", frames: 150,
        faces: { frame in
            let away = min(1, max(0, min(Double(frame - 44) / 14, Double(100 - frame) / 14)))
            return [face(0.1 + 0.6 * away, 0.1 + 0.5 * away, 0.15)]
        },
        watchers: [Watcher(latency: { (46..<100).contains($0) ? nil : 0.08 })], wholes: 65)

    static let hangs = Clip(
        name: "a detector whose answers are five seconds late, then right again", frames: 150,
        faces: { frame in [face(0.4 + 0.35 * sin(Double(frame) / 30 * 3), 0.3, 0.15)] },
        watchers: [Watcher(latency: { (46..<100).contains($0) ? 5 : 0.08 })], wholes: 65)

    static let foreign = Clip(
        name: "a detector that has a camera of its own, with numbers like ours",
        faces: { frame in [face(0.2 + 0.1 * Double(frame) / 30, 0.3)] },
        watchers: [
            Watcher(sees: { _, _ in [] }, change: { _, answer in answer.time = answer.time.map { $0 + 0.012 } })
        ], wholes: 120)

    static let things = Clip(
        name: "a program that looks for things, and never for faces",
        faces: { frame in [face(0.2 + 0.1 * Double(frame) / 30, 0.3)] },
        watchers: [Watcher(name: "exec", sees: { _, _ in [] })], wholes: 120)

    static let shape = Clip(
        name: "a detector that looks at a part of the picture", faces: { _ in [face(0.7, 0.3)] },
        watchers: [
            Watcher(
                sees: { _, faces in
                    faces.map { (Rect(x: $0.x * 0.75, y: $0.y, width: $0.width * 0.75, height: $0.height), 0.9) }
                }, change: { _, answer in answer.size = (160, 90) })
        ], wholes: 120)

    /// Out and back between two looks.
    static let jerk = Clip(
        name: "a head that jerks once",
        faces: { frame in [face(0.3 + offset(frame), 0.3 + offset(frame))] }, watchers: [Watcher(every: 6)],
        // A picture of 60 degrees.
        rate: { frame in
            let speed = (offset(frame + 1) - offset(frame - 1)) * 15 * .degrees(60)
            return PanTilt(pan: -speed, tilt: speed)
        }, wholes: 22)

    private static func offset(_ frame: Int) -> Double {
        (31...35).contains(frame) ? [0.1, 0.2, 0.28, 0.2, 0.1][frame - 31] : 0
    }

    static let full = Clip(
        name: "a line that is too short for the detector", frames: 60,
        faces: { frame in [face(0.2 + 0.1 * Double(frame) / 30, 0.3)] }, watchers: [Watcher(latency: { _ in 0.3 })],
        delay: 1, room: 7, wholes: 60)

    static let broken = Clip(
        name: "a detector that writes one of two faces so that it cannot be read",
        faces: { frame in [face(0.1, 0.2), face(0.5 + 0.1 * Double(frame) / 30, 0.4)] },
        watchers: [
            Watcher(sees: { _, faces in faces.prefix(1).map { ($0, 0.9) } }, change: { _, answer in answer.broken = 1 })
        ], wholes: 120)

    /// The answers that can be read show none of it.
    static let patchy = Clip(
        name: "a face that shows up for a moment, before a detector whose every second answer cannot be read",
        faces: { frame in (8...10).contains(frame % 12) ? [face(0.4, 0.3)] : [] },
        watchers: [Watcher(change: { frame, answer in answer.broken = frame / 3 % 2 })], wholes: 100)

    static let doubtful = Clip(
        name: "a second face that is never more than a maybe",
        faces: { frame in [face(0.1, 0.2), face(0.5 + 0.05 * Double(frame) / 30, 0.4)] },
        watchers: [Watcher(sees: { _, faces in zip(faces, [0.9, 0.4]).map { ($0, $1) } })], wholes: 5)

    /// People who walk about on smooth paths, before detectors that are slow, and do not answer or miss a face now and
    /// then, but not three times in a row.
    static func random(_ seed: Int) -> Clip {
        var chance = Chance(seed)
        let people = (0..<Int(chance.number(1...3.99))).map { _ in Stroller(&chance) }
        let watchers = (0..<Int(chance.number(1...2.99))).map { index in
            let latency = chance.number(0.03...0.3), every = Int(chance.number(1...4.99))
            let misses = chance.number(0...1) < 0.5, drops = chance.number(0...1) < 0.5
            return Watcher(
                name: index == 0 ? "blazeface" : "yunet", every: every,
                latency: { drops && $0 / every % 3 == 1 ? nil : latency + 0.1 * Chance.of($0, seed) },
                sees: { frame, faces in
                    faces.filter { _ in !misses || frame / every % 3 != 2 }
                        .map { (shaky($0, frame), 0.3 + 0.7 * Chance.of(frame, seed + 9)) }
                })
        }
        return Clip(
            name: "people at random, seed \(seed)", frames: 75, faces: { frame in people.map { $0.face(frame) } },
            watchers: watchers, wholes: 75)
    }
}

/// A person on a smooth path, at most 2.5 face sizes a second.
private struct Stroller: Sendable {
    let size: Double, middle: Point, periods: (Double, Double), phases: (Double, Double)

    init(_ chance: inout Chance) {
        size = chance.number(0.14...0.25)
        middle = Point(x: chance.number(0...1), y: chance.number(0.1...0.9))
        periods = (chance.number(2...6), chance.number(2...6))
        phases = (chance.number(0...6.28), chance.number(0...6.28))
    }

    func face(_ frame: Int) -> Rect {
        func swing(_ period: Double, _ phase: Double) -> Double {
            // Speed is amplitude times 2 pi / period.
            2.5 * period / 6.29 * sin(Double(frame) / 30 * 6.28 / period + phase)
        }
        return Rect(
            center: Point(
                x: middle.x + size * swing(periods.0, phases.0), y: middle.y + size * swing(periods.1, phases.1)),
            width: size, height: size * 1.4)
    }
}

/// Random numbers from a seed.
private struct Chance: Sendable {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) &+ 1 }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
        state &+= 1
        return range.lowerBound + (range.upperBound - range.lowerBound) * Self.of(Int(truncatingIfNeeded: state), 77)
    }

    /// A number of 0..<1 that belongs to two others.
    static func of(_ a: Int, _ b: Int) -> Double {
        var mixed = UInt64(truncatingIfNeeded: a) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= UInt64(truncatingIfNeeded: b) &* 0xC2B2_AE3D_27D4_EB4F
        for _ in 0..<2 {
            mixed = (mixed ^ (mixed >> 31)) &* 0xBF58_476D_1CE4_E5B9
            mixed ^= mixed >> 29
        }
        return Double(mixed >> 11) / Double(1 << 53)
    }
}
