import Geometry

/// The source of detections, as `--detector` names it.
public enum DetectionSource: Sendable, Equatable {
    /// `none`: no detector; only commands steer.
    case none
    /// `stdin`, or `-`: the daemon's standard input, shared with command words.
    case standardInput
    /// `unix:PATH`: a socket to which a detector connects.
    case socket(path: String)
    /// `exec:COMMAND`: a child process that writes detections to its standard output.
    case child(command: String)
    /// A name: one of our detectors, which processes the frames of `--camera`.
    case named(String)
    /// `file:PATH[,loop=once|again|pingpong][,speed=X]`: a recording, passed on unchanged.
    case file(path: String, loop: ReplayPacer.Loop, speed: Double)
    /// `scene:PATH[,hfov=DEG][,loop=once|again|pingpong]`: a recording seen by a simulated camera. The angle is in
    /// radians.
    case scene(path: String, hfov: Double, loop: ReplayPacer.Loop)
    /// `room:NAME` or `room:PATH`: a recorded room all round, seen by a simulated camera.
    case room(name: String)

    /// The reason why a text names no source, and what to write instead.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// What happened and what to do.
        public let description: String
    }

    /// Parses the text of `--detector`. Throws `Failure` if it is not valid.
    public init(_ text: String) throws(Failure) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let head = parts.first ?? ""
        if head == "stdin" || head == "-" || head == "none" {
            guard parts.count == 1 else { throw Failure(description: "\(text): \(head) takes no options") }
            self = head == "none" ? .none : .standardInput
            return
        }
        guard let colon = text.firstIndex(of: ":") else {
            guard Self.names.contains(text) else { throw Self.unknown(text) }
            self = .named(text)
            return
        }
        let rest = String(text[text.index(after: colon)...])
        let path = String(head.dropFirst(text.distance(from: text.startIndex, to: colon) + 1))
        guard !rest.isEmpty, !path.isEmpty else { throw Self.unknown(text) }
        switch text[..<colon] {
        case "unix": self = .socket(path: rest)
        case "exec": self = .child(command: rest)
        case "room": self = .room(name: rest)
        case "file":
            let options = try Options(parts.dropFirst(), known: ["loop", "speed"], of: text)
            self = .file(path: path, loop: options.loop, speed: options.speed)
        case "scene":
            let options = try Options(parts.dropFirst(), known: ["loop", "hfov"], of: text)
            self = .scene(path: path, hfov: .degrees(options.hfov), loop: options.loop)
        default: throw Self.unknown(text)
        }
    }

    /// Whether it excludes other sources, because its detections do not come from our camera.
    public var bringsPictures: Bool {
        switch self {
        case .none, .standardInput, .file, .scene, .room: true
        case .socket, .child, .named: false
        }
    }

    /// The names of our detectors.
    public static let names = ["blazeface", "blazeface-short", "blazepose", "hands", "things", "yunet"]

    private static func unknown(_ text: String) -> Failure {
        Failure(
            description:
                "\(text): unknown detector; use stdin, exec:COMMAND, unix:PATH, file:PATH, scene:PATH, room:NAME or none, or with a --camera \(names.joined(separator: ", "))"
        )
    }
}

/// The options after a path: `,loop=pingpong,hfov=100`.
private struct Options {
    var loop = ReplayPacer.Loop.once
    var speed = 1.0
    var hfov = 100.0

    init(_ parts: ArraySlice<String>, known: [String], of text: String) throws(DetectionSource.Failure) {
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2, known.contains(pair[0]) else {
                throw .init(description: "\(text): unknown option \(part); known are \(known.joined(separator: ", "))")
            }
            switch pair[0] {
            case "loop":
                guard let value = ReplayPacer.Loop(rawValue: pair[1]) else {
                    throw .init(description: "\(text): loop must be once, again or pingpong")
                }
                loop = value
            case "speed":
                guard let value = Double(pair[1]), value > 0, value <= 100 else {
                    throw .init(description: "\(text): speed must be above 0 and at most 100")
                }
                speed = value
            default:
                guard let value = Double(pair[1]), value > 0, value < 180 else {
                    throw .init(description: "\(text): hfov must be above 0 and below 180 degrees")
                }
                hfov = value
            }
        }
    }
}
