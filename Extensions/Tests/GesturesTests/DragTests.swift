import ExtensionKit
import Geometry
import Testing

@testable import Gestures

/// A head that a hand drags, in virtual time: the reader, the servo that `dockface gesture` shares with `dockface teleop`,
/// and an axis with a limited acceleration. The camera is fixed.
@Suite struct DragTests {
    private struct Stage {
        var bench: Bench
        private var servo = HeadServo()
        private(set) var pan = 0.0, speed = 0.0
        private var command = 0.0, endsAt: Seconds = -.infinity, reportAt: Seconds = -.infinity

        /// The most by which the speed changes in a second, in rad/s, and the longest step of time, in seconds.
        private static let acceleration = Double.degrees(400), longest: Seconds = 0.005

        init(rate: Double) {
            bench = Bench(rate: rate)
            bench.engage()
            _ = bench.begin()
            servo.begin()
        }

        /// Shows a fist in the next frame. Returns the speeds of the head until then, in degrees per second.
        mutating func show(_ x: Double) -> [Double] {
            let speeds = move(for: 1 / bench.rate)
            bench.show(.fist, for: 1 / bench.rate, at: Point(x: x, y: Bench.beside.y))
            carryOut()
            return speeds
        }

        /// Lets time pass without frames.
        mutating func wait(_ time: Seconds) -> [Double] {
            var speeds: [Double] = []
            for _ in 0..<Int((time / 0.02).rounded()) {
                speeds += move(for: 0.02)
                bench.wait(0.02)
                carryOut()
            }
            return speeds
        }

        private mutating func carryOut() {
            for (time, intent) in bench.intents {
                switch intent {
                case .drag(let pose):
                    guard let velocity = servo.velocity(toward: pose, now: time) else { continue }
                    (command, endsAt) = (velocity.pan, time + HeadServo.expiry)
                case .wait, .release, .stop: endsAt = time
                default: break
                }
            }
            _ = bench.begin()
        }

        private mutating func move(for time: Seconds) -> [Double] {
            let count = max(1, Int((time / Self.longest).rounded(.up))), step = time / Double(count)
            return (0..<count).map { number in
                let now = bench.now + Double(number) * step, most = Self.acceleration * step
                speed += min(max((now < endsAt ? command : 0) - speed, -most), most)
                pan += speed * step
                if now >= reportAt {
                    servo.report(PanTilt(pan: pan, tilt: 0), velocity: PanTilt(pan: speed, tilt: 0), at: now)
                    reportAt = now + 0.05
                }
                return speed.inDegrees
            }
        }
    }

    /// Where a hand is that moves steadily to the left for a time, about 19 degrees in a second, in picture heights.
    private static func place(after time: Seconds) -> Double { Bench.beside.x - 0.4 * min(max(0, time), 1.5) }

    @Test(arguments: [10.0, 15, 30])
    func `a hand that moves steadily drags the head without a rest, and the head arrives`(rate: Double) {
        var stage = Stage(rate: rate), speeds: [Double] = []
        for frame in 1...Int(1.5 * rate) {
            let new = stage.show(Self.place(after: Double(frame) / rate))
            // The head begins when the hand has moved a little.
            if Double(frame) / rate > 0.5 { speeds += new }
        }
        #expect(speeds.count > 150 && speeds.allSatisfy { (-50...(-8)).contains($0) }, "\(speeds)")
        for _ in 0..<Int(1.5 * rate) { speeds = stage.show(Self.place(after: 1.5)) }
        #expect((-31...(-25)).contains(stage.pan.inDegrees), "\(stage.pan.inDegrees)")
        #expect(speeds.allSatisfy { $0 == 0 }, "\(speeds)")
        #expect(stage.bench.reader.isEngaged)
    }

    @Test(arguments: [10.0, 15, 30])
    func `a head that is dragged stands 0.35 seconds after the last frame, and does not go on alone`(rate: Double) {
        var stage = Stage(rate: rate)
        for frame in 1...Int(rate) { _ = stage.show(Self.place(after: Double(frame) / rate)) }
        let before = stage.pan
        #expect(stage.speed.inDegrees < -8)
        let speeds = stage.wait(0.36)
        #expect(speeds.last == 0 && !stage.bench.reader.isEngaged, "\(speeds)")
        // The last velocity for the patience with the next frame, and the way to brake.
        #expect(abs(stage.pan - before) < .degrees(7))
    }

    @Test func `a frame that is late makes the head wait, and the same hand goes on`() {
        var stage = Stage(rate: 30)
        for frame in 1...30 { _ = stage.show(Self.place(after: Double(frame) / 30)) }
        let waited = stage.wait(0.2)
        #expect(waited.last == 0 && stage.bench.reader.isEngaged, "\(waited)")
        var speeds: [Double] = []
        for frame in 31...45 { speeds = stage.show(Self.place(after: Double(frame) / 30)) }
        #expect(speeds.allSatisfy { $0 < -8 }, "\(speeds)")
    }

    @Test func `a hand that looks neither closed nor open makes the head wait`() {
        var stage = Stage(rate: 30)
        for frame in 1...30 { _ = stage.show(Self.place(after: Double(frame) / 30)) }
        stage.bench.show(.none, for: 0.1, at: Point(x: Self.place(after: 1.1), y: Bench.beside.y))
        #expect(stage.bench.acts == [.wait] && stage.bench.reader.isEngaged, "\(stage.bench.intents)")
    }

    @Test func `a hand that trembles moves nothing, and a head that has arrived stays`() {
        var stage = Stage(rate: 30)
        func tremble(_ number: Int) -> Double { number.isMultiple(of: 2) ? 0.002 : -0.002 }
        for number in 0..<90 {
            let speeds = stage.show(Bench.beside.x + tremble(number))
            #expect(speeds.allSatisfy { $0 == 0 })
        }
        for frame in 1...45 { _ = stage.show(Self.place(after: Double(frame) / 30)) }
        for number in 0..<60 { _ = stage.show(Self.place(after: 1.5) + tremble(number)) }
        for number in 0..<90 {
            let speeds = stage.show(Self.place(after: 1.5) + tremble(number))
            #expect(speeds.allSatisfy { $0 == 0 }, "\(speeds)")
        }
    }
}
