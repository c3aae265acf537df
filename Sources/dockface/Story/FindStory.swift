import ArgumentParser
import Companion
import ControlProtocol
import CPosix
import DockClient
import DockTypes
import Geometry
import Glibc
import Processes

/// `dockface demo --find`: beside the running session, the extension `find` searches a thing, remembers it and looks back
/// at it. The story ends the session.
final class FindStory: Sendable {
    private let tale: Locked<FindTale>
    private let isStopped = Locked(false)
    private let program: String
    private let folder: StoryFolder
    private let thread: PollThread
    /// Whether the words are shown over the face. Otherwise they are lines.
    private let hasFace: Bool
    /// The control socket of the session.
    let socket: String

    /// How long the daemon and the dock may take to begin, how long the head may take to turn away, and how long the last
    /// words are shown, in seconds.
    private static let patience: Seconds = 20, turn: Seconds = 6, rest: Seconds = 4
    /// The longest search, in seconds.
    private static let longest = 90
    /// The extension's exit status if it lost the head, how often the demo then tries again, and how long it waits for the
    /// dock, in seconds.
    private static let interrupted: Int32 = 75, retries = 3, pause: Seconds = 8
    /// How long the words between two parts are shown, in seconds.
    private static let shown: Seconds = 2

    /// Prepares a story, and starts nothing.
    /// - Parameter socket: what the owner wants for the control socket. The story has one of its own: any other may be
    ///   that of another daemon, whose head would turn.
    /// - Throws: an exit if a socket is wanted, or the extension is not installed.
    init(of thing: String, socket: String?, hasFace: Bool) throws {
        guard socket == nil else {
            throw fail("demo --find has a control socket of its own: leave out --socket", status: 64)
        }
        guard let found = ExtensionLibrary().named("find") else { throw Self.notInstalled }
        if let problem = found.problem { throw fail("extension find cannot run: \(problem)", status: 69) }
        guard let folder = StoryFolder(), let thread = PollThread(name: "story") else {
            throw fail(
                "demo --find needs a temporary folder and a few file descriptors: see TMPDIR and `ulimit -n`",
                status: 69)
        }
        (self.folder, self.thread, self.hasFace, program) = (folder, thread, hasFace, found.program)
        self.socket = folder.path + "/control"
        tale = Locked(FindTale(of: thing))
    }

    private static var notInstalled: ExitCode {
        fail(
            "demo --find needs the extension find, which is not installed: run scripts/demo --find or "
                + "scripts/extensions --install in a clone, or install the package dockface-find", status: 69)
    }

    /// Begins. The session may still be starting.
    func start() {
        thread.start { [weak self] in StoryWork { self?.playAndEnd() } }
    }

    /// Ends the story if the session has ended before it, and returns what has happened.
    func finish() -> FindTale {
        isStopped.withLock { $0 = true }
        thread.stop()
        folder.remove()
        return tale.withLock { $0 }
    }

    /// The session ends with its story, however that ended.
    private func playAndEnd() {
        play()
        guard !stopped() else { return tale.withLock { $0.isCut = true } }
        _ = try? ControlClient(path: socket).call("command", ["line": .string("quit")])
    }

    private func play() {
        guard
            let stage = StoryStage(
                socket: socket, hasFace: hasFace, patience: Self.patience, isStopped: stopped)
        else { return }
        head(.search, stage)
        guard retried(.search, ["search", thing, "--json", "--time-limit", "\(Self.longest)"], stage) == 0 else {
            return stage.hold(for: Self.rest, isStopped: stopped)
        }
        stage.hold(for: Self.shown, isStopped: stopped)
        head(.memory, stage)
        _ = run(.memory, ["things"], stage)
        stage.hold(for: Self.shown, isStopped: stopped)
        head(.look, stage)
        stage.lookAway(from: tale.withLock { $0.search?.bearing } ?? .zero, within: Self.turn, isStopped: stopped)
        _ = retried(.look, ["look", thing, "--json"], stage)
        stage.hold(for: Self.rest, isStopped: stopped)
    }

    private func head(_ part: FindTale.Part, _ stage: StoryStage) {
        stage.show(tale.withLock { $0.heading(of: part) })
    }

    private var thing: String { tale.withLock { $0.thing } }

    private func stopped() -> Bool { isStopped.withLock { $0 } }

    /// Runs a verb that turns the head, again if the simulated dock was interrupted: on a busy machine its guard may stop
    /// it. Returns the last exit status.
    private func retried(_ part: FindTale.Part, _ words: [String], _ stage: StoryStage) -> Int32 {
        var status = run(part, words, stage)
        for _ in 0..<Self.retries
        where status == Self.interrupted && stage.isFreeAgain(within: Self.pause, isStopped: stopped) {
            stage.show("the dock was interrupted; once more")
            status = run(part, words, stage)
        }
        return status
    }

    /// Runs a verb of the extension. Returns its exit status.
    private func run(_ part: FindTale.Part, _ words: [String], _ stage: StoryStage) -> Int32 {
        guard !stopped() else { return 1 }
        tale.withLock { $0.begin(now: cposix_monotonic_now()) }
        // The demo must not change what the user's own robot remembers.
        let command = ["env", "XDG_STATE_HOME=" + folder.path, program] + words
        return StoryProgram.run(
            part == .memory ? command : command + ["--control", socket],
            hear: { line in
                let words = tale.withLock { $0.receive(line, in: part, now: cposix_monotonic_now()) }
                if let words { stage.show(words) }
            }, idle: { stage.refresh() }, isStopped: stopped)
    }
}

/// One blocking function as the work of a thread.
private final class StoryWork: PolledWork {
    private let play: () -> Void

    init(_ play: @escaping () -> Void) { self.play = play }

    func turn() -> Bool {
        play()
        return false
    }

    var deadline: Seconds? { nil }
    var waits: [pollfd] { [] }
    func handle(_ waits: [pollfd]) {}
    func end() {}
}
