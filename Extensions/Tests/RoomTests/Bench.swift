import ControlProtocol
import Geometry
import SpatialModel

@testable import Aerie
@testable import Room

/// A room in virtual time: clients that behave as a test wants.
struct Bench {
    static let secret = "a secret of at least thirty-two bytes"
    static let device = "A1B2C3D4-E5F6-7890-ABCD-EF1234567890"

    var room: RoomMachine
    var now: Seconds = 100
    var unixAtStart = 1_700_000_000.0
    /// What was sent to each client.
    private(set) var sent: [Int: [Envelope]] = [:]
    private(set) var closed: [Int: UInt16] = [:]
    private(set) var accepted: Set<Int> = []
    private(set) var lines: [String] = []
    private(set) var broadcasts: [(visits: [Int], report: PoseReport)] = []
    private var last = 0

    init(isLenient: Bool = false) {
        guard let secret = SharedSecret(Self.secret) else { fatalError("the secret is too short") }
        room = RoomMachine(secret: secret, isLenient: isLenient)
    }

    var moment: RoomMachine.Moment { .init(monotonic: now, unix: unixAtStart + now) }

    /// A client connects. Returns its number.
    mutating func open(_ device: String = Bench.device, path: String? = nil, from address: String = "10.0.0.7") -> Int {
        last += 1
        perform(room.opened(last, path: path ?? "/ws/connect/\(device)", address: address, at: moment))
        return last
    }

    mutating func close(_ visit: Int) { perform(room.closed(visit, at: moment)) }

    mutating func say(_ visit: Int, _ text: [UInt8]) { perform(room.received(visit, text, at: moment)) }

    mutating func say(_ visit: Int, _ kind: MessageKind, _ members: [String: JSONValue], clock: Double = 0) {
        say(visit, Envelope.text(kind, at: WireTime(unix: moment.unix + clock), members))
    }

    mutating func run(_ duration: Seconds) {
        let end = now + duration
        while let deadline = room.deadline, deadline <= end {
            now = max(now, deadline)
            perform(room.tick(at: moment))
        }
        now = end
    }

    private mutating func perform(_ actions: [RoomMachine.Action]) {
        for action in actions {
            switch action {
            case .send(let visit, let bytes): sent[visit, default: []].append(Self.read(bytes))
            case .broadcast(let visits, let bytes):
                guard let report = PoseReport(Self.read(bytes).payload) else { fatalError("no report") }
                broadcasts.append((visits, report))
            case .accept(let visit): accepted.insert(visit)
            case .close(let visit, let code, _):
                closed[visit] = code
                perform(room.closed(visit, at: moment))
            case .log(let text, _): lines.append(text)
            }
        }
    }

    private static func read(_ bytes: [UInt8]) -> Envelope {
        guard let envelope = try? Envelope(bytes, longest: 1 << 22) else { fatalError("no message") }
        return envelope
    }

    /// Forgets what was sent and written.
    mutating func clear() { (sent, lines, broadcasts) = ([:], [], []) }

    // MARK: clients

    /// The request of a client that knows the secret; a test changes it.
    func request(
        _ device: String = Bench.device, secret: String = Bench.secret, clock: Double = 0,
        nonce: String = SharedSecret.nonce()
    ) -> AuthRequest {
        let time = WireTime(unix: moment.unix + clock)
        let token = SharedSecret(secret)?.token(device: device, time: time, nonce: nonce) ?? ""
        return AuthRequest(
            device: device, token: token, model: "dockface: hall", system: "0.2.0", time: time.text, nonce: nonce)
    }

    /// A client that was accepted.
    mutating func robot(_ device: String = Bench.device) -> Int {
        let visit = open(device)
        say(visit, .authRequest, request(device).members)
        return visit
    }

    /// Whether a client has been accepted.
    func isIn(_ visit: Int) -> Bool { accepted.contains(visit) && closed[visit] == nil }

    /// The last answer to a client.
    func answer(_ visit: Int) -> AuthAnswer? {
        sent[visit]?.last { $0.type == "authResponse" }.flatMap { AuthAnswer($0.payload) }
    }
}

/// A room with people, and rigs that see them.
struct Scene {
    /// A person who stands upright at a place of the floor, with the same body for all.
    static func person(x: Double, z: Double) -> Joints<RigidTransform.Vector> {
        let body: [(Joint, Double, Double)] = [
            (.head, 0, 1.6), (.leftShoulder, 0.2, 1.4), (.rightShoulder, -0.2, 1.4), (.leftElbow, 0.28, 1.1),
            (.rightElbow, -0.28, 1.1), (.leftWrist, 0.3, 0.85), (.rightWrist, -0.3, 0.85), (.leftHip, 0.12, 0.9),
            (.rightHip, -0.12, 0.9), (.leftKnee, 0.13, 0.5), (.rightKnee, -0.13, 0.5), (.leftAnkle, 0.14, 0.07),
            (.rightAnkle, -0.14, 0.07),
        ]
        var joints = Joints<RigidTransform.Vector>()
        for (joint, side, height) in body { joints[joint] = .init(x + side, height, z) }
        return joints
    }

    static let lens = FrameLens(fx: 600, fy: 600, cx: 320, cy: 240, width: 640, height: 480)

    /// What a rig at a place, turned toward the people, sees of them.
    static func view(
        x: Double, heading: Double, of people: [Joints<RigidTransform.Vector>], time: Double
    ) -> CameraFrame {
        var head = HeadModel()
        (head.stand, head.heading) = (.init(x, 1.2, 0), heading)
        let camera = head.camera(at: .zero)
        let seen = people.map { person in
            var result = SeenPerson()
            for (joint, place) in person.present {
                guard let (point, _) = lens.normalised.project(place, from: camera) else { continue }
                result.joints[joint] = .init(point, confidence: 0.9)
            }
            return result
        }
        let view = CameraFrame.View(time: time, camera: camera, lens: lens)
        return CameraFrame(sequence: 1, view: view, picture: [0xFF, 0xD8], skeletons: .init(view: view, people: seen))
    }
}
