import ArgumentParser
import Companion
import CPosix
import DockClient
import DockControl
import DockTypes
import Files
import Glibc
import RobotFace
import Synchronization

/// `dockface face`: shows one expression without a dock, or with --remote on the screen of the running daemon.
struct Face: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a face: on a terminal until q, elsewhere one image; with --remote on the daemon's screen.",
        discussion: "Faces: " + Expression.all.map(\.name).joined(separator: ", ") + """
            .

            For example:
              dockface face happy
              dockface face sad --size 40x12 --seconds 0
              dockface face --all
              dockface face --all --png faces.png
              dockface face love --size 80x24 --png love.png
              dockface face joy --toml > grin.toml     a file to start your own face from (docs/FACE.md)
              dockface face --check grin.toml
              dockface face ./grin.toml
              dockface face --test-card            which glyphs and colours the terminal shows
              dockface face --reset                restores the terminal after a program was killed
              dockface face happy --remote
              dockface face random on --remote
            """)

    @Argument(
        help: ArgumentHelp(
            "Name or number of the face, or a file with your own; with --remote also: next, auto, random [on|off].",
            valueName: "name"), completion: Completions.faces)
    var words: [String] = []

    @Flag(help: "Show the face on the screen of the running daemon.")
    var remote = false

    @Flag(help: "Show all faces with their names on one page.")
    var all = false

    @Flag(name: .customLong("test-card"), help: "Show how the terminal's font and colours render a face.")
    var testCard = false

    @Flag(help: "Restore the terminal's settings after a program was killed.")
    var reset = false

    @Option(help: ArgumentHelp("Write the image to this file, 10x20 pixels per cell.", valueName: "file"))
    var png: String?

    @Flag(help: "Print the face as a TOML file, to start your own from.")
    var toml = false

    @Flag(help: "Check face files; errors name line and column.")
    var check = false

    @OptionGroup var connection: RemoteOptions

    @Option(help: ArgumentHelp("Size in cells, for example 80x24.", valueName: "WxH"))
    var size: String?

    @Option(help: "End after this many seconds; 0 shows one image.")
    var seconds: Double?

    @OptionGroup var look: LookOptions

    func run() throws {
        if remote {
            guard !words.isEmpty else {
                throw ValidationError("--remote needs a face: a name or number, or next, auto, random [on|off].")
            }
            if words.contains(where: UserFile.isPath) {
                throw ValidationError(
                    "--remote accepts names only; put the file into the daemon's folder (docs/FACE.md).")
            }
            return try WordCall(
                words: ["face"] + words, socket: connection.socket, isJSON: connection.json, waits: false
            ).run()
        }
        if connection.json || connection.socket != nil {
            throw ValidationError("--json and --socket need --remote.")
        }
        if let seconds, seconds < 0 || !seconds.isFinite { throw ValidationError("--seconds must not be negative.") }
        if [all, testCard, reset, toml, check].count(where: { $0 }) > 1 {
            throw ValidationError("--all, --test-card, --reset, --toml and --check exclude each other.")
        }
        if png != nil, testCard || reset || toml || check {
            throw ValidationError("--png needs the name of a face, or --all.")
        }
        if reset { return try resetThisTerminal() }
        if check {
            guard !words.isEmpty else { throw ValidationError("--check needs face files.") }
            return try OwnFaces().check(words)
        }
        let pages = FacePages(look: look, size: try cells())
        if testCard {
            writeAll(pages.testCard())
            return
        }
        let faces = OwnFaces()
        if all {
            let all = faces.all()
            if let png { return try save(pages.sheetPicture(all), to: png) }
            writeAll(pages.sheet(all, width: terminalSize()?.columns ?? 120))
            return
        }
        let name = words.first ?? Expression.normal.name
        guard words.count < 2, !["next", "auto", "random"].contains(name) else {
            throw ValidationError("give one face; next, auto and random change the daemon's face, and need --remote.")
        }
        let (expression, book) = try faces.face(name)
        if toml {
            writeAll(Array(ExpressionWriter.text(of: expression, as: "my-" + expression.name).utf8))
            return
        }
        if let png { return try save(pages.picture(expression), to: png) }
        let isLive = seconds.map { $0 > 0 } ?? (size == nil)
        let isDumb = (ProcessEnvironment.value("TERM") ?? "dumb") == "dumb"
        if isLive, isTerminal(1), !isDumb, CompanionSession.hasTerminal {
            try film(expression, among: book)
        } else {
            writeAll(pages.text(expression))
        }
        if isTerminal(2), (try? ControlClient(path: nil)) != nil {
            note("a dockface runs here; to show this face on its screen: dockface face \(expression.name) --remote")
        }
    }

    /// Returns the requested size, or nil.
    private func cells() throws -> (columns: Int, rows: Int)? {
        guard let size else { return nil }
        let words = size.split(separator: "x", omittingEmptySubsequences: false), parts = words.compactMap { Int($0) }
        guard words.count == 2, parts.count == 2, (1...1000).contains(parts[0]), (1...1000).contains(parts[1]) else {
            throw ValidationError("--size needs columns x rows, for example 80x24.")
        }
        // A cell has 10 x 20 pixels, and a sheet holds all faces, so larger sizes are a mistake.
        let most = png != nil ? (all ? 8_000 : 120_000) : (all ? 40_000 : 1_000_000)
        guard parts[0] * parts[1] <= most else {
            throw ValidationError("--size \(size) is too large: the maximum is \(most) cells.")
        }
        return (parts[0], parts[1])
    }

    private func save(_ picture: (pixels: [UInt8], width: Int, height: Int), to path: String) throws {
        let bytes = PNGEncoder.encode(picture.pixels, width: picture.width, height: picture.height)
        do throws(DockError) {
            try OutputFile.write(bytes, to: path, mode: 0o644)
        } catch {
            throw fail("\(error.message): \(error.hint)", status: 73)
        }
    }

    private func resetThisTerminal() throws {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { if terminal >= 0 { close(terminal) } }
        guard terminal >= 0, resetTerminal(terminal) else {
            throw fail("no terminal to restore: run this in the affected terminal", status: 69)
        }
    }

    private func film(_ expression: Expression, among book: ExpressionBook) throws {
        let signals = cposix_signal_descriptor(false)
        let wake = cposix_wake_create()
        defer { close(wake) }
        var options = TerminalOptions()
        options.expression = expression
        options.style = look.style
        options.depth = look.colour
        options.glyphs = look.painter?.glyphs
        options.graphics = look.painter?.graphics
        options.calm = look.calm
        options.synchronizes = look.sync
        options.seed = look.seed
        let shown = Mutex(expression)
        let holder = Holder()
        let screen: FaceScreen
        do {
            screen = try FaceScreen(
                options: options,
                onInput: { event in
                    guard case .key(let key, let modifiers, .press) = event,
                        modifiers.isDisjoint(with: [.control, .alt, .command])
                    else { return }
                    switch key {
                    case .tab, .enter, .space, .right:
                        let next = shown.withLock { face in
                            face = book.next(after: face)
                            return face
                        }
                        holder.screen.withLock { $0 }?.update(FaceChange(expression: next))
                    case .character("q"), .escape: cposix_wake_ring(wake)
                    default: break
                    }
                }, onEnd: { _ in cposix_wake_ring(wake) })
        } catch {
            throw fail("\(error)", status: 69)
        }
        holder.screen.withLock { $0 = screen }
        // Nothing can fail after the terminal was taken over.
        let suspension = try Suspension()
        suspension.install()
        screen.start()
        let deadline = seconds.map { cposix_monotonic_now() + $0 }
        var waits = [signals, wake, suspension.suspended, suspension.continued].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while waits[0].revents == 0, waits[1].revents == 0 {
            let left = deadline.map { max(0, $0 - cposix_monotonic_now()) }
            let count = poll(&waits, 4, left.map { Int32(min($0, 1e6) * 1000 + 0.5) } ?? -1)
            if count == 0 { break }
            if count < 0 { continue }
            if waits[2].revents != 0 {
                // The shell gets its terminal back before the process is halted.
                screen.suspend()
                suspension.halt()
                screen.resume()
            } else if waits[3].revents != 0 {
                // The process was halted without warning, and the shell has used the terminal since.
                _ = cposix_counter_take(suspension.continued)
                screen.suspend()
                screen.resume()
            }
        }
        screen.stop()
    }
}

/// Holds the screen for its own callback.
private final class Holder: Sendable {
    let screen = Mutex<FaceScreen?>(nil)
}
