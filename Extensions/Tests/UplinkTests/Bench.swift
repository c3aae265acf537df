import ControlProtocol
import Geometry
import SpatialModel

@testable import Aerie
@testable import Uplink

/// A conversation in virtual time: the machine on one side, and on the other a server and a network that behave as a
/// test wants.
struct Bench {
    static let secret = "a secret of at least thirty-two bytes"
    static let device = "A1B2C3D4-E5F6-7890-ABCD-EF1234567890"

    /// How the server behaves.
    struct Server {
        /// Whether it takes connections.
        var isThere = true
        /// The secret that it knows.
        var secret = Bench.secret
        var proves = true
        /// The first requests after a connection are lost, as in the source system.
        var losesFirst = 0
        var answersRequests = true, answersHeartbeats = true
        /// What it accepts beside JPEG.
        var accepts: [String] = []
        /// It no longer knows the connection, and says so for each frame.
        var hasForgotten = false
        /// The largest frame of the WebSocket, in bytes.
        var largestFragment = 16_384
        /// How far its clock is ahead, in seconds.
        var clock = 0.0
        /// Bytes a second that the network takes, and the way of one byte, in seconds.
        var bytesPerSecond = Double.infinity, delay = 0.001
        /// It reads nothing before this time.
        var readsFrom: Seconds = 0
    }

    var server = Server()
    var machine: UplinkMachine
    private(set) var now: Seconds = 100
    let unixAtStart = 1_700_000_000.0

    /// What was sent to the server, and when it had read it.
    private(set) var frames: [(exposure: Seconds, read: Seconds, bytes: Int)] = []
    private(set) var requests = 0, connections = 0
    private(set) var states: [(Seconds, UplinkState)] = []
    private(set) var lines: [String] = []
    private(set) var people: [(report: PoseReport, time: Seconds)] = []
    private(set) var disconnects: [String] = []
    private(set) var shapes: [FrameShape] = []
    /// When a picture was wanted that needs no other one.
    private(set) var keyFrames: [Seconds] = []
    /// Bytes of a picture of the best shape.
    var pictureBytes = 60_000
    var signProblem: String?

    /// What happens later, in order of time.
    private var agenda: [(time: Seconds, order: Int, what: Work)] = []
    private var order = 0
    /// When the network has taken everything that was sent.
    private var free: Seconds = 0
    /// The connection to which what is on its way belongs.
    private var line = 0
    private var asked = 0, isKnown = false, shape = FrameShape(), exposure: Seconds = 0

    private enum Work {
        case event(UplinkMachine.Event, line: Int?)
        case read([UInt8], line: Int)
        /// A picture, which a test does not decode.
        case readFrame(exposure: Seconds, bytes: Int, line: Int)
        case picture
    }

    init(_ change: (inout UplinkTerms) -> Void = { _ in }) {
        var terms = UplinkTerms(server: "attic")
        change(&terms)
        guard let secret = SharedSecret(Self.secret) else { fatalError("the secret is too short") }
        machine = UplinkMachine(
            identity: UplinkIdentity(device: Self.device, name: "hall", version: "0.2.0", secret: secret),
            terms: terms, seed: 7)
    }

    var moment: UplinkMachine.Moment { .init(monotonic: now, unix: unixAtStart + now) }
    var state: UplinkState { machine.state }

    /// The times at which a state began.
    func times(of isIt: (UplinkState) -> Bool) -> [Seconds] { states.filter { isIt($0.1) }.map(\.0) }

    // MARK: what happens

    mutating func handle(_ event: UplinkMachine.Event) { perform(machine.handle(event, at: moment)) }

    /// Takes pictures at a rate from now on.
    mutating func shoot(rate: Double = 30, for duration: Seconds) {
        for number in 0..<Int(duration * rate) { plan(.picture, at: now + Double(number) / rate) }
    }

    /// Lets time pass.
    mutating func run(_ duration: Seconds) {
        let end = now + duration
        while true {
            let work = agenda.min { ($0.time, $0.order) < ($1.time, $1.order) }
            let deadline = machine.deadline.map { max($0, now) }
            let next = min(work?.time ?? .infinity, deadline ?? .infinity)
            guard next <= end else { break }
            now = max(now, next)
            if let work, work.time <= (deadline ?? .infinity) {
                agenda.removeAll { $0.order == work.order }
                happen(work.what)
            } else {
                perform(machine.tick(at: moment))
            }
        }
        now = end
    }

    /// The server, or the network, ends the connection.
    mutating func drop(code: Int? = nil, reason: String = "the connection was lost") {
        line += 1
        handle(.ended(code: code, reason: reason))
    }

    /// The server says something.
    mutating func say(_ kind: MessageKind, _ members: [String: JSONValue]) {
        let time = WireTime(unix: unixAtStart + now + server.clock)
        plan(.event(.received(Envelope.text(kind, at: time, members)), line: line), at: now + server.delay)
    }

    private mutating func plan(_ work: Work, at time: Seconds) {
        order += 1
        agenda.append((time, order, work))
    }

    private mutating func happen(_ work: Work) {
        switch work {
        case .event(let event, let from):
            if let from, from != line { return }
            handle(event)
        case .read(let bytes, let from):
            if from == line { read(bytes) }
        case .readFrame(let exposure, let bytes, let from):
            guard from == line else { return }
            frames.append((exposure, now, bytes))
            if server.hasForgotten || !isKnown {
                say(.authResponse, AuthAnswer(isSuccess: false, error: "error 1.").members)
            }
        case .picture:
            exposure = now - 0.02
            handle(.pictured(exposure: exposure, isStill: false))
        }
    }

    private mutating func perform(_ actions: [UplinkMachine.Action]) {
        for action in actions {
            switch action {
            case .connect(let fragment): connect(fragment)
            case .disconnect(let reason):
                disconnects.append(reason)
                line += 1
                plan(.event(.ended(code: nil, reason: reason), line: line), at: now + 0.01)
            case .send(let bytes): send(bytes)
            case .accept: break
            case .sign: plan(.event(.signed(problem: signProblem), line: line), at: now + 0.002)
            case .encode(let shape):
                self.shape = shape
                shapes.append(shape)
                plan(.event(.encoded(payload: payload(shape)), line: line), at: now + 0.002)
            case .keyFrame: keyFrames.append(now)
            case .people(let report, let time): people.append((report, time))
            case .show(let state): states.append((now, state))
            case .log(let text, _): lines.append(text)
            }
        }
    }

    // MARK: the server

    private var fragment = 0

    private mutating func connect(_ fragment: Int) {
        connections += 1
        line += 1
        (free, asked, isKnown, self.fragment) = (now, 0, false, fragment)
        let event: UplinkMachine.Event = server.isThere ? .opened : .refused("the server answers 503")
        plan(.event(event, line: line), at: now + 0.05)
    }

    private func payload(_ shape: FrameShape) -> [UInt8] {
        let scale = Double(shape.width * shape.width) / (640 * 640) * (0.4 + 0.6 * Double(shape.quality) / 60)
        return Array(#"{"exposure":\#(exposure),"x":""#.utf8)
            + [UInt8](repeating: UInt8(ascii: "a"), count: Int(Double(pictureBytes) * scale)) + Array(#""}"#.utf8)
    }

    private mutating func send(_ bytes: [UInt8]) {
        if min(bytes.count, fragment) > server.largestFragment {
            line += 1
            return plan(.event(.ended(code: 1009, reason: "too large"), line: line), at: now + server.delay)
        }
        free = max(free, now) + Double(bytes.count) / server.bytesPerSecond
        // The network's buffers take everything at once.
        plan(.event(.written, line: line), at: now + 0.0001)
        let time = max(free + server.delay, server.readsFrom)
        let isFrame = bytes.starts(with: Array(#"{"type":"cameraFrame""#.utf8))
        plan(
            isFrame ? .readFrame(exposure: exposure, bytes: bytes.count, line: line) : .read(bytes, line: line),
            at: time)
    }

    private mutating func read(_ bytes: [UInt8]) {
        guard let message = try? Envelope(bytes, longest: 1 << 21) else { return }
        switch MessageKind(rawValue: message.type) {
        case .authRequest:
            requests += 1
            asked += 1
            guard asked > server.losesFirst, server.answersRequests, let request = AuthRequest(message.payload) else {
                return
            }
            say(.authResponse, answer(request).members)
        case .heartbeat: if server.answersHeartbeats { say(.heartbeat, ["pong": .bool(true)]) }
        default: break
        }
    }

    private mutating func answer(_ request: AuthRequest) -> AuthAnswer {
        guard let secret = SharedSecret(server.secret) else { return AuthAnswer(isSuccess: false) }
        let time = WireTime(unix: Double(request.time ?? "") ?? 0), nonce = request.nonce ?? ""
        guard SharedSecret.agree(request.token, secret.token(device: request.device, time: time, nonce: nonce)) else {
            return AuthAnswer(isSuccess: false, error: "Invalid authentication token")
        }
        isKnown = true
        var answer = AuthAnswer(
            isSuccess: true, session: "S1", proof: server.proves ? secret.proof(nonce: nonce, session: "S1") : nil)
        answer.accepts = server.accepts
        return answer
    }
}

extension UplinkState {
    var isRefused: Bool { if case .refused = self { true } else { false } }
    var isConnected: Bool { self == .paused || self == .streaming }
}
