import ControlProtocol
import DockControl
import DockTypes
import FaceTracker
import Geometry
import RobotFace
import Testing

@testable import Companion

@Suite struct ControlTestsMethods {
    static let good: [(String, String, Command)] = [
        ("setTrackingMode", #"{"mode":"custom"}"#, .motion(.setMode(.custom))),
        ("setSystemTrackingEnabled", #"{"enabled":false}"#, .setSystemTracking(false)),
        ("setFramingMode", #"{"mode":"automatic"}"#, .motion(.setFraming(.automatic))),
        ("setFramingMode", #"{"mode":"left"}"#, .motion(.setFraming(.left))),
        ("setRegionOfInterest", #"{"rect":null}"#, .motion(.setRegion(.full))),
        (
            "setRegionOfInterest", #"{"rect":[0.1,0.2,0.5,0.5]}"#,
            .motion(.setRegion(Rect(x: 0.1, y: 0.2, width: 0.5, height: 0.5)))
        ),
        ("selectSubject", #"{"x":0.25,"y":1}"#, .tap(Point(x: 0.25, y: 1))),
        ("selectSubjects", #"{"ids":[3,1]}"#, .select([3, 1])), ("selectSubjects", #"{"ids":[]}"#, .select([])),
        ("expect", #"{"pan":1.5,"tilt":-0.25}"#, .motion(.expect(PanTilt(pan: 1.5, tilt: -0.25), duration: 1))),
        ("expect", #"{"pan":0,"tilt":0,"for":2}"#, .motion(.expect(.zero, duration: 2))),
        ("selectSource", #"{"name":"exec-2"}"#, .source("exec-2")),
        ("track", #"{"observations":[]}"#, .track(ObservationFrame([]))),
        (
            "track",
            #"{"observations":[{"id":7,"rect":[0,0,0.5,0.5],"kind":"object","yaw":null,"score":0.5,"looking":1}],"t":12.5}"#,
            .track(
                ObservationFrame(
                    [
                        Observation(
                            identifier: 7, kind: .object, rect: Rect(x: 0, y: 0, width: 0.5, height: 0.5), score: 0.5,
                            looking: 1)
                    ], exposure: 12.5))
        ),
        (
            "track",
            #"{"observations":[],"camera":{"width":640,"height":480,"fx":500,"fy":500,"cx":320,"cy":240,"rotate":90}}"#,
            .track(
                ObservationFrame(
                    [],
                    camera: CameraInformation(
                        referenceDimensions: PictureSize(width: 640, height: 480),
                        intrinsics: CameraIntrinsics(fx: 500, fy: 500, cx: 320, cy: 240), rotate: 90)))
        ),
        (
            "setAngularVelocity", #"{"pan":0.1,"tilt":-0.2}"#,
            .motion(.velocity(PanTilt(pan: 0.1, tilt: -0.2), duration: 0.5))
        ),
        ("setAngularVelocity", #"{"pan":0,"tilt":0,"for":2}"#, .motion(.velocity(.zero, duration: 2))),
        (
            "setOrientation", #"{"pan":1,"tilt":0.5,"duration":2,"relative":true}"#,
            .motion(.orient(PanTilt(pan: 1, tilt: 0.5), duration: 2, relative: true))
        ),
        ("home", "{}", .motion(.home)), ("animate", #"{"motion":"no"}"#, .animate("nope")),
        ("animate", #"{"motion":"my-wave_2"}"#, .animate("my-wave_2")),
        ("cancelMotion", #"{"motion":4}"#, .motion(.cancel(MotionID(4), .cancelled))),
        ("setLimits", "{}", .motion(.setLimits(pan: .own, tilt: .own))),
        ("setLimits", #"{"pan":null}"#, .motion(.setLimits(pan: .own, tilt: .keep))),
        (
            "setLimits", #"{"tilt":{"min":-0.5,"max":0.5,"speed":1}}"#,
            .motion(.setLimits(pan: .keep, tilt: .set(low: -0.5, high: 0.5, speed: 1)))
        ),
        ("setSpeed", #"{"share":0.5}"#, .motion(.setSpeed(0.5))),
        ("setTorqueEnabled", #"{"enabled":true}"#, .motion(.torque(true))),
        ("setExpression", #"{"next":true}"#, .nextFace), ("setExpression", #"{"random":false}"#, .randomFaces(false)),
        ("setGesturesEnabled", #"{"enabled":true}"#, .gestures(true)),
        ("savePreset", #"{"name":"door"}"#, .preset(.save("door"))), ("presets", "{}", .preset(.list)),
        ("goToPreset", #"{"name":"door"}"#, .preset(.go("door"))),
        ("deletePreset", #"{"name":"door"}"#, .preset(.delete("door"))),
        ("recordMotion", #"{"name":"wave"}"#, .teach(.record("wave"))),
        ("finishRecording", "{}", .teach(.finish(keep: true))),
        ("finishRecording", #"{"keep":false}"#, .teach(.finish(keep: false))), ("motions", "{}", .teach(.list)),
        ("deleteMotion", #"{"name":"wave"}"#, .teach(.delete("wave"))),
        ("setZoom", #"{"factor":2}"#, .camera(.magnify(2))), ("setZoom", #"{"steps":-1}"#, .camera(.zoom(steps: -1))),
        ("setShutter", "{}", .camera(.shutter(nil))), ("setShutter", #"{"open":true}"#, .camera(.shutter(true))),
        ("flipCamera", "{}", .camera(.flip)), ("stop", "{}", .motion(.stop)),
        ("emergencyStop", "{}", .motion(.emergencyStop)), ("clearFault", "{}", .motion(.clear)),
        ("status", "{}", .status(why: false)), ("status", #"{"why":true}"#, .status(why: true)),
        ("latency", "{}", .latency), ("metrics", "{}", .metrics), ("trace", "{}", .trace),
        (
            "setLayer",
            #"{"name":"aim","items":[{"kind":"box","rect":[0.1,0.2,0.3,0.4],"text":"cup","colour":"red"},{"kind":"line","points":[[0,0],[1,1]]},{"kind":"point","points":[[0.5,0.5]],"mark":"+"}]}"#,
            .show(
                .layer(
                    "aim", .picture,
                    [
                        .box(Rect(x: 0.1, y: 0.2, width: 0.3, height: 0.4), text: "cup", colour: .red),
                        .line([0, 0, 0], [1, 1, 0]), .point([0.5, 0.5, 0], mark: "+"),
                    ], time: 1))
        ),
        (
            "setLayer",
            #"{"name":"room","space":"world","ttl":2,"items":[{"kind":"label","points":[[0,0.5,-2]],"text":"door"},{"kind":"path","points":[[0,0,-1],[1,0,-1],[1,0,-2]],"colour":"green"}]}"#,
            .show(
                .layer(
                    "room", .world,
                    [
                        .label("door", at: [0, 0.5, -2]),
                        .path([[0, 0, -1], [1, 0, -1], [1, 0, -2]], colour: .green),
                    ], time: 2))
        ),
        ("setLayer", #"{"name":"aim","items":[],"ttl":null}"#, .show(.layer("aim", .picture, [], time: 1))),
        (
            "setIndicator", #"{"name":"record","state":"on","text":"to /var/lib"}"#,
            .show(.indicator("record", .on, text: "to /var/lib"))
        ),
        ("setIndicator", #"{"name":"link","state":"off"}"#, .show(.indicator("link", .off, text: ""))),
        (
            "setExtension", #"{"name":"log","state":"fault","version":"1.0","text":"disk full","ttl":5}"#,
            .show(.report(ExtensionSamples.fault, time: 5))
        ),
        ("say", #"{"text":"hello"}"#, .show(.cue(.say("hello", .normal)))),
        ("say", #"{"text":"stop!","urgency":"high"}"#, .show(.cue(.say("stop!", .high)))),
        ("cue", #"{"name":"found"}"#, .show(.cue(.play("found")))),
        ("setDistances", #"{"distances":[]}"#, .show(.distances(DistanceReport(), time: 0.5))),
        (
            "setDistances", #"{"distances":[{"id":7,"distance":1.25,"error":0.02}],"nearest":0.8,"ttl":1}"#,
            .show(.distances(DistanceSamples.report, time: 1))
        ),
        (
            "say", #"{"text":"there","direction":{"pan":-1,"tilt":0.25}}"#,
            .show(.cue(.say("there", .normal, direction: PanTilt(pan: -1, tilt: 0.25))))
        ),
        (
            "cue", #"{"name":"found","direction":{"pan":-1,"tilt":0.25}}"#,
            .show(.cue(.play("found", direction: PanTilt(pan: -1, tilt: 0.25))))
        ),
        ("acquireControl", "{}", .acquireControl),
        ("releaseControl", "{}", .releaseControl),
    ]

    @Test(arguments: good)
    func `a correct call becomes its command`(method: String, params: String, command: Command) throws {
        #expect(try call(request(method, params))?.get() == .command(command))
    }

    @Test func `every expression is found by its name`() throws {
        for expression in Expression.all {
            let asked = call(request("setExpression", #"{"name":"\#(expression.name)"}"#))
            #expect(try asked?.get() == .command(.face(expression.name)))
        }
    }

    @Test func `a query is not a command`() throws {
        #expect(try call(request("command", #"{"line":"tap 0.4 0.6"}"#))?.get() == .words("tap 0.4 0.6"))
        let topics = #"{"topics":["motion","face","motion"]}"#
        #expect(try call(request("subscribe", topics))?.get() == .subscribe([.motion, .face]))
        let everyFrame = #"{"topics":["tracking"],"rate":"all"}"#
        #expect(try call(request("subscribe", everyFrame))?.get() == .subscribe([.tracking], everyFrame: true))
        #expect(try call(request("unsubscribe", topics))?.get() == .unsubscribe([.motion, .face]))
        #expect(try call(request("unsubscribe"))?.get() == .unsubscribe(nil))
    }

    @Test(arguments: bad)
    func `a wrong parameter is refused and named, and nothing is done`(
        method: String, params: String, says: String
    ) throws {
        guard case .failure(let error) = try #require(call(request(method, params))) else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == -32602 && error.name == "invalidParameter")
        #expect(error.message.contains(says) && error.message.hasPrefix(method), "\(error.message)")
        #expect(!error.hint.isEmpty)
    }

    @Test func `every method refuses unknown parameters, and every parameter values of a wrong type`() throws {
        for row in ControlMethods.rows {
            guard case .failure(let unknown) = try #require(call(request(row.name, #"{"bogus":1}"#))) else {
                Issue.record("\(row.name) took \"bogus\"")
                continue
            }
            #expect(unknown.code == -32602 && unknown.message.contains("bogus"))
            for parameter in row.parameters {
                let params = #"{"\#(parameter.name)":{"bogus":[]}}"#
                guard case .failure(let error) = try #require(call(request(row.name, params))) else {
                    Issue.record("\(row.name) took an object as \(parameter.name)")
                    continue
                }
                #expect(error.code == -32602)
            }
        }
    }

    @Test func `an unknown method names the nearest one`() throws {
        guard case .failure(let error) = try #require(call(request("setOrientaton"))) else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == -32601 && error.hint.contains("setOrientation"))
        guard case .failure(let far) = try #require(call(request("xyzzy"))) else {
            Issue.record("not refused")
            return
        }
        #expect(far.code == -32601 && !far.hint.contains("did you mean"))
    }

    @Test func `every code of the dock has its code here, and no code has two meanings`() {
        let named: [DockError.Code] = [
            .invalidParameter, .notConnected, .notSupportedByDevice, .noSubjectFound, .frameRateTooHigh,
            .frameRateTooLow, .notSupported, .busy, .limitReached, .timeout, .protocolError, .faulted,
        ]
        #expect(Set(named.map { APIErrorCode($0).number }).count == named.count)
        for code in named { #expect(APIErrorCode(code).rawValue == code.rawValue) }
        for code in [DockError.Code.cannotOpen, .permission, .portBusy, .configuration] {
            #expect(ControlError(DockError(code, "what", hint: "do")).name == "notConnected")
        }
        let json = ControlError(DockError(.noSubjectFound, "no face at that point", hint: "tap on a face")).json
        #expect(json["message"] == .string("noSubjectFound: no face at that point"))
        #expect(json["code"] == .number(-32003))
        #expect(json["data"] == .object(["name": .string("noSubjectFound"), "hint": .string("tap on a face")]))
    }
}
