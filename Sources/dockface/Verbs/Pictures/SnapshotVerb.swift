import ArgumentParser
import CPosix
import ControlProtocol
import DockClient
import DockTypes
import Files
import Geometry
import Glibc
import PictureShare

/// `dockface snapshot`: stores one picture of the running daemon's camera.
struct SnapshotVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Store a picture of what the running daemon's camera sees.",
        usage: "dockface snapshot [--out FILE.png|FILE.jpg] [--faces] [--json] [--socket PATH]",
        discussion: """
            One picture is stored on this machine, and nothing is sent. While the program reads pictures, the robot's screen says \
            "seen by 1".

            For example:
              dockface snapshot
              dockface snapshot --out visitor.png --faces
            """)

    @Option(
        help: ArgumentHelp(
            "The file; its ending selects the format. Default: snapshot-DATE-TIME.jpg in this folder.",
            valueName: "file.png|file.jpg"))
    var out: String?

    @Flag(help: "Draw a box around each person that the daemon sees.")
    var faces = false

    @OptionGroup var remote: RemoteOptions

    /// How long to wait for a picture, and for one whose faces are known, in seconds.
    private static let patience = (picture: Seconds(5), faces: Seconds(2))

    func run() throws {
        let report = Report(isJSON: remote.json)
        let path = out ?? Self.usualName()
        guard let format = PictureFile(path) else {
            throw report.misuse("the picture's format is unknown: \(path)", hint: "end the name with .png or .jpg")
        }
        do {
            let client = try ControlClient(path: remote.socket)
            client.interrupt = cposix_signal_descriptor(false)
            guard let taken = try picture(client) else { throw ExitCode(130) }
            var canvas = taken.canvas
            for rect in taken.faces { canvas.draw(rect) }
            // Only its owner can read a new file: people are in it.
            try OutputFile.replace(path, with: format.encoded(canvas), mode: 0o600)
            report.success(Self.json(path, canvas, taken)) { _ in
                "\(path): \(canvas.width)x\(canvas.height)"
                    + (faces ? ", \(taken.faces.count) \(taken.faces.count == 1 ? "person" : "people")" : "")
            }
        } catch let error as DockError {
            throw report.failure(error)
        }
    }

    private struct Taken {
        var canvas: PictureCanvas
        var facts: PictureFacts
        var faces: [Rect]
    }

    /// Takes a picture. Returns nil after Ctrl-C.
    private func picture(_ client: ControlClient) throws(DockError) -> Taken? {
        let pictures = try client.openPictures(format: .rgb24)
        pictures.interrupt = client.interrupt
        if faces {
            if let taken = try pictureWithFaces(client, pictures) { return taken }
            if !isInterrupted(client) { warn("the daemon finds no people in its pictures, so there are no boxes") }
        }
        let deadline = cposix_monotonic_now() + Self.patience.picture
        // The newest picture may be overwritten while it is copied, if this process was suspended.
        while let shown = try pictures.next(timeout: max(0, deadline - cposix_monotonic_now())) {
            guard let pixels = pictures.reader.copy(shown) else { continue }
            return Taken(canvas: PictureCanvas(pixels, of: pictures.reader.layout), facts: shown.facts, faces: [])
        }
        if isInterrupted(client) { return nil }
        throw DockError(
            .timeout, "the camera delivered no picture in \(Int(Self.patience.picture)) s",
            hint: "see `dockface doctor`")
    }

    /// Takes the picture in which the daemon has found its people: it keeps the last second of pictures until tracking
    /// names the exposure of one of them. Returns nil if there is no detector, or none that says when its pictures were
    /// taken.
    private func pictureWithFaces(_ client: ControlClient, _ pictures: Pictures) throws(DockError) -> Taken? {
        try client.subscribe([.tracking])
        let layout = pictures.reader.layout, deadline = cposix_monotonic_now() + Self.patience.faces
        var kept: [(facts: PictureFacts, pixels: [UInt8])] = [], number = 0
        while cposix_monotonic_now() < deadline, !isInterrupted(client) {
            while let shown = pictures.reader.next(after: number) {
                number = shown.number
                guard let pixels = pictures.reader.copy(shown) else { continue }
                if kept.count == Self.most { kept.removeFirst() }
                kept.append((shown.facts, pixels))
            }
            guard let event = try client.nextEvent(timeout: 0.02), let time = event.data["t"]?.number,
                let match = kept.first(where: { abs($0.facts.exposure - time) < 0.002 })
            else { continue }
            return Taken(
                canvas: PictureCanvas(match.pixels, of: layout), facts: match.facts, faces: rects(event.data))
        }
        return nil
    }

    /// The number of pictures that are kept while their people are searched: about a second.
    private static let most = 30

    private func isInterrupted(_ client: ControlClient) -> Bool { poll(client.interrupt) }

    private func poll(_ descriptor: Int32) -> Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&wait, 1, 0) > 0
    }

    private func rects(_ tracking: JSONValue?) -> [Rect] {
        (tracking?["subjects"]?.array ?? []).compactMap { subject in
            let numbers = (subject["rect"]?.array ?? []).compactMap(\.number)
            guard numbers.count == 4 else { return nil }
            return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
    }

    private static func json(_ path: String, _ canvas: PictureCanvas, _ taken: Taken) -> JSONValue {
        let pose = taken.facts.pose.map {
            JSONValue.object(["pan": .number($0.pose.pan), "tilt": .number($0.pose.tilt)])
        }
        return .object([
            "path": .string(path), "width": .number(canvas.width), "height": .number(canvas.height),
            "sequence": .number(taken.facts.sequence), "t": .number(taken.facts.exposure), "pose": pose ?? .null,
            "faces": .array(
                taken.faces.map { .array([.number($0.x), .number($0.y), .number($0.width), .number($0.height)]) }),
        ])
    }

    private static func usualName() -> String {
        var now = time(nil), parts = tm()
        localtime_r(&now, &parts)
        var name = [CChar](repeating: 0, count: 40)
        strftime(&name, name.count, "snapshot-%Y%m%d-%H%M%S.jpg", &parts)
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
