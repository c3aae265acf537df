import ArgumentParser
import Companion
import CPosix
import Glibc
import RobotFace
import Synchronization

/// `dockface face`: one expression, without a dock; with --remote, on the screen of the running daemon.
struct Face: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a face: on a terminal until q, elsewhere one picture; --remote: the daemon's.",
        discussion: "Faces: " + Expression.all.map(\.name).joined(separator: ", ") + """
            .

            For example:
              dockface face happy
              dockface face sad --size 40x12 --seconds 0
              dockface face happy --remote
              dockface face random on --remote
            """)

    @Argument(
        help: ArgumentHelp("Name or number of the face; with --remote also: next, random [on|off].", valueName: "name"))
    var words = ["normal"]

    @Flag(help: "Show it on the screen of the running daemon.")
    var remote = false

    @OptionGroup var connection: RemoteOptions

    @Option(help: ArgumentHelp("Size in cells, for example 80x24.", valueName: "WxH"))
    var size: String?

    @Option(help: "End after so many seconds; 0: one picture.")
    var seconds: Double?

    @OptionGroup var look: LookOptions

    func run() throws {
        if remote {
            return try WordCall(
                words: ["face"] + words, socket: connection.socket, isJSON: connection.json, waits: false
            ).run()
        }
        if connection.json || connection.socket != nil {
            throw ValidationError("--json and --socket need --remote.")
        }
        guard words.count == 1, let name = words.first else {
            throw ValidationError("one face at a time; next and random need --remote.")
        }
        guard let expression = Expression(named: name) else {
            throw fail(
                "there is no face \"\(name)\": one of \(Expression.all.map(\.name).joined(separator: ", "))", status: 64
            )
        }
        if let seconds, seconds < 0 || !seconds.isFinite { throw ValidationError("--seconds must not be negative.") }
        let cells = try cells()
        let isLive = seconds.map { $0 > 0 } ?? (size == nil)
        if isLive, isTerminal(1), CompanionSession.hasTerminal {
            try film(expression)
        } else {
            picture(expression, cells)
        }
    }

    private func cells() throws -> (columns: Int, rows: Int) {
        if let size {
            let parts = size.split(separator: "x").compactMap { Int($0) }
            guard parts.count == 2, (1...1000).contains(parts[0]), (1...1000).contains(parts[1]) else {
                throw ValidationError("--size is columns x rows, for example 80x24.")
            }
            return (parts[0], parts[1])
        }
        var columns: Int32 = 0, rows: Int32 = 0, width: Int32 = 0, height: Int32 = 0
        guard cposix_window_size(1, &columns, &rows, &width, &height) == 0, columns > 0, rows > 1 else {
            return (80, 24)
        }
        return (Int(columns), Int(rows) - 1)
    }

    private func picture(_ expression: Expression, _ cells: (columns: Int, rows: Int)) {
        let depth = look.colour ?? (getenv("NO_COLOR") != nil ? .mono : .trueColour)
        var painter = HalfBlockPainter(columns: cells.columns, rows: cells.rows)
        var grid = CellGrid(columns: cells.columns, rows: cells.rows)
        painter.paint(FaceState(expression, style: look.style), depth: depth, into: &grid)
        let bytes = FrameEncoder.whole(grid, depth: depth)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(1, $0.baseAddress?.advanced(by: sent), bytes.count - sent) }
            if count <= 0 { return }
            sent += count
        }
    }

    private func film(_ expression: Expression) throws {
        let signals = cposix_signal_descriptor(false)
        let wake = cposix_wake_create()
        defer { close(wake) }
        var options = TerminalOptions()
        options.expression = expression
        options.style = look.style
        options.depth = look.colour
        options.seed = look.seed
        let shown = Mutex(expression)
        let holder = Holder()
        let screen: FaceScreen
        do {
            screen = try FaceScreen(
                options: options,
                onInput: { event in
                    guard case .key(let key, _, .press) = event else { return }
                    switch key {
                    case .tab, .enter, .space, .right:
                        let next = shown.withLock { face in
                            face = face.next
                            return face
                        }
                        holder.screen.withLock { $0 }?.update(FaceWish(expression: next))
                    case .character("q"), .escape: cposix_wake_ring(wake)
                    default: break
                    }
                }, onEnd: { _ in cposix_wake_ring(wake) })
        } catch {
            throw fail("\(error)", status: 69)
        }
        holder.screen.withLock { $0 = screen }
        screen.start()
        var waits = [signals, wake].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let deadline = seconds.map { cposix_monotonic_now() + $0 }
        var left = deadline.map { $0 - cposix_monotonic_now() } ?? -1
        while poll(&waits, 2, left < 0 ? -1 : Int32(min(left, 1e6) * 1000)) < 0, errno == EINTR {
            left = deadline.map { max(0, $0 - cposix_monotonic_now()) } ?? -1
        }
        screen.stop()
    }
}

/// The screen, for its own callback.
private final class Holder: Sendable {
    let screen = Mutex<FaceScreen?>(nil)
}
