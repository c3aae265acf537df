import CPosix
import DockControl
import DockSimulator
import DockTypes
import FaceTracker
import Geometry
import Glibc
import TestSupport

@testable import Companion

/// The loop's core on our own simulated dock.
typealias CoreRig = SceneRig<SimulatedDock>

/// The whole dock side of the daemon in virtual time: the loop's core, the driver and, if there is a scene, the real
/// detection pipeline, against a simulated device.
final class SceneRig<Device: SimulatedDevice> {
    /// The dock's line.
    private final class Line: ByteLink {
        var dock: Device
        var now: Seconds
        let descriptor: Int32 = -1, name = "virtual"
        let isHardware: Bool
        var output: [UInt8] = []
        init(_ dock: Device, now: Seconds, isHardware: Bool) {
            self.dock = dock
            self.now = now
            self.isHardware = isHardware
        }
        func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead {
            guard !output.isEmpty else { return .nothing }
            let count = min(output.count, buffer.count)
            buffer.copyBytes(from: output[..<count])
            output.removeFirst(count)
            return .bytes(count)
        }
        func write(_ bytes: [UInt8]) -> Bool {
            dock.receive(bytes, at: now)
            return true
        }
        var queued: Int { 0 }
        func writeLast(_ bytes: [UInt8], within: Double) -> Bool { write(bytes) }
        func close() {}
    }

    private let line: Line
    private(set) var core: LoopCore!
    private(set) var now: Seconds
    private(set) var snapshot = LoopSnapshot()
    private(set) var events: [LoopEvent] = []
    private var waiting: [QueuedCommand] = []
    private var wantedZoom: Double?
    private(set) var camera: SceneCamera?
    private var pipe: (out: Int32, inlet: Int32) = (-1, -1)
    /// The camera's direction for a pose of the dock.
    var view: (PanTilt) -> PanTilt = { $0 }
    /// Called every millisecond.
    var watch: (SceneRig) -> Void = { _ in }

    /// Whether the frames do not say with which optics they were taken.
    var concealsOptics = false

    /// The following frames come from another camera, or are magnified otherwise.
    func see(through optics: FrameOptics) { camera?.optics = optics }

    /// `device` is switched on now. A driver without a deadman gets a guard that is ready and idle.
    init(
        device: Device, driver: any DockDriver, profile: RigProfile, mode: TrackingMode = .manual,
        scene: SceneCamera? = nil, isHardware: Bool = false, options change: (inout LoopOptions) -> Void = { _ in }
    ) {
        now = device.time
        line = Line(device, now: now, isHardware: isHardware)
        var options = LoopOptions(profile: profile, mode: mode)
        change(&options)
        var pipeline: DetectionPipeline?
        if let scene {
            camera = scene
            var out: Int32 = -1, inlet: Int32 = -1
            _ = cposix_pipe(&out, &inlet)
            pipe = (out, inlet)
            var decoding = DecoderOptions()
            decoding.cameraLatency = profile.camera.latency
            pipeline = DetectionPipeline(
                descriptor: pipe.out, profile: options.trackingProfile, options: decoding, requests: PipelineRequests(),
                listener: .init(onFrame: { _ in }, onEvent: { _ in }))
        }
        let outlet = LoopOutlet(
            takeCommands: { [unowned self] in
                defer { waiting = [] }
                return CommandBatch(commands: waiting)
            }, onSnapshot: { [unowned self] in snapshot = $0 }, onEvent: { [unowned self] in events.append($0) },
            takeZoom: { [unowned self] in wantedZoom.take() })
        core = LoopCore(
            link: line, options: options, driver: driver, input: pipeline, outlet: outlet,
            guardian: driver.abilities.deadman == nil ? IdleGuard() : nil,
            reopen: { () throws(DockError) in throw DockError(.notConnected, "gone", hint: "") },
            clock: { [unowned self] in now })
        core.begin(now: now, asleep: 0)
    }

    deinit {
        core = nil
        if pipe.out >= 0 {
            close(pipe.out)
            close(pipe.inlet)
        }
    }

    var dock: Device {
        get { line.dock }
        set { line.dock = newValue }
    }
    var notes: [String] { events.compactMap { if case .note(let text) = $0 { text } else { nil } } }
    var state: DockState { snapshot.dock }

    /// Gives a command and returns its answer.
    @discardableResult
    func tell(_ command: MotionCommand) -> MotionAnswer? {
        let box = AnswerBox()
        waiting.append(QueuedCommand(command: command) { box.answer = $0 })
        var wake = LoopCore.Wake()
        wake.wasRung = true
        core.turn(wake, now: now)
        return box.answer
    }

    /// Requests a magnification from the rig's own camera.
    func zoom(to magnification: Double) {
        wantedZoom = magnification
        var wake = LoopCore.Wake()
        wake.wasRung = true
        core.turn(wake, now: now)
    }

    /// Runs for `seconds` in steps of a millisecond, or until the condition holds.
    @discardableResult
    func run(_ seconds: Seconds, until isSo: (SceneRig) -> Bool = { _ in false }) -> Bool {
        let end = now + seconds
        var deadline = core.wait(from: now)
        while now < end {
            now += 0.001
            line.now = now
            line.dock.advance(to: now)
            line.output += line.dock.drainOutput()
            var wake = LoopCore.Wake()
            wake.portIsReadable = !line.output.isEmpty
            wake.inputIsReadable = feed()
            wake.isDue = now >= deadline
            if wake.portIsReadable || wake.inputIsReadable || wake.isDue {
                core.turn(wake, now: now)
                deadline = core.wait(from: now)
            }
            watch(self)
            if isSo(self) { return true }
        }
        return false
    }

    /// Writes what the camera has delivered by now into the pipe.
    private func feed() -> Bool {
        guard camera != nil else { return false }
        var lines: [UInt8] = []
        if camera?.nextDelivery == nil { camera?.begin(now: now, into: &lines) }
        while let due = camera?.nextDelivery, due <= now {
            let dock = line.dock, view = view
            guard
                camera?.deliver(
                    looking: { HeadView(view(dock.pose(at: $0)), magnification: dock.magnification) }, into: &lines)
                    != nil
            else { break }
        }
        guard !lines.isEmpty else { return false }
        if concealsOptics, let optics = camera?.optics {
            let key = #","camera":\#(optics.camera),"zoom""#
            lines = Array(String(decoding: lines, as: UTF8.self).replacing(key, with: #","unused""#).utf8)
        }
        return lines.withUnsafeBytes { write(pipe.inlet, $0.baseAddress, $0.count) } > 0
    }
}

extension SceneRig where Device == SimulatedDock {
    convenience init(
        profile: RigProfile = .dlpDock, model: RigModel = .good, mode: TrackingMode = .manual,
        scene: SceneCamera? = nil,
        isHardware: Bool = false, seed: UInt64 = 7, options change: (inout LoopOptions) -> Void = { _ in }
    ) {
        self.init(
            device: SimulatedDock(configuration: .init(model: model, seed: seed), time: 1000),
            driver: DlpDriver(profile: profile), profile: profile, mode: mode, scene: scene, isHardware: isHardware,
            options: change)
    }
}

/// The answer to a command; used from one thread only.
private final class AnswerBox: @unchecked Sendable { var answer: MotionAnswer? }
