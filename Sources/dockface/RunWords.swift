import ArgumentParser
import Companion
import CPosix
import DockControl
import Glibc
import Synchronization

/// The words of a verb that drives a rig: behind those that settings add stand those that were typed.
enum RunWords {
    /// Which settings a verb takes; nil: all of them.
    private static let verbs: [String: Set<String>?] = [
        "run": nil, "check": ["port", "profile"], "calibrate": ["port", "profile"],
    ]
    private static let typed = Mutex<[String]>([])

    /// The words of the program with the options that hold by settings.
    /// - Throws: an exit that names file and line of all that is wrong in them.
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

    /// Settings as the typed words want them: `--config` names a file, or none.
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

    /// Further rigs, their profiles as they are on disk now.
    private static func rigs(of also: [String]) throws -> [RigArguments] {
        try also.map { text in
            let (port, profile) = OtherRig.parts(of: text)
            return try RigArguments(resolving: port, profile: profile, waits: true)
        }
    }

    /// What reads the settings of a run again; nil: there is nothing that could be read, and HUP is an end like TERM.
    static func reload(of run: Run, rig: RigArguments) -> (@Sendable () -> Reload)? {
        let words = typed.withLock { $0 }
        guard let settings = try? settings(words) else { return nil }
        guard !settings.files.isEmpty || ProcessEnvironment.value("NOTIFY_SOCKET") != nil else { return nil }
        let before = Mutex(settings.values(beside: words)), tuning = Mutex(run.tuning)
        let also = try? rigs(of: run.also).map(\.profile)
        return {
            let rehearsal = Failure.Rehearsal()
            return Failure.$rehearsal.withValue(rehearsal) {
                do {
                    let settings = try Self.settings(words)
                    let new = try Run.parse(settings.options(before: words) + words)
                    let place = try RigArguments(resolving: new.port, profile: new.profile, waits: new.wait)
                    if let refusal = new.tuning.refusal(for: place.profile) { throw refusal }
                    let after = settings.values(beside: words)
                    var changed = before.withLock { before in Settings.changed(before, after) }
                    if place.profile != rig.profile { changed.insert("profile") }
                    if place.port != rig.port { changed.insert("port") }
                    let others = try rigs(of: new.also)
                    if others.map(\.profile) != also { changed.insert("also") }
                    let hard = changed.filter { !Settings.isLive($0) }.sorted()
                    if !hard.isEmpty {
                        // What a start would refuse must not end what runs.
                        try new.rehearse(at: place, beside: others.map(\.port))
                        return .anew(hard)
                    }
                    before.withLock { $0 = after }
                    let wish = new.tuning
                    let isOld = tuning.withLock { old in
                        defer { old = wish }
                        return old == wish
                    }
                    return isOld ? .unchanged : .tuned(wish)
                } catch let error as DockError {
                    return .refused(error.hint.isEmpty ? error.message : "\(error.message): \(error.hint)")
                } catch let error as FileError {
                    return .refused("\(error)")
                } catch is ExitCode {
                    return .refused(rehearsal.text ?? "they cannot be used")
                } catch {
                    return .refused(Run.message(for: error))
                }
            }
        }
    }
}

/// The program begins anew in its own process, with the words that it was started with: all is closed, the dock stands still.
enum NewBeginning {
    private static let wanted = Atomic(false), over = Atomic(false)

    /// It does so when the verb has ended, unless somebody wants it to end for good.
    static var isWanted: Bool {
        get { wanted.load(ordering: .acquiring) && !isOver }
        set { wanted.store(newValue, ordering: .releasing) }
    }

    /// Somebody wants it to end for good, and said so before it had begun anew.
    static var isOver: Bool {
        get { over.load(ordering: .acquiring) }
        set { over.store(newValue, ordering: .releasing) }
    }

    /// Comes back only where the system refuses.
    static func begin() -> ExitCode {
        var words: [UnsafeMutablePointer<CChar>?] = ProgramWords.all.map { strdup($0) }
        words.append(nil)
        cposix_begin_anew(words)
        return fail("cannot begin anew: \(String(cString: strerror(errno))): start it again", status: 71)
    }
}
