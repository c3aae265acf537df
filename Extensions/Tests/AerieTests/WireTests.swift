import ControlProtocol
import Geometry
import SpatialModel
import Testing

@testable import Aerie

@Suite("the messages of the protocol")
struct WireTests {
    private static let time = WireTime(unix: 1_704_067_200.123)

    @Test("base64 is that of the standard, and its reader takes nothing else")
    func base64() {
        for (text, form) in [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            #expect(String(decoding: Base64.encode(Array(text.utf8)), as: UTF8.self) == form)
            #expect(Base64.decode(Array(form.utf8)) == Array(text.utf8))
        }
        for wrong in ["Zg", "Zg=", "Zg= =", "Z===", "====", "Zm9v\n", "Zm9_", "=Zg=", "Zg==Zg=="] {
            #expect(Base64.decode(Array(wrong.utf8)) == nil, "\(wrong)")
        }
        #expect(Base64.decode(Base64.encode(Array(0...255))) == Array(0...255))
    }

    @Test(
        "a time has at most six decimals and no zeros at its end",
        arguments: [
            (1_704_067_200.123, "1704067200.123"), (1_704_067_200, "1704067200"), (0.000001, "0.000001"),
            (-5, "0"), (.nan, "0"), (12.100_000_4, "12.1"),
        ])
    func times(_ unix: Double, _ text: String) { #expect(WireTime(unix: unix).text == text) }

    @Test("a message is an envelope with the text of its payload")
    func envelopes() throws {
        let text = Envelope.text(.heartbeat, at: Self.time, ["pong": .bool(true)])
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"{"type":"heartbeat","timestamp":1704067200.123,"payload":"eyJwb25nIjp0cnVlfQ=="}"#)
        let read = try Envelope(text, longest: 1000)
        #expect(read.type == "heartbeat" && read.time == 1_704_067_200.123 && read.payload == ["pong": .bool(true)])
        // The source system escapes slashes, and has a space in its answer.
        let other = #"{"payload":"eyJwb25nIjogdHJ1ZX0=","extra":1,"type":"heart\/beat","timestamp":5}"#
        #expect(try Envelope(Array(other.utf8), longest: 1000).payload == ["pong": .bool(true)])
    }

    @Test(
        "what is no message is refused, with the reason",
        arguments: [
            (#"{"type":"a","timestamp":1,"payload":{}}"#, Envelope.Flaw.incomplete),
            (#"{"type":"a","payload":"e30="}"#, .incomplete),
            (#"{"type":"a","timestamp":1,"payload":"e30"}"#, .payload),
            (#"{"type":"a","timestamp":1,"payload":"W10="}"#, .payload), ("[", .notJSON), ("", .notJSON),
            (String(repeating: " ", count: 200), .tooLong),
        ])
    func flaws(_ text: String, _ flaw: Envelope.Flaw) {
        #expect(throws: flaw) { try Envelope(Array(text.utf8), longest: 199) }
    }

    @Test("signatures are those of the golden vectors")
    func signatures() throws {
        let secret = try #require(SharedSecret("falcon-eye-default-secret-change-in-production"))
        let device = "A1B2C3D4-E5F6-7890-ABCD-EF1234567890"
        #expect(secret.sourceToken(device: device, time: Self.time) == "w+yD9huMdjJkkEEVrPHnfbqjcnc+aGYP35m5l+jxhc4=")
        let nonce = "5f0c2b6e9d7a4c31b8e0f1a2d3c4b5a6"
        #expect(
            secret.token(device: device, time: Self.time, nonce: nonce)
                == "UlrHfCe9J7QbiDaZ1aPeN8pu9n0kq5Yst+okYF2zh+Q=")
        #expect(
            secret.proof(nonce: nonce, session: "0B8A6E2C-6A0F-4C7B-9C1E-2D5F3A4B6C7D")
                == "h60ib6MYvOiN0v+IyBWTQzaKC4n7ne/P7aAS9UnMSV4=")
    }

    @Test("a secret has at least 32 bytes, and a new one is long enough and never the same")
    func secrets() {
        #expect(SharedSecret(String(repeating: "a", count: 31)) == nil)
        #expect(SharedSecret(String(repeating: "a", count: 1025)) == nil)
        #expect(SharedSecret(SharedSecret.random()) != nil)
        #expect(SharedSecret.random() != SharedSecret.random())
        #expect(SharedSecret.nonce().utf8.count == 32)
        #expect(
            SharedSecret.agree("abc", "abc") && !SharedSecret.agree("abc", "abd") && !SharedSecret.agree("abc", "ab"))
        #expect(!SharedSecret.agree("", "a") && SharedSecret.agree("", ""))
    }

    @Test("a request and an answer come out as they went in, and incomplete ones are refused")
    func authentication() {
        let request = AuthRequest(
            device: "d", token: "t", model: "dockface: hall", system: "0.2.0", time: "1.5", nonce: "n")
        #expect(AuthRequest(request.members) == request)
        for member in ["deviceId", "token", "deviceInfo"] {
            var members = request.members
            members[member] = nil
            #expect(AuthRequest(members) == nil, "\(member)")
        }
        let answer = AuthAnswer(isSuccess: true, session: "s", proof: "p")
        #expect(AuthAnswer(answer.members) == answer)
        // The documents of the source system show null where its programs leave the member out.
        #expect(AuthAnswer(["success": .bool(false), "sessionId": .null, "error": .string("no")])?.error == "no")
        #expect(AuthAnswer(["success": .string("yes")]) == nil)
    }

    // MARK: poses

    static let camera = HeadModel.example.camera(at: PanTilt(pan: 0.3, tilt: -0.2))

    @Test(
        "a pose comes out as it went in, in each convention",
        arguments: PoseConvention.Order.allCases, PoseConvention.Camera.allCases)
    func poses(_ order: PoseConvention.Order, _ camera: PoseConvention.Camera) throws {
        let convention = PoseConvention(order: order, camera: camera)
        let value = JSONValue.array(
            PoseMatrix.lists(Self.camera, convention).map { .array($0.map(JSONValue.number)) })
        let pose = try #require(PoseMatrix.pose(value, convention))
        #expect(pose.isNear(Self.camera))
        // The place of 0, 0, 0, 1 says which they are.
        let other = PoseConvention(order: order == .rows ? .columns : .rows, camera: camera)
        #expect(PoseMatrix.pose(value, other)?.isNear(Self.camera) == true)
    }

    @Test("the translation is in the last list, and an optical camera looks along z")
    func conventions() {
        let usual = PoseMatrix.lists(Self.camera), optical = PoseMatrix.lists(Self.camera, .init(camera: .optical))
        #expect(usual[3] == [Self.camera.origin.x, Self.camera.origin.y, Self.camera.origin.z, 1])
        #expect(zip(usual[2], optical[2]).allSatisfy { $0 == -$1 } && usual[0] == optical[0])
    }

    @Test("what is no pose is refused")
    func noPose() {
        let good = PoseMatrix.lists(Self.camera)
        func pose(_ change: (inout [[Double]]) -> Void) -> RigidTransform? {
            var lists = good
            change(&lists)
            return PoseMatrix.pose(.array(lists.map { .array($0.map(JSONValue.number)) }))
        }
        #expect(pose { _ in } != nil)
        #expect(pose { $0[0][0] *= 1.01 } == nil)
        #expect(pose { $0[2] = $0[2].map { -$0 } } == nil, "left-handed")
        #expect(pose { $0[3][3] = 2 } == nil)
        #expect(pose { $0.removeLast() } == nil)
        #expect(pose { $0[1].append(0) } == nil)
        #expect(PoseMatrix.pose(.array([.string("a")])) == nil)
    }

    // MARK: frames

    static func person() -> SeenPerson {
        var person = SeenPerson()
        for joint in Joint.allCases {
            let place = Double(joint.index) / 20
            person.joints[joint] = .init(Point(x: place, y: 1 - place), confidence: 0.9)
            person.shape[joint] = .init(place, -place, 0.25)
        }
        return person
    }

    static func frame() -> CameraFrame {
        var lens = FrameLens(fx: 612, fy: 611, cx: 324.5, cy: 238.25, width: 640, height: 480)
        lens.distortion = LensDistortion(k1: -0.12, k2: 0.03)
        let view = CameraFrame.View(time: 1_704_067_200.123, camera: camera, lens: lens)
        return CameraFrame(
            sequence: 7, view: view, picture: Array("\u{FF}\u{D8}not a picture".utf8),
            skeletons: .init(view: view, people: [person()]))
    }

    @Test("a frame comes out as it went in")
    func frames() throws {
        let frame = Self.frame()
        let members = try #require(JSONValue(json: frame.payload())?.object)
        let read = try CameraFrame(members)
        #expect(read.sequence == 7 && read.picture == frame.picture && read.view.lens == frame.view.lens)
        #expect(read.view.camera.isNear(frame.view.camera) && read.view.time == frame.view.time)
        let seen = try #require(read.skeletons?.people.first)
        #expect(read.skeletons?.people.count == 1)
        for joint in Joint.allCases {
            let (a, b) = (try #require(seen.joints[joint]), try #require(Self.person().joints[joint]))
            #expect(abs(a.point.x - b.point.x) < 1e-4 && abs(a.point.y - b.point.y) < 1e-4 && a.confidence == 0.9)
            #expect(seen.shape[joint] == Self.person().shape[joint])
        }
        #expect(try CameraFrame(members, keepsPicture: false).picture.isEmpty)
    }

    @Test("a frame of the source system has no members of ours, and is read")
    func sourceFrames() throws {
        var members = try #require(JSONValue(json: Self.frame().payload())?.object)
        for own in ["sequence", "skeletons", "distortion"] { members[own] = nil }
        members["frameId"] = .string("8D4F3C1E")
        let read = try CameraFrame(members)
        #expect(read.sequence == 0 && read.skeletons == nil && read.view.lens.distortion == .none)
    }

    @Test(
        "a frame with a wrong part is refused, with the reason",
        arguments: [
            ("frameId", JSONValue.null, CameraFrame.Flaw.number), ("imageData", .string("a"), .picture),
            ("imageData", .null, .picture), ("devicePose", .array([]), .view), ("intrinsics", .null, .view),
            ("timestamp", .string("now"), .view), ("skeletons", .array([]), .skeletons),
            ("distortion", .object(["model": .string("plumb_bob"), "d": .array([.number(1)])]), .view),
        ])
    func wrongFrames(_ member: String, _ value: JSONValue, _ flaw: CameraFrame.Flaw) throws {
        var members = try #require(JSONValue(json: Self.frame().payload())?.object)
        members[member] = value
        #expect(throws: flaw) { try CameraFrame(members) }
    }

    @Test("a lens that cannot be is refused")
    func lenses() {
        let good = FrameLens(fx: 600, fy: 600, cx: 320, cy: 240, width: 640, height: 480)
        #expect(FrameLens(good.json, distortion: nil) == good)
        for (member, value) in [("fx", 10.0), ("fy", 1e6), ("cx", 3000), ("width", 0), ("height", 640.5), ("cy", -700)]
        {
            var members = good.json.object ?? [:]
            members[member] = .number(value)
            #expect(FrameLens(.object(members), distortion: nil) == nil, "\(member)")
        }
    }

    // MARK: reports

    @Test("a report comes out as it went in; a person who cannot be read is left out")
    func reports() throws {
        var joints = Joints<PlacedPerson.PlacedJoint>()
        joints[.head] = .init(.init(0.5, 1.7, -3), confidence: 0.9)
        joints[.leftKnee] = .init(.init(0.4, 0.5, -3.1), confidence: 0.25)
        let person = PoseReport.Person(
            name: "person-001", device: "D1", deviceName: "hall", devices: ["D1", "D2"], joints: joints, confidence: 0.5
        )
        let report = PoseReport(time: 12.5, people: [person])
        #expect(PoseReport(report.members) == report)
        var members = report.members
        members["poses"] = .array([.null, person.json, .object(["personId": .string("x")])])
        #expect(PoseReport(members)?.people == [person])
        #expect(PoseReport(["timestamp": .number(1)]) == nil)
    }

    @Test("text of others cannot command a terminal")
    func foreignText() throws {
        var joints = Joints<PlacedPerson.PlacedJoint>()
        joints[.head] = .init(.init(0, 0, -3), confidence: 1)
        let person = PoseReport.Person(name: "\u{1B}[2Jx", device: "\u{9B}a", joints: joints)
        let read = try #require(PoseReport(PoseReport(time: 1, people: [person]).members)?.people.first)
        #expect(!read.name.unicodeScalars.contains("\u{1B}") && !read.device.unicodeScalars.contains("\u{9B}"))
    }
}

extension HeadModel {
    static var example: HeadModel {
        var head = HeadModel()
        (head.stand, head.heading) = (.init(1.5, 0.8, -2), 0.7)
        (head.axis, head.lens) = ((0.06, 0.01), (0.012, 0.02, 0.03))
        return head
    }
}

extension RigidTransform {
    func isNear(_ other: RigidTransform) -> Bool {
        zip([axes.x, axes.y, axes.z, origin], [other.axes.x, other.axes.y, other.axes.z, other.origin])
            .allSatisfy { (($0 - $1) * ($0 - $1)).sum() < 1e-12 }
    }
}
