import Geometry
import Testing

@testable import RobotFace

@Suite struct AnimatorTests {
    private func film(_ seed: UInt64) -> [FaceState] {
        var animator = FaceAnimator(seed: seed, style: .block, expression: .normal, now: 100)
        return (0..<600).map { frame in
            let now = 100 + Double(frame) / 30
            if frame == 40 { animator.show(Expression.all[frame % 21], now: now) }
            if frame == 90 { animator.look(at: GazeTarget(bearing: 0.3, elevation: 0.1, faceWidth: 0.2), now: now) }
            if frame == 200 { animator.look(at: nil, now: now) }
            if frame == 300 { animator.play(.kapow, duration: 1.2, now: now) }
            return animator.face(at: now)
        }
    }

    @Test func `the same seed and the same calls give the same frames, another seed different ones`() {
        let first = film(5)
        #expect(first == film(5))
        #expect(first != film(6))
    }

    @Test func `at 30 frames a second no motion jumps by more than a third of its range`() {
        let eyeRange = EyePose.limits.high - EyePose.limits.low, faceRange = FacePose.limits.high - FacePose.limits.low
        for expression in Expression.all {
            var last: FaceState?
            for frame in 0..<180 {
                var state = FaceState(expression)
                for track in expression.motion { track.apply(at: Double(frame) / 30, gain: 1, to: &state) }
                state.clamp()
                if let last {
                    for parameter in EyeParameter.allCases {
                        let i = parameter.rawValue
                        for (a, b) in [(state.left, last.left), (state.right, last.right)] {
                            let jump = abs(a[parameter] - b[parameter])
                            #expect(jump <= eyeRange[i] / 3 + 1e-4, "\(expression.name) \(parameter) at \(frame)")
                        }
                    }
                    for parameter in FaceParameter.allCases where parameter != .markReveal {
                        let isTearRestart = expression.name == "sadness" && state.face[.markOpacity] < 0.2
                        if isTearRestart, parameter == .markY || parameter == .markScale { continue }
                        let jump = abs(state.face[parameter] - last.face[parameter])
                        let range = faceRange[parameter.rawValue]
                        #expect(jump <= range / 3 + 1e-4, "\(expression.name) \(parameter) at \(frame)")
                    }
                }
                last = state
            }
        }
    }

    @Test func `every mood settles in its own pose`() {
        for expression in Expression.all {
            let start: Expression = expression == .normal ? Expression.all[1] : .normal
            var animator = FaceAnimator(seed: 3, style: .block, expression: start, now: 0)
            animator.show(expression, now: 0)
            var face = FaceState(expression)
            for frame in 1...90 { face = animator.face(at: Double(frame) / 30) }
            #expect(face.mark == expression.mark, "\(expression.name)")
            #expect(face.left.glyph == expression.left.glyph, "\(expression.name)")
            let far = (face.colour.light - FaceState(expression).colour.light)
            #expect(max(abs(far.x), abs(far.y), abs(far.z)) < 0.01, "\(expression.name)")
        }
    }

    @Test(arguments: [("happy", 0.35), ("surprise", 0.15)])
    func `a transition is 95 percent done after its time, whatever the frame rate`(name: String, time: Double) throws {
        let target = try #require(Expression(named: name))
        for rate in [10.0, 30, 240] {
            var animator = FaceAnimator(seed: 1, style: .block, expression: .normal, now: 0)
            animator.show(target, now: 0)
            var face = animator.face(at: 0)
            let from = FaceState(.normal).colour.light.x, to = FaceState(target).colour.light.x
            var now = 0.0
            while now < time - 1e-9 {
                now = min(now + 1 / rate, time)
                face = animator.face(at: now)
            }
            let share = (face.colour.light.x - from) / (to - from)
            #expect(abs(share - 0.95) < 0.01, "\(rate) frames a second: \(share)")
        }
    }

    @Test func `opposite moods change when the eyes are closed`() throws {
        let joy = try #require(Expression(named: "joy")), sad = try #require(Expression(named: "sad"))
        var animator = FaceAnimator(seed: 2, style: .block, expression: joy, now: 0)
        for frame in 0..<60 { _ = animator.face(at: Double(frame) / 30) }
        animator.show(sad, now: 2)
        #expect(animator.expression == sad)
        var wasClosed = false
        for frame in 60..<90 {
            let face = animator.face(at: Double(frame) / 30)
            if face.expression == sad, !wasClosed {
                #expect(face.blink > 0.9)
                wasClosed = true
            }
        }
        #expect(wasClosed)
    }

    @Test func `two marks are never shown at once, and a mark shrinks away before the next one comes`() {
        var animator = FaceAnimator(seed: 4, style: .block, expression: .normal, now: 0)
        var last = (mark: Mark.none, scale: Float(0))
        var random = RandomSource(seed: 11)
        for frame in 0..<3000 {
            let now = Double(frame) / 60
            if frame % 25 == 0 { animator.show(Expression.all[Int(random.even(0...20.99))], now: now) }
            let face = animator.face(at: now)
            if face.mark != last.mark, last.mark != .none { #expect(last.scale < 0.65, "frame \(frame)") }
            if face.mark != last.mark, face.mark != .none { #expect(face.face[.markScale] < 0.6, "frame \(frame)") }
            last = (face.mark, face.face[.markScale])
        }
    }

    @Test func `closing takes a third of a blink, and one frame of it is closed at any frame rate`() {
        for rate in [24.0, 30, 60] {
            var animator = FaceAnimator(seed: 9, style: .block, expression: .normal, now: 0)
            var deepest: Float = 0, blinks = 0, wasBlinking = false
            for frame in 0..<Int(120 * rate) {
                let lid = animator.face(at: Double(frame) / rate).blink
                if lid > 0 { deepest = max(deepest, lid) }
                if wasBlinking, lid == 0 {
                    #expect(deepest > 0.99, "at \(rate)")
                    blinks += 1
                    deepest = 0
                }
                wasBlinking = lid > 0
            }
            #expect(blinks > 10)
        }
    }

    @Test(arguments: ["normal", "fear", "trust"])
    func `blinks come at the mood's rate with log-normal gaps`(name: String) throws {
        let expression = try #require(Expression(named: name))
        var random = RandomSource(seed: 21)
        var blinker = Blinker(expression, now: 0, random: &random)
        var starts: [Double] = []
        var wasClosed = false
        let step = 0.02, length = 4000.0
        for index in 0..<Int(length / step) {
            let isClosed = blinker.closure(at: Double(index) * step, random: &random) > 0
            if isClosed, !wasClosed { starts.append(Double(index) * step) }
            wasClosed = isClosed
        }
        let rate = Double(starts.count) / (length / 60)
        // One in twenty is double.
        #expect(abs(rate / (expression.blinksPerMinute * 1.05) - 1) < 0.2, "\(rate) a minute")
        let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }.filter { $0 > 0.8 }.sorted()
        let median = gaps[gaps.count / 2], mean = gaps.reduce(0, +) / Double(gaps.count)
        // Log-normal: the mean lies above the median by exp(0.5² / 2) = 1.13.
        #expect(mean / median > 1.04 && mean / median < 1.3, "\(mean / median)")
    }

    @Test func `surprise holds the first blink back`() throws {
        for seed in 0..<60 {
            let surprise = try #require(Expression(named: "surprise"))
            var animator = FaceAnimator(seed: UInt64(seed), style: .block, expression: surprise, now: 0)
            for frame in 0..<44 { #expect(animator.face(at: Double(frame) / 30).blink == 0) }
        }
    }

    @Test(arguments: EyeMotion.allCases)
    func `a played motion shows and leaves no trace`(motion: EyeMotion) {
        let duration = 1.4
        var plain = FaceAnimator(seed: 8, style: .block, expression: .normal, now: 0)
        var playing = plain
        playing.play(motion, duration: duration, now: 1)
        var differed = 0
        for frame in 0..<150 {
            let now = Double(frame) / 30
            let a = plain.face(at: now), b = playing.face(at: now)
            if a != b { differed += 1 }
            if now < 1 || now > 1 + duration { #expect(a == b, "\(now)") }
        }
        #expect(differed > 20)
    }

    @Test func `a cancelled motion ends within 0.15 s`() {
        var plain = FaceAnimator(seed: 8, style: .block, expression: .normal, now: 0)
        var playing = plain
        playing.play(.nope, duration: 1.4, now: 0)
        for frame in 0..<10 { _ = (plain.face(at: Double(frame) / 30), playing.face(at: Double(frame) / 30)) }
        playing.cancelMotion(now: 0.3)
        let during = (plain.face(at: 0.35), playing.face(at: 0.35))
        #expect(during.0 != during.1)
        let after = (plain.face(at: 0.46), playing.face(at: 0.46))
        #expect(after.0 == after.1)
    }

    @Test func `a gap of a minute or a time that stands still does no harm`() {
        var animator = FaceAnimator(seed: 8, style: .bar, expression: .normal, now: 0)
        for now in [0.0, 0, 0.03, 60, 60, 59, 7200] {
            let face = animator.face(at: now)
            #expect(face.left.values.min().isFinite && face.face.values.min().isFinite)
        }
    }

    @Test func `eyes that lean back become smaller, and come back`() {
        func face(_ leans: [Bool]) -> FaceState {
            var animator = FaceAnimator(seed: 3, style: .block, expression: .normal, now: 0)
            animator.calm(true)
            var face = animator.face(at: 0), frame = 0
            for lean in leans {
                animator.leanBack(lean)
                for _ in 0..<30 {
                    frame += 1
                    face = animator.face(at: Double(frame) / 30)
                }
            }
            return face
        }
        let usual = face([false]), leaning = face([true]), back = face([true, false])
        #expect(leaning.left[.width] < 0.85 * usual.left[.width] && leaning.right[.width] < 0.85 * usual.right[.width])
        #expect(leaning.left[.y] < usual.left[.y])
        #expect(abs(back.left[.width] - face([false, false]).left[.width]) < 1e-4)
    }
}
