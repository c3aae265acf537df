import DockSimulator
import DockTypes
import FaceTracker
import Geometry

@testable import Companion
@testable import DockControl

/// A daemon with people, programs and a cable whose whole session is recorded, in virtual time.
final class RerunRig {
    private(set) var link: VirtualLink
    private var dock: SimulatedDock
    private(set) var core: LoopCore!
    private(set) var session: VirtualSession!
    private(set) var now: Seconds = 500
    private(set) var snapshot = LoopSnapshot()
    private var deadline: Seconds = 0
    private var isPlugged = true
    private var encoder = DetectionEncoder()
    private var nextPicture: Seconds = 501, sequence = 0
    let spool: TraceSpool
    /// The world directions of the faces, rad; empty: no person is there.
    var people: (Seconds) -> [PanTilt] = { _ in [] }
    /// How large the faces are, in the order of `people`, as multiples of the usual size; 1 for those that are missing.
    var sizes: [Double] = []
    /// Which camera takes the frames, and how much they are magnified.
    var optics = FrameOptics.usual

    init(
        profile: RigProfile = .dlpDock, model: RigModel = .good, mode: TrackingMode = .system,
        spool: TraceSpool = TraceSpool(capacity: 4 << 20)
    ) {
        self.spool = spool
        dock = SimulatedDock(configuration: .init(model: model, seed: 5), time: 500)
        link = VirtualLink(isHardware: false)
        session = VirtualSession(
            profile: profile, seed: 3, now: { [unowned self] in now }, realtime: { [unowned self] in 1.7e9 + now })
        var options = LoopOptions(profile: profile, mode: mode)
        options.trace = spool
        core = LoopCore(
            link: link, options: options, driver: DlpDriver(profile: profile), input: session.input,
            outlet: LoopOutlet(
                takeCommands: { [unowned self] in session.commands.take() },
                onSnapshot: { [unowned self] in
                    snapshot = $0
                    session.receive($0)
                }, onEvent: { [unowned self] in session.receive($0) }),
            reopen: { [unowned self] () throws(DockError) in
                guard isPlugged else { throw DockError(.notConnected, "gone", hint: "") }
                connect()
                return link
            }, clock: { [unowned self] in now })
        wire()
        core.begin(now: now, asleep: 12.5)
        deadline = core.wait(from: now)
    }

    private func connect() {
        link = VirtualLink(isHardware: false)
        wire()
    }

    private func wire() {
        link.onWrite = { [unowned self] bytes in
            dock.receive(bytes, at: dock.time)
            return bytes.count
        }
    }

    func unplug() {
        isPlugged = false
        link.hangUp()
    }

    func plug() { isPlugged = true }

    /// Sends a command as a person's words do.
    func ask(_ command: Command, client: Int? = nil) { session.call(command, client: client) { _ in } }

    /// Runs in steps of a millisecond.
    func run(_ seconds: Seconds) {
        let end = now + seconds
        while now < end {
            now += 0.001
            dock.advance(to: now)
            link.deliver(dock.drainOutput())
            let lines = see()
            if !lines.isEmpty { session.detect(lines) }
            if Int(now * 1000) % 250 == 0 { session.tick() }
            var wake = LoopCore.Wake()
            wake.asleep = 12.5 + 1e-7 * Double(Int(now * 1000) % 3)
            wake.portIsReadable = !link.inbox.isEmpty || link.isHungUp
            wake.portHungUp = link.isHungUp
            wake.inputIsReadable = !lines.isEmpty
            wake.isDue = now >= deadline
            wake.wasRung = session.hasRung
            if session.hasRung { session.heard() }
            guard wake.portIsReadable || wake.inputIsReadable || wake.isDue || wake.wasRung else { continue }
            core.turn(wake, now: now)
            deadline = core.wait(from: now)
        }
    }

    private func see() -> [UInt8] {
        var lines: [UInt8] = []
        guard now >= nextPicture else { return lines }
        if sequence == 0 {
            encoder.writeHello(
                detector: "test", clock: .monotonic, image: PictureSize(width: 640, height: 360), to: &lines)
        }
        sequence += 1
        nextPicture += 1.0 / 30
        let exposure = now - 0.045, model = CameraModel(camera: .init()).cropped(by: optics.zoom),
            view = dock.pose(at: exposure)
        var faces: [Detection] = []
        for (index, person) in people(exposure).enumerated() {
            guard let place = model.project(person, from: view) else { continue }
            let size = index < sizes.count ? sizes[index] : 1
            faces.append(
                Detection(rect: Rect(center: place, width: 0.1 * size, height: 0.18 * size), score: 0.93))
        }
        encoder.writeFrame(sequence: sequence, time: exposure, detections: faces, optics: optics, to: &lines)
        return lines
    }

    /// Ends the session, and returns it as a trace that was written and read.
    func trace() throws -> Trace {
        _ = core.end()
        session.commands.close()
        let records = TraceRecord.all(in: spool.take())
        guard let about = spool.about else { throw DockError(.configuration, "nothing", hint: "") }
        return try Trace(TraceWriter.session(about, records, program: "test"), name: "test")
    }
}
