internal import DockControl
internal import DockSimulator
internal import Geometry

/// What the rig's camera and detector deliver, in virtual time.
protocol TrialView {
    /// Returns the lines that have arrived by `now`, the hello first; `pose` returns the rig's pose at a time.
    mutating func lines(by now: Seconds, pose: (Seconds) -> PanTilt) -> [UInt8]
}

/// A camera in front of which people walk about.
struct TrialEyes: TrialView {
    private var camera: TrialCamera
    private let zero: Seconds
    private var isGreeted = false

    init(_ camera: TrialCamera, zero: Seconds) {
        self.camera = camera
        self.zero = zero
    }

    mutating func lines(by now: Seconds, pose: (Seconds) -> PanTilt) -> [UInt8] {
        var lines: [UInt8] = []
        if !isGreeted { camera.hello(into: &lines) }
        isGreeted = true
        camera.deliver(by: now, zero: zero, pose: pose, into: &lines)
        return lines
    }
}

/// A simulated rig, its controller and the cable between them, a millisecond at a time.
final class TrialStage<Device: SimulatedDevice> {
    let host: any TrialHost
    private let line = VirtualLink(isHardware: false)
    private var device: Device
    private var now: Seconds

    init(
        device: Device, driver: any DockDriver, profile: RigProfile, controller: TrialController, seed: UInt64,
        now: Seconds
    ) {
        self.device = device
        self.now = now
        host =
            if let law = controller.law {
                ClassicHost(line: line, driver: driver, profile: profile, law: law, now: now)
            } else {
                DaemonHost(line: line, driver: driver, profile: profile, seed: seed, now: now)
            }
        line.onWrite = { [unowned self] bytes in
            self.device.receive(bytes, at: self.device.time)
            return bytes.count
        }
        host.begin()
    }

    /// Advances to `end`; `each` receives the rig after every step.
    func run(until end: Seconds, seeing view: some TrialView, each: (Seconds, Device) -> Void) {
        var view = view
        while now < end {
            now += 0.001
            device.advance(to: now)
            line.deliver(device.drainOutput())
            let lines = view.lines(by: now) { [device] in device.pose(at: $0) }
            host.turn(lines, now: now)
            each(now, device)
        }
    }
}
