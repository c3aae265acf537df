import ArgumentParser

/// The table of words, one row each, with their places in the help. All of them are `WordVerb`s.
enum Words {
    /// The rows in the order in which the help lists them.
    private static let rows: [any WordRow.Type] = [
        Tap.self, Select.self, Mode.self, Framing.self, Region.self, Expect.self, Source.self, Up.self, Down.self,
        Left.self, Right.self, Velocity.self, Orient.self, Home.self, Preset.self, Animate.self, Motion.self,
        Speed.self, Limits.self, Torque.self, Gestures.self, Zoom.self, Shutter.self, Flip.self, Stop.self,
        EmergencyStop.self, Clear.self, Release.self, Quit.self, Send.self,
    ]

    /// The verbs.
    static let verbs = rows.map { verb($0) }
    private static func verb<Row: WordRow>(_ row: Row.Type) -> any ParsableCommand.Type { WordVerb<Row>.self }

    private static let words = rows.map { $0.word }
    /// The words that are verbs here.
    static let known = Set(words.filter { !$0.prefix.isEmpty }.map(\.name))
    /// The words that begin a motion for whose end the verb waits.
    static let moving = Set(words.filter(\.moves).map(\.name))

    // MARK: whom it looks at

    enum Tap: WordRow {
        static let word = Word(
            "tap", ["X Y", "off"], "Follow the face at this point of the frame.",
            examples: ["tap 0.5 0.45", "tap 412px 300px", "tap off"])
    }
    enum Select: WordRow {
        static let word = Word(
            "select", ["ID...", "none"], "Follow these subjects; the word `none` returns to the automatic choice.",
            examples: ["select 3", "select 3 5", "select none"])
    }
    enum Mode: WordRow {
        static let word = Word(
            "mode", ["system|custom|manual"], "Set who steers: the detector, a program, or only the user.",
            examples: ["mode system", "mode manual"])
    }
    enum Framing: WordRow {
        static let word = Word(
            "framing", ["auto|center|left|right"], "Place the face in this part of the frame.",
            examples: ["framing left"])
    }
    enum Region: WordRow {
        static let word = Word(
            "region", ["X Y W H", "off"], "Track faces only in this part of the frame.",
            examples: ["region 0.1 0.1 0.8 0.8", "region off"])
    }

    enum Expect: WordRow {
        static let word = Word(
            "expect", ["PAN TILT [for S]"], "Look in this direction, in degrees, while no person is in the frames.",
            examples: ["expect 60 0", "expect -40 10 for 2"])
    }
    enum Source: WordRow {
        static let word = Word(
            "source", ["[NAME]"], "Show or select the detector that steers; the others are on standby.",
            examples: ["source", "source blazeface"])
    }

    // MARK: motion by hand

    enum Up: WordRow { static let word = chevron("up") }
    enum Down: WordRow { static let word = chevron("down") }
    enum Left: WordRow { static let word = chevron("left") }
    enum Right: WordRow { static let word = chevron("right") }
    private static func chevron(_ name: String) -> Word {
        Word(name, ["[DEG_PER_S]"], "Turn \(name) for a quarter of a second.", examples: [name, "\(name) 30"])
    }
    enum Velocity: WordRow {
        static let word = Word(
            "velocity", ["PAN TILT [for S]"], "Turn at this speed, degrees per second, for 0.5 s or S seconds.",
            examples: ["velocity 10 0", "velocity -10 5 for 2"])
    }
    enum Orient: WordRow {
        static let word = Word(
            "orient", ["PAN TILT [in S] [relative]"], "Go to this pose, degrees, in S seconds.",
            examples: ["orient 20 10", "orient -10 5 in 2", "orient -5 0 relative"], moves: true)
    }
    enum Home: WordRow { static let word = Word("home", [], "Go to the home pose.", examples: ["home"], moves: true) }
    enum Preset: WordRow {
        static let word = Word(
            "preset", ["save|go|delete NAME", "list"], "Store poses by name, and go to them.",
            examples: ["preset save door", "preset go door", "preset list"], moves: true)
    }
    enum Animate: WordRow {
        static let word = Word(
            "animate", ["yes|nope|wakeup|kapow|NAME"], "Nod, shake, wake up, recoil, or play a taught motion.",
            examples: ["animate yes", "animate wave --no-wait"], moves: true)
    }
    enum Motion: WordRow {
        static let word = Word(
            "motion", ["record NAME", "finish|discard", "list", "delete NAME"],
            "Teach a motion: torque off, move the head by hand, finish.",
            examples: ["motion record wave", "motion finish", "animate wave"])
    }

    // MARK: settings

    enum Speed: WordRow {
        static let word = Word(
            "speed", ["PERCENT"], "Set the speed of manual motion, 1 to 100 percent.", examples: ["speed 30"])
    }
    enum Limits: WordRow {
        static let word = Word(
            "limits", ["pan|tilt MIN MAX [SPEED]", "reset"], "Set narrower limits for this run, degrees.",
            examples: ["limits pan -40 40", "limits tilt -10 30 20", "limits reset"])
    }
    enum Torque: WordRow {
        static let word = Word(
            "torque", ["on|off"], "Switch the torque; when off, the head can be turned by hand.",
            examples: ["torque off"])
    }
    enum Gestures: WordRow {
        static let word = Word(
            "gestures", ["on|off"], "Switch small head motions with the expressions.", examples: ["gestures on"])
    }
    enum Zoom: WordRow {
        static let word = Word(
            "zoom", ["in|out|X"], "Zoom the camera.", examples: ["zoom in", "zoom 2.5"])
    }
    enum Shutter: WordRow {
        static let word = Word(
            "shutter", ["[on|off]"], "Start or end the camera's recording.", examples: ["shutter", "shutter off"])
    }
    enum Flip: WordRow { static let word = Word("flip", [], "Change to the next camera.", examples: ["flip"]) }

    // MARK: stopping

    enum Stop: WordRow {
        static let word = Word("stop", [], "Stop now, hold, and set mode manual.", examples: ["stop"])
    }
    enum EmergencyStop: WordRow {
        static let word = Word(
            "estop", [], "Emergency stop; nothing moves until `clear`.", examples: ["estop", "clear"])
    }
    enum Clear: WordRow {
        static let word = Word(
            "clear", [], "Clear an emergency stop, or a fault whose cause is gone.", examples: ["clear"])
    }
    enum Release: WordRow {
        static let word = Word(
            "release", [], "Give the dock back to programs after a stop.", examples: ["release"])
    }
    enum Quit: WordRow {
        static let word = Word(
            "quit", [], "Stop the dock, end the daemon, and wait until it has ended.", examples: ["quit"])
    }
    enum Send: WordRow {
        static let word = Word(
            "send", ["WORDS..."], "Send any command words, as typed to the daemon.",
            examples: ["send orient -10 5 in 2"],
            prefix: [])
    }
}
