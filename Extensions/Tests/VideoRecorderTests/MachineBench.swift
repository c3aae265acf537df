import Geometry

@testable import VideoRecorder

/// A recorder's machine in virtual time: a camera, a daemon and a disk that answer at once.
struct Bench {
    var machine = RecorderMachine(length: 10, delay: 0.7)
    var now = 1000.0
    /// How far the wall clock and CLOCK_BOOTTIME are ahead of CLOCK_MONOTONIC.
    var wall = 1_795_000_000.0, boot = 500.0
    var size = PictureSize(width: 640, height: 480)
    var isAnswered = true
    var room: String?
    /// Whether the disk gives no answer.
    var isHung = false
    var log: [RecorderMachine.Action] = []
    /// The frames in each chunk, by its number.
    var frames: [Int: [Double]] = [:]
    private var chunk = 0
    /// Answers arrive after all actions of a list, in the order of the questions.
    private var answers: [(inout Bench) -> Void] = []
    private var isAnswering = false
    /// What a screen has shown since when, as far as the daemon has answered.
    private var screen: [(sign: RecorderMachine.Sign, since: Double)] = [(.off, 0)]
    /// Frames that were recorded although people could not see it: when they were taken, or then.
    private(set) var secret: [Double] = []

    var reading: ClockReading { ClockReading(wall: wall + now, monotonic: now, boot: boot + now) }

    mutating func carryOut(_ actions: [RecorderMachine.Action], exposure: Double = 0) {
        for action in actions {
            log.append(action)
            switch action {
            case .show(let sign) where isAnswered: answers.append { $0.answer(sign) }
            case .makeRoom where !isHung:
                answers.append { $0.carryOut($0.machine.hasRoom(problem: $0.room, now: $0.now)) }
            case .begin(let beginning): chunk = beginning.id
            case .put:
                frames[chunk, default: []].append(exposure)
                let then = screen.last { $0.since <= exposure }?.sign
                if then != .recording || screen.last?.sign != .recording { secret.append(exposure) }
            default: break
            }
        }
        guard !isAnswering else { return }
        isAnswering = true
        while !answers.isEmpty {
            let next = answers.removeFirst()
            next(&self)
        }
        isAnswering = false
    }

    /// The daemon shows a sign, and says so.
    mutating func answer(_ sign: RecorderMachine.Sign) {
        screen.append((sign, now))
        carryOut(machine.shown(sign, now: now))
    }

    /// Another daemon comes, whose screen shows nothing yet.
    mutating func connect() {
        screen.append((.off, now))
        carryOut(machine.connected(now: now))
    }

    mutating func start(_ party: RecordingParty = .person, until: Double? = nil) {
        carryOut(machine.start(party, until: until, now: now))
    }
    mutating func stop(_ party: RecordingParty = .person) { carryOut(machine.stop(party, now: now)) }

    /// Lets time pass; `camera`: 30 pictures a second, each of which leaves the delay line 0.7 s later.
    mutating func pass(_ seconds: Double, camera: Bool = true) {
        let end = now + seconds
        while now < end {
            now += 1.0 / 30
            if camera { carryOut(machine.sawPicture(now: now)) }
            if camera || inLine > 0 { handleFrame(camera) }
            carryOut(machine.tick(reading))
        }
    }

    /// The frames in the delay line.
    private var inLine = 0

    private mutating func handleFrame(_ camera: Bool) {
        if camera, inLine < 21 { return inLine += 1 }
        if !camera { inLine -= 1 }
        let exposure = now - 0.7
        carryOut(machine.handleFrame(exposure, size, reading), exposure: exposure)
    }

    var state: RecorderMachine.State { machine.state(now: now) }
    var signs: [RecorderMachine.Sign] { log.compactMap { if case .show(let sign) = $0 { sign } else { nil } } }
    var ends: [ChunkEnd] { log.compactMap { if case .end(_, let reason, _) = $0 { reason } else { nil } } }
    var recorded: [Double] { frames.keys.sorted().flatMap { frames[$0] ?? [] } }
}
