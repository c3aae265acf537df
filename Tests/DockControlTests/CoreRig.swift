import DockSimulator
import DockTypes
import Geometry

@testable import DockControl

/// The loop's core on our own simulated dock.
typealias CoreRig = DeviceRig<SimulatedDock>

/// The loop's core on a simulated device, in virtual time. Does what the loop's thread does, without a thread, a port
/// or a clock.
final class DeviceRig<Device: SimulatedDevice> {
    /// A line to the simulated device that can lose written bytes.
    final class Line: ByteLink {
        var dock: Device
        var inbox: [UInt8] = []
        /// All bytes written, lost or not.
        var written: [UInt8] = []
        /// The number of the next writes that are lost, including those of the stop.
        var lost = 0
        /// The index of the write of which the port accepts only half, and reports this.
        var cut: Int?
        private var writes = 0
        let descriptor: Int32 = -1
        let name = "virtual"
        let isHardware = false
        let queued = 0

        init(_ dock: Device) { self.dock = dock }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead {
            guard !inbox.isEmpty else { return .nothing }
            let count = min(inbox.count, buffer.count)
            buffer.copyBytes(from: inbox[..<count])
            inbox.removeFirst(count)
            return .bytes(count)
        }

        func write(_ bytes: [UInt8]) -> Bool {
            writes += 1
            written += bytes
            if writes == cut {
                dock.receive(Array(bytes.prefix(bytes.count / 2)), at: dock.time)
                return false
            }
            lost -= 1
            if lost < 0 { dock.receive(bytes, at: dock.time) }
            return true
        }

        func writeLast(_ bytes: [UInt8], within: Double) -> Bool { write(bytes) }

        func close() {}
    }

    let line: Line
    /// The profile that the loop uses.
    let profile: RigProfile
    private(set) var now: Seconds = 100
    private(set) var states: [DockState] = []
    private(set) var notes: [String] = []
    private(set) var endings: [EndedMotion] = []
    /// The results of commands, in order.
    private(set) var answers: [(command: MotionCommand, answer: MotionAnswer, at: Seconds)] = []
    private let box = Box()
    private(set) var snapshot = LoopSnapshot()

    /// Receives the core's replies; used from one thread only.
    private final class Box: @unchecked Sendable { var answered: (MotionCommand, MotionAnswer) -> Void = { _, _ in } }
    private var core: LoopCore?
    private let queue = CommandQueue()
    /// The motions that the loop ended because leases were lost.
    private(set) var leaseEndings: [LeaseEnding] = []
    private var isRung = false
    private var wantedZoom: Double?
    let abilities: DriverAbilities
    /// The error of opening the port; nil: it opens.
    var refusal: DockError?

    /// `device` is switched on at 100 s.
    init(
        device: Device, driver: any DockDriver, profile: RigProfile, latched: DockFault? = nil, released: Bool = false,
        guardian: (any MotionGuard)? = nil
    ) {
        line = Line(device)
        abilities = driver.abilities
        self.profile = profile
        var options = LoopOptions(profile: profile, mode: .manual)
        options.latched = latched
        options.released = released
        let core = LoopCore(
            link: line, options: options, driver: driver,
            input: nil,
            outlet: LoopOutlet(
                takeCommands: { [queue] in queue.take() }, onSnapshot: { [unowned self] in snapshot = $0 },
                onEvent: { [unowned self] event in
                    if case .dock(let state, _) = event { states.append(state) }
                    if case .note(let text) = event { notes.append(text) }
                    if case .leaseEnded(let ending) = event { leaseEndings.append(ending) }
                    if case .motionEnded(let over) = event { endings.append(over) }
                },
                takeZoom: { [unowned self] in
                    defer { wantedZoom = nil }
                    return wantedZoom
                }), guardian: guardian,
            reopen: { [unowned self] () throws(DockError) in
                if let refusal { throw refusal }
                return line
            }, clock: { [unowned self] in now })
        self.core = core
        box.answered = { [unowned self] in answers.append(($0, $1, now)) }
        core.begin(now: now, asleep: 0)
    }

    func zoom(to magnification: Double) {
        wantedZoom = magnification
        isRung = true
    }

    /// The contents of the recorder.
    var records: [TraceRecord] { core?.recorder.copy(cause: "asked").records ?? [] }

    /// Ends the core, as the exit path does.
    func end() { _ = core?.end() }

    func give(_ command: MotionCommand, program: ProgramID? = nil) {
        let new = QueuedCommand(command: command, program: program) { [box] in box.answered(command, $0) }
        for (refused, reason) in queue.put(new) { refused.reply?(.failure(reason)) }
        isRung = true
    }

    /// Reports a lost lease.
    func end(_ lost: LostLease) {
        for (refused, reason) in queue.end(lost) { refused.reply?(.failure(reason)) }
        isRung = true
    }

    /// Runs half-millisecond turns for `duration`.
    func run(_ duration: Seconds, hungUp: Bool = false, watch: () -> Void = {}) {
        guard let core else { return }
        let end = now + duration
        var deadline = core.wait(from: now), hangsUp = hungUp
        while now < end {
            now += 0.000_5
            line.dock.advance(to: now)
            line.inbox += line.dock.drainOutput()
            var wake = LoopCore.Wake()
            wake.portIsReadable = !line.inbox.isEmpty
            wake.portHungUp = hangsUp
            wake.wasRung = isRung
            wake.isDue = now >= deadline
            if wake.isDue || wake.portIsReadable || isRung || hangsUp {
                isRung = false
                hangsUp = false
                core.turn(wake, now: now)
                deadline = core.wait(from: now)
            }
            watch()
        }
    }

    /// Lets the dock run for `duration` while the loop gets no CPU time: what the dock writes waits in the port.
    func hold(_ duration: Seconds) {
        now += duration
        line.dock.advance(to: now)
        line.inbox += line.dock.drainOutput()
    }

    var speed: Double { line.dock.rate.pan.inDegrees }
}

extension DeviceRig where Device == SimulatedDock {
    convenience init(
        _ configuration: SimulatedDock.Configuration = .init(model: .good, seed: 3), latched: DockFault? = nil,
        profile: RigProfile = .dlpDock, released: Bool = false
    ) {
        self.init(
            device: SimulatedDock(configuration: configuration, time: 100), driver: DlpDriver(profile: profile),
            profile: profile, latched: latched, released: released)
    }
}

extension CoreRig {
    /// A dock that was ready for a second and got a command 0.7 s ago.
    static func moving(_ command: MotionCommand, hasDeadman: Bool = true) -> CoreRig {
        var configuration = SimulatedDock.Configuration(model: .good, seed: 3)
        configuration.hasDeadman = hasDeadman
        let rig = CoreRig(configuration)
        rig.run(1)
        rig.give(command)
        rig.run(0.7)
        return rig
    }
}

extension MotionCommand {
    /// A turn to the right that lasts longer than any test.
    static let turn = MotionCommand.velocity(.degrees(pan: 30, tilt: 0), duration: 60)
}
