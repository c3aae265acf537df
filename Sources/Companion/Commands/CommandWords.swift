internal import ControlProtocol
internal import DockControl
internal import DockTypes
public import FaceTracker
internal import Files
internal import Geometry
internal import RobotFace

/// The command words: one table for standard input, for verbs from another shell, and for `help`.
public enum CommandWords {
    /// A row of the table: the words, their effect, and how to read them.
    struct Row: Sendable {
        let names: [String]
        let usage: String
        let does: String
        let read: @Sendable (inout WordReader) throws(CommandError) -> Command
    }

    /// Reads one line. The image size (pixels) is needed for taps in pixels, and is nil if unknown.
    /// - Throws: `CommandError` with what to type instead.
    public static func parse(_ line: String, pictureSize: PictureSize? = nil) throws(CommandError) -> Command {
        var words = WordReader(line, pictureSize: pictureSize)
        guard let first = words.next() else { throw CommandError(message: "no command given", hint: "type `help`") }
        // Two bare numbers are a tap.
        if first.first.map({ $0.isNumber || $0 == "-" || $0 == "." }) == true {
            words = WordReader("tap " + line, pictureSize: pictureSize)
            _ = words.next()
            return try finish(row("tap"), &words)
        }
        if first.hasPrefix("#") {
            throw CommandError(
                message: "\"\(first.prefix(40))\" is not a tag",
                hint: "a tag is # and up to \(WordTag.longest) letters, digits, dots, dashes or underscores")
        }
        guard let row = rows.first(where: { $0.names.contains(first.lowercased()) }) else {
            let near = Spelling.nearest(to: first.lowercased(), among: rows.flatMap(\.names))
            throw CommandError(
                message: "unknown command \"\(first.prefix(40))\"",
                hint: near.map { "did you mean `\($0)`?" } ?? "type `help`")
        }
        return try finish(row, &words)
    }

    /// Returns the stop or emergency stop that a line requests, or nil if it requests something else.
    static func stop(in line: String) -> Command? {
        // This quick check comes first, because most lines are not stops.
        let words = WordTag.words(of: line)
        guard let word = words.split(maxSplits: 1, whereSeparator: \.isWhitespace).first, word.utf8.count < 8,
            ["stop", "estop"].contains(word.lowercased()), let command = try? parse(String(words)),
            command.kind == .stop
        else { return nil }
        return command
    }

    /// All words with their effects, for `help`.
    public static var help: [String] {
        let width = (rows.map(\.usage.count).max() ?? 0) + 2
        return rows.map { $0.usage + String(repeating: " ", count: width - $0.usage.count) + $0.does }
    }

    /// Returns the usage of a word, or nil if there is no such word.
    static func usage(of name: String) -> String? { row(name.lowercased())?.usage }

    /// Returns the words that begin with these letters, in alphabetical order.
    static func names(beginningWith letters: String) -> [String] {
        rows.flatMap(\.names).filter { $0.hasPrefix(letters) }.sorted()
    }

    private static func finish(_ row: Row?, _ words: inout WordReader) throws(CommandError) -> Command {
        guard let row else { throw CommandError(message: "no command given", hint: "type `help`") }
        let command: Command
        do {
            command = try row.read(&words)
        } catch {
            throw CommandError(message: error.message, hint: error.hint.isEmpty ? "type: \(row.usage)" : error.hint)
        }
        if let extra = words.next() {
            throw CommandError(message: "unexpected argument \"\(extra.prefix(40))\"", hint: "type: \(row.usage)")
        }
        return command
    }

    private static func row(_ name: String) -> Row? { rows.first { $0.names.contains(name) } }

    /// The speed and duration of a chevron: 0.2 rad/s for 0.25 s, as in DockKit's sample.
    static let chevronSpeed = 0.2, chevronTime = 0.25
    /// The duration of a velocity without `for`, in seconds.
    static let velocityTime = 0.5
    /// The longest time for `for` and `in`, in seconds.
    static let longestTime = 60.0

    static let rows: [Row] = [
        Row(names: ["tap"], usage: "tap X Y | tap off", does: "follow the face at that point (0...1, or 412px 300px)") {
            words throws(CommandError) in
            if words.skip("off") { return .select([]) }
            return .tap(Point(x: try words.coordinate("X", .horizontal), y: try words.coordinate("Y", .vertical)))
        },
        Row(names: ["select"], usage: "select ID... | select none", does: "follow these subjects; none = automatic") {
            words throws(CommandError) in
            if words.skip("none") { return .select([]) }
            var ids = [try words.integer("ID")]
            while words.hasMore, ids.count < 16 { ids.append(try words.integer("ID")) }
            return .select(ids)
        },
        Row(
            names: ["expect"], usage: "expect PAN TILT [for S]",
            does: "look there (degrees) for 1 s or S while no person is in view"
        ) {
            words throws(CommandError) in
            let direction = PanTilt.degrees(pan: try words.number("PAN"), tilt: try words.number("TILT"))
            let time = words.skip("for") ? try words.positive("S", upTo: Expectation.longest) : Expectation.usual
            return .motion(.expect(direction, duration: time))
        },
        Row(names: ["mode"], usage: "mode system|custom|manual", does: "what steers: the detector, a program, nothing")
        {
            words throws(CommandError) in
            .motion(.setMode(try words.choice("mode", TrackingMode.allCases)))
        },
        Row(
            names: ["framing"], usage: "framing auto|center|left|right", does: "where in the frame the face is placed"
        ) {
            words throws(CommandError) in
            if words.skip("automatic") { return .motion(.setFraming(.automatic)) }
            return .motion(.setFraming(try words.choice("framing mode", FramingMode.allCases)))
        },
        Row(names: ["region"], usage: "region X Y W H | region off", does: "the part of the frame that counts") {
            words throws(CommandError) in
            if words.skip("off") { return .motion(.setRegion(.full)) }
            return .motion(
                .setRegion(
                    Rect(
                        x: try words.number("X"), y: try words.number("Y"), width: try words.number("W"),
                        height: try words.number("H"))))
        },
        chevron("up", PanTilt(pan: 0, tilt: 1)), chevron("down", PanTilt(pan: 0, tilt: -1)),
        chevron("left", PanTilt(pan: -1, tilt: 0)), chevron("right", PanTilt(pan: 1, tilt: 0)),
        Row(
            names: ["velocity"], usage: "velocity PAN TILT [for S]",
            does: "turn, degrees per second; ends after 0.5 s or S"
        ) {
            words throws(CommandError) in
            let velocity = PanTilt.degrees(pan: try words.number("PAN"), tilt: try words.number("TILT"))
            let time = words.skip("for") ? try words.positive("S", upTo: longestTime) : velocityTime
            return .motion(.velocity(velocity, duration: time))
        },
        Row(names: ["orient"], usage: "orient PAN TILT [in S] [relative]", does: "go to these degrees, in S seconds") {
            words throws(CommandError) in
            let goal = PanTilt.degrees(pan: try words.number("PAN"), tilt: try words.number("TILT"))
            var relative = words.skip("relative")
            let time = words.skip("in") ? try words.positive("S", upTo: longestTime) : 0
            if !relative { relative = words.skip("relative") }
            return .motion(.orient(goal, duration: time, relative: relative))
        },
        Row(names: ["home"], usage: "home", does: "go to the home pose") { words throws(CommandError) in .motion(.home)
        },
        Row(names: ["speed"], usage: "speed PERCENT", does: "speed of manual motion, 1...100") {
            words throws(CommandError) in
            .motion(.setSpeed(try words.positive("PERCENT", upTo: 100) / 100))
        },
        Row(
            names: ["animate"], usage: "animate yes|nope|wakeup|kapow|NAME",
            does: "nod, shake, wake up, be knocked back, or a taught motion"
        ) {
            words throws(CommandError) in .animate(try words.name("animation"))
        },
        Row(names: ["preset"], usage: "preset save|go|delete NAME | preset list", does: "named poses") {
            words throws(CommandError) in
            if words.skip("list") { return .preset(.list) }
            if words.skip("save") { return .preset(.save(try words.name("NAME"))) }
            if words.skip("go") { return .preset(.go(try words.name("NAME"))) }
            if words.skip("delete") { return .preset(.delete(try words.name("NAME"))) }
            throw CommandError(message: "save, go, delete or list?", hint: "")
        },
        Row(
            names: ["motion"], usage: "motion record|delete NAME | motion finish|discard|list",
            does: "teach a motion by hand (torque off), for `animate NAME`"
        ) {
            words throws(CommandError) in
            if words.skip("list") { return .teach(.list) }
            if words.skip("finish") || words.skip("save") || words.skip("end") { return .teach(.finish(keep: true)) }
            if words.skip("discard") { return .teach(.finish(keep: false)) }
            if words.skip("record") { return .teach(.record(try words.name("NAME"))) }
            if words.skip("delete") { return .teach(.delete(try words.name("NAME"))) }
            throw CommandError(message: "record, finish, discard, delete or list?", hint: "")
        },
        Row(
            names: ["limits"], usage: "limits pan|tilt MIN MAX [SPEED] | limits reset",
            does: "how far and how fast, degrees, until the end of this run"
        ) {
            words throws(CommandError) in
            if words.skip("reset") { return .motion(.setLimits(pan: .own, tilt: .own)) }
            let axis = try words.choice("axis", Axis.allCases)
            let low = Double.degrees(try words.number("MIN")), high = Double.degrees(try words.number("MAX"))
            let speed = words.hasMore ? Double.degrees(try words.positive("SPEED", upTo: 10_000)) : nil
            let change = LimitChange.set(low: low, high: high, speed: speed)
            return .motion(.setLimits(pan: axis == .pan ? change : .keep, tilt: axis == .tilt ? change : .keep))
        },
        Row(names: ["zoom"], usage: "zoom in|out|X", does: "the camera's magnification, if it has a zoom") {
            words throws(CommandError) in
            if words.skip("in") { return .camera(.zoom(steps: 1)) }
            if words.skip("out") { return .camera(.zoom(steps: -1)) }
            return .camera(.magnify(try words.positive("X", upTo: 100)))
        },
        Row(names: ["shutter"], usage: "shutter [on|off]", does: "start or end the camera's recording") {
            words throws(CommandError) in
            if words.skip("on") { return .camera(.shutter(true)) }
            return .camera(.shutter(words.skip("off") ? false : nil))
        },
        Row(names: ["flip"], usage: "flip", does: "the next camera") { words throws(CommandError) in .camera(.flip) },
        Row(
            names: ["face"], usage: "face NAME|next|auto|random [on|off]",
            does: "one of the 21 expressions, or one of your own"
        ) {
            words throws(CommandError) in
            if words.skip("next") { return .nextFace }
            if words.skip("auto") { return .automaticFace }
            if words.skip("random") {
                if words.skip("on") { return .randomFaces(true) }
                return .randomFaces(words.skip("off") ? false : nil)
            }
            guard let name = words.next() else {
                throw CommandError(
                    message: "which face?", hint: "one of: " + Expression.all.map(\.name).joined(separator: " "))
            }
            return .face(name)
        },
        Row(names: ["gestures"], usage: "gestures on|off", does: "the head moves a little with expressions") {
            words throws(CommandError) in .gestures(try words.onOrOff())
        },
        Row(names: ["stop"], usage: "stop", does: "stop now, hold, mode manual") { words throws(CommandError) in
            .motion(.stop)
        },
        Row(names: ["estop"], usage: "estop", does: "emergency stop, latched until `clear`") {
            words throws(CommandError) in .motion(.emergencyStop)
        },
        Row(names: ["clear"], usage: "clear", does: "clear a latched stop or fault") { words throws(CommandError) in
            .motion(.clear)
        },
        Row(names: ["release"], usage: "release", does: "after a stop: give the dock back to programs") {
            words throws(CommandError) in .giveBack
        },
        Row(names: ["torque"], usage: "torque on|off", does: "off: the head can be turned by hand") {
            words throws(CommandError) in .motion(.torque(try words.onOrOff()))
        },
        Row(names: ["source"], usage: "source [NAME]", does: "which detector steers; the others are on standby") {
            words throws(CommandError) in .source(words.next())
        },
        Row(names: ["status"], usage: "status [--why]", does: "the state; with --why, why the dock does what it does") {
            words throws(CommandError) in .status(why: words.skip("--why"))
        },
        Row(
            names: ["watch"], usage: "watch [TOPIC...] | watch off",
            does: "report events: accessory motion tracking battery events face log"
        ) {
            words throws(CommandError) in
            if words.skip("off") { return .watch(nil) }
            var topics: [Topic] = []
            while words.hasMore { topics.append(try words.choice("topic", Topic.allCases)) }
            return .watch(topics.isEmpty ? Topic.allCases.filter { !$0.isBulk } : topics)
        },
        Row(names: ["help", "?"], usage: "help | ?", does: "list these words") { words throws(CommandError) in .help },
        Row(names: ["quit", "exit"], usage: "quit | exit", does: "stop the dock and quit") {
            words throws(CommandError) in
            .quit
        },
    ]

    private static func chevron(_ name: String, _ direction: PanTilt) -> Row {
        Row(names: [name], usage: "\(name) [DEG_PER_S]", does: "turn \(name) for 0.25 s (11.5 deg/s)") {
            words throws(CommandError) in
            let speed = words.hasMore ? Double.degrees(try words.positive("DEG_PER_S", upTo: 360)) : chevronSpeed
            return .motion(.velocity(direction * speed, duration: chevronTime))
        }
    }
}
