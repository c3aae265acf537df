import DockControl
import DockSimulator
import DockTypes
import Geometry

/// The real driver, director and machine against the simulated dock, all in virtual time: what the loop thread does,
/// without a thread, a port or a clock.
struct VirtualRig {
    var dock: SimulatedDock
    var driver: DlpDriver
    var director: MotionDirector
    var machine = DockMachine(arming: .now)
    var poses = PoseHistory()
    var now: Seconds = 100
    var nextStep: Seconds = 100
    var nextService: Seconds = 100
    var lastReports: [DockReport] = []
    var wrote: [UInt8] = []
    /// The dock receives nothing that is written.
    var isCut = false
    /// Changes the dock's output.
    var rewrite: ([UInt8]) -> [UInt8] = { $0 }
    let profile: RigProfile

    init(profile: RigProfile = .dlpDock, model: RigModel = .good, mode: TrackingMode = .manual, pose: PanTilt = .zero) {
        self.profile = profile
        var configuration = SimulatedDock.Configuration(model: model, seed: 7)
        configuration.pose = pose
        dock = SimulatedDock(configuration: configuration, time: 100)
        driver = DlpDriver(profile: profile)
        director = MotionDirector(profile: profile, mode: mode)
        _ = machine.portOpened(now: now)
        driver.begin(now: now, motionless: false)
    }

    /// Runs until `end` in turns of a millisecond, with set-points every 20 ms.
    mutating func run(until end: Seconds, watch: (VirtualRig) -> Void = { _ in }) {
        while now < end {
            now += 0.001
            dock.advance(to: now)
            let output = rewrite(dock.drainOutput())
            lastReports.removeAll()
            if !output.isEmpty {
                output.withUnsafeBytes { driver.receive($0, now: now, into: &lastReports) }
                for report in lastReports {
                    if case .motion(let sample, _) = report { poses.append(sample) }
                    _ = machine.handle(report, now: now)
                }
                if !lastReports.isEmpty { nextService = now }
            }
            var bytes: [UInt8] = []
            if now >= nextService { nextService = driver.service(now: now, into: &bytes) }
            if machine.state == .ready, now >= nextStep {
                nextStep = now + 0.02
                let motion = poses.latest.flatMap { latest in
                    poses.pose(at: now).map { MotionSample(time: now, pose: $0, rate: latest.rate) }
                }
                let step = director.step(now: now, motion: motion, speedShare: 1)
                driver.encode(step.velocity == .zero ? .stop : .velocity(step.velocity), now: now, into: &bytes)
            }
            send(bytes)
            watch(self)
        }
    }

    mutating func send(_ bytes: [UInt8]) {
        wrote += bytes
        if !isCut { dock.receive(bytes, at: now) }
    }

    /// Completes the handshake, configures, switches torque on, and lets the dock report 50 times a second.
    mutating func makeReady() {
        run(until: now + 0.6)
        var bytes: [UInt8] = []
        driver.setActive(true, into: &bytes)
        nextService = now
        run(until: now + 0.1)
    }

    var pose: PanTilt? { poses.pose(at: now) }
}
