import DockControl
import DockSimulator
import DockTypes
import Geometry
import RobotFace
import Testing

@testable import Companion

@Suite struct GestureTests {
    /// A dock with its driver and a director, in virtual time: commands every 20 ms, reports as they arrive.
    private struct Bench {
        var dock: SimulatedDock
        var driver = DlpDriver(profile: .dlpDock)
        var director = MotionDirector(profile: .dlpDock, mode: .system)
        var poses = PoseHistory()
        var now: Seconds = 100

        init(at pose: PanTilt) {
            var configuration = SimulatedDock.Configuration(model: .good, seed: 5)
            configuration.pose = pose
            dock = SimulatedDock(configuration: configuration, time: 100)
            driver.begin(now: now, motionless: false)
            run(0.6)
            var bytes: [UInt8] = []
            driver.setActive(true, into: &bytes)
            dock.receive(bytes, at: now)
            run(0.1)
        }

        mutating func run(_ duration: Seconds, watch: (PanTilt) -> Void = { _ in }) {
            for tick in 1...Int(duration * 1000) {
                now += 0.001
                dock.advance(to: now)
                let output = dock.drainOutput()
                var bytes: [UInt8] = [], reports: [DockReport] = []
                output.withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
                for case .motion(let sample, _) in reports { poses.append(sample) }
                _ = driver.service(now: now, into: &bytes)
                if tick % 20 == 0, let pose = poses.pose(at: now), let rate = poses.latest?.rate {
                    let sample = MotionSample(time: now, pose: pose, rate: rate)
                    let velocity = director.step(now: now, motion: sample, speedShare: 1).velocity
                    driver.encode(velocity == .zero ? .stop : .velocity(velocity), now: now, into: &bytes)
                }
                dock.receive(bytes, at: now)
                watch(dock.pose)
            }
        }
    }

    @Test(arguments: Expression.all.indices)
    func `a gesture is a motion script that our dock performs in its time`(index: Int) throws {
        let expression = Expression.all[index]
        guard let gesture = expression.gesture else {
            #expect(MotionScript.gesture(of: expression) == nil)
            return
        }
        let script = try #require(MotionScript.gesture(of: expression))
        #expect(script.name == "gesture \(expression.name)" && script.keys.count == gesture.keys.count)
        #expect(throws: DockError.self) { try MotionLibrary.check(script.name) }
        let run = ScriptRun(script, from: .zero, profile: .dlpDock, start: 0)
        #expect(run.duration <= 1.5 + 1e-9, "needs \(run.duration) s")
        #expect(abs(run.duration - gesture.duration) < 1e-9, "slower than written")
        #expect(run.amplitude == 1 && run.end == .zero)
        for step in 0...150 { #expect(run.target(at: Double(step) / 100).pose.magnitude <= .degrees(12)) }
    }

    @Test(arguments: Expression.all.indices)
    func `after a gesture the dock looks where it looked before`(index: Int) throws {
        guard let script = MotionScript.gesture(of: Expression.all[index]) else { return }
        var bench = Bench(at: .degrees(pan: 20, tilt: 10))
        let before = bench.dock.pose
        guard
            case .success = bench.director.apply(
                .gesture(script), now: bench.now, pose: bench.poses.pose(at: bench.now))
        else {
            Issue.record("was refused")
            return
        }
        let wanted = script.keys.map { PanTilt.degrees(pan: $0.pan, tilt: $0.tilt).magnitude }.max() ?? 0
        var reached = 0.0
        bench.run(2.2) { reached = max(reached, ($0 - before).magnitude) }
        #expect((bench.dock.pose - before).magnitude < .degrees(0.5), "ends at \(bench.dock.pose)")
        #expect(reached > 0.7 * wanted && reached < 1.15 * wanted + .degrees(0.5), "went \(reached.inDegrees) degrees")
    }

    @Test func `a hundred gestures do not drift`() {
        var bench = Bench(at: .zero)
        let scripts = Expression.all.compactMap(MotionScript.gesture(of:))
        for count in 0..<100 {
            let script = scripts[count % scripts.count]
            _ = bench.director.apply(.gesture(script), now: bench.now, pose: bench.poses.pose(at: bench.now))
            bench.run(2)
        }
        #expect(bench.dock.pose.magnitude < .degrees(1), "ends at \(bench.dock.pose)")
    }
}
