import DockControl
import FaceTracker
import Geometry
import RobotFace
import Testing

@testable import Companion

@Suite struct CommandWordsTests {
    static let good: [(String, Command)] = [
        ("tap 0.4 0.6", .tap(Point(x: 0.4, y: 0.6))), ("0.4 0.6", .tap(Point(x: 0.4, y: 0.6))),
        ("  TAP  1 0 ", .tap(Point(x: 1, y: 0))), ("tap off", .select([])), ("select none", .select([])),
        ("select 3 5", .select([3, 5])), ("mode manual", .motion(.setMode(.manual))),
        ("framing auto", .motion(.setFraming(.automatic))), ("framing left", .motion(.setFraming(.left))),
        ("region 0.1 0.2 0.5 0.5", .motion(.setRegion(Rect(x: 0.1, y: 0.2, width: 0.5, height: 0.5)))),
        ("region off", .motion(.setRegion(.full))),
        ("up", .motion(.velocity(PanTilt(pan: 0, tilt: 0.2), duration: 0.25))),
        ("left 20", .motion(.velocity(PanTilt(pan: -Double.degrees(20), tilt: 0), duration: 0.25))),
        ("velocity -5 3", .motion(.velocity(.degrees(pan: -5, tilt: 3), duration: 0.5))),
        ("velocity 5 -3 for 2", .motion(.velocity(.degrees(pan: 5, tilt: -3), duration: 2))),
        ("orient -10 5 in 2 relative", .motion(.orient(.degrees(pan: -10, tilt: 5), duration: 2, relative: true))),
        ("orient 1 2", .motion(.orient(.degrees(pan: 1, tilt: 2), duration: 0, relative: false))),
        ("home", .motion(.home)), ("animate no", .animate("no")),
        ("animate kapow", .animate("kapow")),
        ("stop", .motion(.stop)), ("estop", .motion(.emergencyStop)), ("clear", .motion(.clear)),
        ("torque off", .motion(.torque(false))), ("speed 50", .motion(.setSpeed(0.5))),
        ("face next", .nextFace), ("face random on", .randomFaces(true)), ("status", .status(why: false)),
        ("status --why", .status(why: true)), ("help", .help), ("quit", .quit),
    ]

    @Test(arguments: good)
    func `a correct line is understood`(line: String, command: Command) throws {
        #expect(try CommandWords.parse(line) == command)
    }

    static let bad: [(String, String)] = [
        ("taap 0.4 0.6", "tap"), ("mode sytem", "system"), ("face", "happy"), ("animate", "animation"),
        ("tap 2 0.5", "between 0 and 1"), ("tap 0.5", "Y is missing"), ("velocity fast 3", "PAN is not a number"),
        ("velocity nan 3", "PAN is not a number"), ("velocity 1e300 3", "PAN is not a number"),
        ("velocity 5 3 for 0", "above 0"), ("orient 5", "TILT is missing"), ("home now", "unexpected argument"),
        ("select x", "not a whole number"), ("tap 100px 50px", "image size is not known"), ("", "help"),
    ]

    @Test(arguments: bad)
    func `a wrong line is refused, and the error says what to type`(line: String, expected: String) {
        do {
            let command = try CommandWords.parse(line)
            Issue.record("understood as \(command)")
        } catch {
            #expect("\(error.message) \(error.hint)".contains(expected))
            #expect(!error.hint.isEmpty)
        }
    }

    @Test func `pixels are scaled by the frame size`() throws {
        let size = PictureSize(width: 640, height: 480)
        #expect(try CommandWords.parse("tap 320px 120px", pictureSize: size) == .tap(Point(x: 0.5, y: 0.25)))
        #expect(throws: CommandError.self) { try CommandWords.parse("tap 641px 0px", pictureSize: size) }
    }

    @Test func `the session resolves the name of a face, which may be a custom one`() throws {
        #expect(try CommandWords.parse("face Joy") == .face("Joy"))
        #expect(try CommandWords.parse("face 12") == .face("12"))
        #expect(throws: CommandError.self) { try CommandWords.parse("face") }
    }

    @Test func `garbage of any kind never traps`() {
        var state: UInt64 = 9
        for _ in 0..<3000 {
            var line = ""
            for _ in 0..<20 {
                state = state &* 6_364_136_223_846_793_005 &+ 1
                line.unicodeScalars.append(Unicode.Scalar(UInt32(state >> 40) % 0x2FF) ?? " ")
            }
            _ = try? CommandWords.parse(line)
        }
    }

    @Test func `help has a line for every command`() {
        #expect(CommandWords.help.count == CommandWords.rows.count)
    }
}
