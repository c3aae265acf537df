import ControlProtocol
import CPosix
import DockClient
import DockTypes
import FaceTracker
import Geometry
import Glibc
import PictureShare

/// The output for people beside a daemon: its pictures, with the rectangles of its detector and the layers of other
/// programs, until q.
final class DetectBesideShow: DetectShow {
    private var terminal: PictureTerminal
    private var view: DetectBesideView
    private var pictures: Pictures?
    /// The number of the last picture that was read.
    private var number = 0
    /// What the line says below a picture without an answer.
    var silence = ""

    /// Prepares the terminal, and changes nothing.
    /// - Throws: `TerminalError` if there is no terminal to take over.
    /// - Parameter stand: the geometry of the daemon's head, or nil if it is unknown.
    init(stand: StandReading?) throws {
        terminal = try PictureTerminal()
        view = DetectBesideView(stand: stand, now: cposix_monotonic_now())
    }

    // MARK: terminal

    var keys: Int32 { terminal.keys }

    func begin() -> Bool { terminal.begin() }

    func finish() { terminal.end() }

    func readsEnd() -> Bool { terminal.readsEnd() }

    func waits(_ pause: DetectPause) { terminal.waits(pause) }

    // MARK: pictures

    /// Whether pictures are open, so that more can come.
    var isOpen: Bool { pictures.map { !$0.reader.hasEnded } ?? false }

    /// The descriptor for `poll`. It is readable when a picture has come, and -1 if no pictures are open.
    var bell: Int32 { isOpen ? pictures?.descriptor ?? -1 : -1 }

    /// Whether the last picture was shown without an answer.
    var isWithoutAnswer: Bool { view.isWithoutAnswer }

    /// When the newest picture came, CLOCK_MONOTONIC; at first, when the wait for it began.
    var arrival: Seconds { view.arrival }

    /// Opens the daemon's pictures.
    /// - Throws: the daemon's refusal.
    func open(_ client: ControlClient) throws(DockError) {
        pictures = nil
        pictures = try client.openPictures(format: .rgb24)
        view.forget()
        number = 0
    }

    /// Reads all pictures that have come, in order, and scales them down.
    func readPictures() {
        guard let pictures, pictures.reader.layout.format == .rgb24 else { return }
        // Taken before the look at the pictures, so that none is missed.
        var count: UInt64 = 0
        _ = read(pictures.descriptor, &count, 8)
        let reader = pictures.reader, layout = reader.layout, room = terminal.room
        // Of a share, no more pictures than it has slots can be new.
        for _ in 0..<layout.slots {
            guard let next = reader.next(after: number) else { return }
            number = next.number
            let small = reader.read(next) { pixels in
                SmallPicture(pixels, width: layout.width, height: layout.height, for: room)
            }
            if let small { view.keep(small, next.facts, now: cposix_monotonic_now()) }
        }
    }

    // MARK: topics

    /// Records what programs draw.
    func receive(_ layers: LayersReading) { view.receive(layers) }

    /// Records the lens of a frame.
    func receive(_ tracking: TrackingReading) { view.receive(tracking) }

    /// Shows the picture of an answer. Returns false if the terminal is gone.
    func show(_ event: DetectEvent) -> Bool {
        guard case .frame(let found, let others) = event else { return true }
        guard let scene = view.scene(of: found, now: cposix_monotonic_now()) else { return true }
        return terminal.draw(scene.picture, scene.faces, scene.shapes, line: TextShow.line(found, others))
    }

    /// Shows the newest picture if the detector has not answered for a while. Returns false if the terminal is gone.
    func showWithoutAnswer() -> Bool {
        guard let scene = view.sceneWithoutAnswer(now: cposix_monotonic_now()) else { return true }
        return terminal.draw(scene.picture, [], scene.shapes, line: silence)
    }
}
