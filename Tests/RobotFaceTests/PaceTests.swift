import Testing

@testable import RobotFace

@Suite struct FramePaceTests {
    private func face(_ change: (inout FaceState) -> Void = { _ in }) -> FaceState {
        var face = FaceState(.normal)
        change(&face)
        return face
    }

    @Test func `a breath is drawn when something has moved by a third of a cell`() {
        var pace = FramePace(tolerance: 6)
        #expect(pace.plan(face(), tempo: .breathing, cell: 0.1, now: 0) == .draw(tolerance: 0))
        #expect(pace.plan(face { $0.face[.y] = 0.02 }, tempo: .breathing, cell: 0.1, now: 0.1) == .keep)
        #expect(pace.plan(face { $0.face[.y] = 0.04 }, tempo: .breathing, cell: 0.1, now: 0.2) == .draw(tolerance: 15))
        #expect(pace.plan(face { $0.face[.y] = 0.05 }, tempo: .breathing, cell: 0.1, now: 0.3) == .keep)
    }

    @Test func `a face at rest is shown exactly, once`() {
        var pace = FramePace(tolerance: 6)
        _ = pace.plan(face(), tempo: .moving, cell: 0.1, now: 0)
        let moved = face { $0.face[.x] = 0.2 }
        #expect(pace.plan(moved, tempo: .moving, cell: 0.1, now: 1) == .draw(tolerance: 6))
        #expect(pace.plan(moved, tempo: .moving, cell: 0.1, now: 2.9) == .keep)
        #expect(pace.plan(moved, tempo: .breathing, cell: 0.1, now: 3.1) == .settle)
        #expect(pace.plan(moved, tempo: .breathing, cell: 0.1, now: 9) == .keep)
    }

    @Test func `after a quick motion the first frame is drawn with full precision`() {
        var pace = FramePace(tolerance: 6)
        _ = pace.plan(face(), tempo: .breathing, cell: 0.1, now: 0)
        let closed = face { $0.left[.lid] = 1 }
        #expect(pace.plan(closed, tempo: .darting, cell: 0.1, now: 0.03) == .draw(tolerance: 18))
        #expect(pace.plan(closed, tempo: .breathing, cell: 0.1, now: 0.06) == .draw(tolerance: 6))
        #expect(pace.plan(closed, tempo: .breathing, cell: 0.1, now: 0.09) == .keep)
    }

    @Test func `another mood, mark or side is drawn at once`() {
        var pace = FramePace(tolerance: 6)
        _ = pace.plan(face(), tempo: .breathing, cell: 0.1, now: 0)
        #expect(pace.plan(FaceState(Expression.all[4]), tempo: .breathing, cell: 0.1, now: 1) != .keep)
        #expect(pace.plan(face { $0.mark = .tear }, tempo: .breathing, cell: 0.1, now: 2) != .keep)
        #expect(pace.plan(face { $0.markSide = -1 }, tempo: .breathing, cell: 0.1, now: 3) != .keep)
        pace.forget()
        #expect(pace.plan(face(), tempo: .breathing, cell: 0.1, now: 4) == .draw(tolerance: 0))
    }

    @Test func `the shift of a face is no less than the motion of its outline`() {
        var random = RandomSource(seed: 3)
        for expression in Expression.all {
            var animator = FaceAnimator(seed: random.next(), style: .block, expression: expression, now: 0)
            var before = animator.face(at: 0)
            for frame in 1..<90 {
                let after = animator.face(at: Double(frame) / 30)
                defer { before = after }
                let shift = after.shift(since: before)
                guard shift < 0.1 else { continue }
                var old = FaceShape(), new = FaceShape()
                // A mark that fades out disappears between two frames, when it is no longer visible.
                old.set(before.eyesAlone)
                new.set(after.eyesAlone)
                for _ in 0..<6 {
                    let x = Float(random.even(-2...2)), y = Float(random.even(-1.2...1.2))
                    #expect(abs(old.distance(x, y) - new.distance(x, y)) <= shift + 0.02, "\(expression.name) \(frame)")
                }
            }
        }
    }

    @Test func `a motion that plays once counts as moving only until it has played`() {
        var once = Expression.normal
        once.motion = [.keys(.eyes(.browHeight), .plus, (0, 0), (0.4, 0.1), (1.5, 0))]
        let animator = FaceAnimator(seed: 1, style: .block, expression: once, now: 0)
        #expect(animator.tempo(at: 1.2) == .moving)
        #expect(animator.tempo(at: 1.6) == .breathing)
    }

    @Test func `a calm face sends nothing between two blinks, a face at rest next to nothing`() {
        for isCalm in [true, false] {
            var animator = FaceAnimator(seed: 1, style: .block, expression: .normal, now: 0)
            animator.calm(isCalm)
            var renderer = FaceRenderer(.blocks, depth: .trueColour, tolerance: 6)
            renderer.isCalm = isCalm
            var now = 0.0, atRest = 0.0, count = 0, wasQuick = true
            var bytes: [UInt8] = []
            while now < 40 {
                let face = animator.face(at: now), tempo = animator.tempo(at: now)
                bytes.removeAll(keepingCapacity: true)
                let wasExact = renderer.pace.isExact
                renderer.draw(face, tempo: tempo, now: now, into: &bytes)
                let hasSettled = renderer.pace.isExact && !wasExact
                let next = animator.interval(at: now)
                // One frame after a blink removes its traces; with it a calm face settles.
                if now > 1, tempo == .breathing, !wasQuick, isCalm || !hasSettled {
                    count += bytes.count
                    atRest += next
                }
                wasQuick = tempo != .breathing
                now += next
            }
            #expect(atRest > 20)
            #expect(Double(count) / atRest <= (isCalm ? 0 : 1500), "\(isCalm) \(Double(count) / atRest)")
        }
    }
}

@Suite struct OutputGovernorTests {
    /// Draws as often as allowed on a line with this many bytes a second; a frame has this many bytes.
    private func run(
        _ governor: inout OutputGovernor, from start: Double, for seconds: Double,
        bytes: (OutputGovernor.Allowance) -> Double,
        line: Double
    ) -> Double {
        var now = start, free = start
        while now < start + seconds {
            let isBusy = free > now
            governor.isDue(isBusy: isBusy, now: now)
            if !isBusy { free = now + bytes(governor.allowance) / line }
            now += 1 / min(30, governor.allowance.framesPerSecond)
        }
        return now
    }

    private func size(_ allowance: OutputGovernor.Allowance) -> Double {
        !allowance.hasTrueColour ? 1000 : !allowance.hasHalo ? 3000 : allowance.coarseness > 1 ? 5000 : 8000
    }

    @Test func `a fast line gets everything`() {
        var governor = OutputGovernor()
        _ = run(&governor, from: 0, for: 60, bytes: size, line: 5e6)
        #expect(governor.step == 0)
    }

    @Test func `a slow line gets less until it can follow`() {
        var governor = OutputGovernor()
        // 115,200 baud.
        _ = run(&governor, from: 0, for: 30, bytes: size, line: 11520)
        #expect(governor.step >= 5)
    }

    @Test func `a line that was slow for a while gets everything back`() {
        var governor = OutputGovernor()
        var now = run(&governor, from: 0, for: 15, bytes: size, line: 20000)
        #expect(governor.step >= 4)
        now = run(&governor, from: now, for: 120, bytes: size, line: 5e6)
        #expect(governor.step == 0)
    }

    @Test func `a step that does not last is tried more and more rarely`() {
        var governor = OutputGovernor()
        var now = 0.0, changes: [Double] = [], last = 0
        while now < 600 {
            now = run(&governor, from: now, for: 0.5, bytes: { _ in 8000 }, line: 120_000)
            if governor.step < last { changes.append(now) }
            last = governor.step
        }
        #expect(changes.count >= 2 && changes.count < 20, "\(changes)")
    }

    @Test func `one late frame has no effect`() {
        var governor = OutputGovernor()
        for frame in 0..<300 { governor.isDue(isBusy: frame % 40 == 0, now: Double(frame) / 30) }
        #expect(governor.step == 0)
    }
}
