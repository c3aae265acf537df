import ArgumentParser
import Companion
import CPosix
import DockControl
import DockTypes
import Files
import Glibc
import Synchronization

/// The words of a verb that drives a rig: the options from the settings first, then the typed ones.
enum RunWords {
    /// The settings that a verb accepts, or nil for all of them.
    private static let verbs: [String: Set<String>?] = [
        "run": nil, "check": ["port", "profile"], "calibrate": ["port", "profile"],
    ]
    private static let typed = Mutex<[String]>([])

    /// Returns the program's words with the options that the settings add.
    /// - Throws: an exit that names the file and line of every mistake in the settings.
    static func expanded(_ words: [String]) throws -> [String] {
        guard let verb = words.first, let keys = verbs[verb], !words.contains(where: ["--help", "-h"].contains) else {
            return words
        }
        let rest = Array(words.dropFirst())
        typed.withLock { $0 = rest }
        do {
            return [verb] + (try settings(rest)).options(before: rest, only: keys) + rest
        } catch {
            throw fail(plain: "\(error)", status: 78, problem: DockError.Code.configuration.rawValue)
        }
    }

    /// Returns whether the user has typed an option, and not a settings file.
    static func hasTyped(_ option: String) -> Bool {
        typed.withLock { $0.contains { $0 == "--" + option || $0.hasPrefix("--" + option + "=") } }
    }

    /// Returns the settings for the typed words: `--config` names a file, or none.
    private static func settings(_ words: [String]) throws(FileError) -> Settings {
        try Settings.read(file: file(words))
    }

    private static func file(_ words: [String]) -> String? {
        if let index = words.lastIndex(where: { $0 == "--config" || $0.hasPrefix("--config=") }) {
            if words[index] != "--config" { return String(words[index].dropFirst("--config=".count)) }
            if index + 1 < words.count { return words[index + 1] }
        }
        return nil
    }

    /// Returns the further rigs, with their profiles as they are on the disk now.
    private static func rigs(of also: [String]) throws -> [RigArguments] {
        try also.map { text in
            let (port, profile) = OtherRig.parts(of: text)
            return try RigArguments(resolving: port, profile: profile, waits: true)
        }
    }

    /// Returns the function that reads the settings of a run again. The result is nil if there is nothing to read; then
    /// HUP ends the run like TERM.
    static func reload(of run: Run, rig: RigArguments) -> (@Sendable () -> Reload)? {
        let words = typed.withLock { $0 }
        guard let settings = try? settings(words) else { return nil }
        guard !settings.files.isEmpty || ProcessEnvironment.value("NOTIFY_SOCKET") != nil else { return nil }
        let before = Mutex(settings.values(beside: words)), tuning = Mutex(run.tuning)
        let also = try? rigs(of: run.rigs.also).map(\.profile)
        return {
            let rehearsal = Failure.Rehearsal()
            return Failure.$rehearsal.withValue(rehearsal) {
                do {
                    let settings = try Self.settings(words)
                    let new = try Run.parse(settings.options(before: words) + words)
                    let place = try RigArguments(
                        resolving: new.rigs.port, profile: new.rigs.profile, waits: new.rigs.wait)
                    if let refusal = new.tuning.refusal(for: place.profile) { throw refusal }
                    let after = settings.values(beside: words)
                    var changed = before.withLock { before in Settings.changed(before, after) }
                    if place.profile != rig.profile { changed.insert("profile") }
                    if place.port != rig.port { changed.insert("port") }
                    let others = try rigs(of: new.rigs.also)
                    if others.map(\.profile) != also { changed.insert("also") }
                    let hard = changed.filter { !Settings.isLive($0) }.sorted()
                    if !hard.isEmpty {
                        // Settings that would prevent a start must not end a running daemon.
                        try new.rehearse(at: place, beside: others.map(\.port))
                        return .restart(hard)
                    }
                    before.withLock { $0 = after }
                    let wanted = new.tuning
                    let isOld = tuning.withLock { old in
                        defer { old = wanted }
                        return old == wanted
                    }
                    return isOld ? .unchanged : .tuned(wanted)
                } catch let error as DockError {
                    return .refused(error.hint.isEmpty ? error.message : "\(error.message): \(error.hint)")
                } catch let error as FileError {
                    return .refused("\(error)")
                } catch is ExitCode {
                    return .refused(rehearsal.text ?? "the settings cannot be used")
                } catch {
                    return .refused(Run.message(for: error))
                }
            }
        }
    }
}

/// The program executes itself again in the same process, with its original words. By then everything is closed and the
/// dock is at rest.
enum SelfRestart {
    private static let wanted = Atomic(false), over = Atomic(false)

    /// Whether the program starts again when the verb has ended, unless it was ordered to end permanently.
    static var isWanted: Bool {
        get { wanted.load(ordering: .acquiring) && !isOver }
        set { wanted.store(newValue, ordering: .releasing) }
    }

    /// Whether the program was ordered to end permanently before it had started again.
    static var isOver: Bool {
        get { over.load(ordering: .acquiring) }
        set { over.store(newValue, ordering: .releasing) }
    }

    /// Starts the program again. Returns only if the system refuses.
    static func begin() -> ExitCode {
        var words: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
        words.append(nil)
        cposix_begin_anew(words)
        return fail("cannot restart: \(String(cString: strerror(errno))): start it by hand", status: 71)
    }
}
