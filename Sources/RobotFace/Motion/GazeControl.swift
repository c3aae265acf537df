internal import Geometry
internal import Glibc

/// Decides where the eyes point. They follow a face, glance away from it and return, search when it is lost, and look
/// around when no face is present.
struct GazeControl: Sendable {
    /// The error above which the eyes make a saccade, and below which they follow smoothly; and the error below which
    /// they stay still.
    private static let dartError = 5.0, stillError = 0.5

    private var target: GazeTarget?
    private var lostSince: Seconds?
    private var exitSide = 1.0
    private var position = ScreenAngle.zero
    private var anchor = ScreenAngle.zero
    private var excursion = ScreenAngle.zero
    private var nextExcursion: Seconds
    private var reactionDue: Seconds?
    private(set) var saccade: Saccade?
    private var vergence = 0.0
    private var last: Seconds
    private let driftPhase: ScreenAngle

    init(now: Seconds, random: inout RandomSource) {
        last = now
        driftPhase = ScreenAngle(random.even(0...100), random.even(0...100))
        nextExcursion = now + random.even(0.8...2)
    }

    /// Sets a new position of the face, or nil if no face is seen.
    mutating func look(at newTarget: GazeTarget?, now: Seconds) {
        if let newTarget {
            let place = newTarget.onScreen
            if let target {
                let moved = place.x - target.onScreen.x
                if abs(moved) > 0.2 { exitSide = moved < 0 ? -1 : 1 }
            } else {
                if abs(place.x) > 1 { exitSide = place.x < 0 ? -1 : 1 }
                excursion = .zero
                nextExcursion = now + 1.2
            }
            lostSince = nil
        } else if target != nil {
            lostSince = now
        }
        target = newTarget
        if let newTarget { anchor = newTarget.onScreen }
    }

    /// Returns the direction of the eyes at a time, in degrees on the screen. With `wandering` 0 they do not wander by
    /// themselves.
    mutating func angle(at now: Seconds, wandering: Double = 1, random: inout RandomSource) -> ScreenAngle {
        let elapsed = max(now - last, 0)
        last = now
        let wanders = plan(now, &random)
        if wandering == 0 { excursion = .zero }
        move(to: anchor + excursion, elapsed, now, byItself: wanders, &random)
        let turned = target?.vergence ?? 0
        vergence += (turned - vergence) * (1 - exp(-elapsed / 0.15))
        return position + wandering * drift(now)
    }

    /// The inward turn of each eye, in eye widths.
    var inward: Double { vergence }

    /// Returns the factor on the eyes' height.
    func squash(at now: Seconds) -> Double { saccade?.squash(at: now) ?? 1 }

    /// When the eyes move again by themselves.
    var nextMove: Seconds { reactionDue ?? nextExcursion }

    /// Whether the eyes are following or in a saccade.
    var isMoving: Bool { saccade != nil || (anchor + excursion - position).length > Self.stillError + 0.1 }

    /// Decides what to look at. Returns true if the eyes chose another point by themselves, which needs no reaction
    /// time.
    private mutating func plan(_ now: Seconds, _ random: inout RandomSource) -> Bool {
        if let lost = lostSince {
            if now < lost + 0.6 { return false }
            if now < lost + 2.6 { return search(now, &random) }
            lostSince = nil
            anchor = .zero
            excursion = .zero
            nextExcursion = now + pause(&random)
            return true
        }
        guard now >= nextExcursion else { return false }
        nextExcursion = now + pause(&random)
        // Most glances return to the face, or to the middle if there is none.
        let far = random.rayleigh(target == nil ? 8 : 3), direction = random.even(0...(2 * .pi))
        excursion =
            random.unit() < 0.7 && excursion != .zero ? .zero : far * ScreenAngle(cos(direction), 0.6 * sin(direction))
        return true
    }

    private mutating func search(_ now: Seconds, _ random: inout RandomSource) -> Bool {
        guard now >= nextExcursion || anchor != .zero else { return false }
        anchor = .zero
        excursion = ScreenAngle(exitSide * random.even(10...22), random.even(-6...6))
        nextExcursion = now + random.even(0.35...0.6)
        return true
    }

    private func pause(_ random: inout RandomSource) -> Seconds {
        random.logNormal(mean: 1.5, deviation: 0.4).clamped(to: 0.8...2.5)
    }

    private mutating func move(
        to wanted: ScreenAngle, _ elapsed: Seconds, _ now: Seconds, byItself: Bool, _ random: inout RandomSource
    ) {
        let goal = wanted.clamped(lowerBound: -GazeTarget.fullAngle, upperBound: GazeTarget.fullAngle)
        if let running = saccade {
            position = running.position(at: now)
            if running.isOver(at: now) { saccade = nil }
            return
        }
        let error = (goal - position).length
        if byItself, error > Self.stillError { reactionDue = now }
        if error >= Self.dartError, reactionDue == nil {
            reactionDue = now + 0.15 + (0.04 * random.normal()).clamped(to: -0.08...0.08)
        }
        if let due = reactionDue, now >= due {
            reactionDue = nil
            let dart = Saccade(from: position, to: goal, start: now)
            position = dart.position(at: now)
            saccade = dart.duration > 0 ? dart : nil
        } else if error < Self.dartError, error > Self.stillError {
            // This is smooth pursuit, up to the edge of the dead zone.
            position += (goal - position) * ((error - Self.stillError) / error * (1 - exp(-elapsed / 0.08)))
        }
        if reactionDue != nil, !byItself, error < Self.stillError { reactionDue = nil }
    }

    /// Returns the small drift of eyes at rest: three slow waves, of which the slower ones are wider.
    private func drift(_ now: Seconds) -> ScreenAngle {
        func wave(_ phase: Double) -> Double {
            0.16 * sin(now * 0.83 + phase) + 0.08 * sin(now * 2.1 + 1.7 * phase) + 0.04 * sin(now * 4.7 + 2.3 * phase)
        }
        return ScreenAngle(wave(driftPhase.x), wave(driftPhase.y))
    }
}
