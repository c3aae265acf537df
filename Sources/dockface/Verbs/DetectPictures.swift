import Camera
import Files
import FaceTracker
import Geometry
import PlainText
import Processes
import RobotFace

/// The terminal of `dockface detect`: a picture, and a line below it.
struct PictureTerminal {
    private let screen: PictureScreen
    private var encoder: FrameEncoder
    private let depth: ColourDepth
    /// Whether a picture has been shown.
    private(set) var hasPicture = false

    /// Takes over the terminal.
    /// - Throws: `TerminalError` if there is no terminal to take over.
    init() throws {
        screen = try PictureScreen()
        var guess = TerminalGuess.ofProcess()
        guess.askTmux()
        depth = ProcessEnvironment.value("NO_COLOR") != nil ? .mono : guess.depth
        encoder = FrameEncoder(depth: depth == .trueColour ? .trueColour : .palette256, tolerance: 0)
    }

    var keys: Int32 { screen.keys }

    func begin() -> Bool { screen.begin() }

    func end() { screen.end() }

    func readsEnd() -> Bool { screen.readsEnd() }

    /// The room for the picture.
    var room: PictureRoom {
        let size = screen.size
        return PictureRoom(columns: size.columns, rows: size.rows - 1)
    }

    /// Shows a picture with boxes and shapes. Returns false if the terminal is gone.
    mutating func draw(
        _ picture: SmallPicture, _ faces: [Rect] = [], _ shapes: [OverlayShape] = [], line: String
    ) -> Bool {
        let room = room
        let grid = PictureGrid.draw(picture, faces, shapes, in: room, depth: depth)
        let line = (ForeignText.line(line) + "  (q quits)").prefix(max(0, room.columns - 1))
        hasPicture = true
        return screen.draw { bytes in
            encoder.encode(grid, into: &bytes)
            bytes += Array("\u{1b}[\(room.rows + 1);1H\u{1b}[0m\(line)\u{1b}[K".utf8)
        }
    }

    /// Says in the first row why no picture arrives, unless the pause is short. Returns false if the terminal is gone.
    @discardableResult
    mutating func waits(_ pause: DetectPause) -> Bool {
        // A short pause is not worth a message, but a missing camera is.
        guard !hasPicture || !pause.isCameraRunning else { return true }
        let text =
            pause.problem ?? (hasPicture ? "the camera delivers no frames" : "waiting for the first frame (q quits)")
        // The next picture must cover this text.
        encoder.invalidate()
        return screen.draw { $0 += Array("\u{1b}[1;1H\u{1b}[0m\(ForeignText.line(text, longest: 200))\u{1b}[K".utf8) }
    }
}

/// The output for people: a small image with a box around each face, until q.
struct PictureShow: DetectShow {
    private let tap: FrameTap
    private var terminal: PictureTerminal
    private var frame: CameraFrame?

    /// Takes over the terminal.
    /// - Throws: `TerminalError` if there is no terminal to take over.
    init(tap: FrameTap) throws {
        self.tap = tap
        terminal = try PictureTerminal()
    }

    var keys: Int32 { terminal.keys }

    func begin() -> Bool { terminal.begin() }

    func finish() { terminal.end() }

    func readsEnd() -> Bool { terminal.readsEnd() }

    mutating func waits(_ pause: DetectPause) { terminal.waits(pause) }

    mutating func show(_ event: DetectEvent) -> Bool {
        guard case .frame(let found, let others) = event else { return true }
        if let new = tap.take() { frame = new }
        guard let frame else { return true }
        let picture = SmallPicture(frame.bytes, width: frame.width, height: frame.height, for: terminal.room)
        return terminal.draw(picture, found.detections.map(\.rect), line: TextShow.line(found, others))
    }
}
