internal import Glibc

/// Starts a process; descriptors -1 are /dev/null. A terminal becomes the controlling terminal of a new session.
func spawn(
    _ program: String, _ arguments: [String], environment: [String: String], descriptors: [Int32],
    terminal: String?
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
    // A new session; the first terminal that it opens is its controlling terminal.
    let newSession: Int16 = 0x80
    var all = sigset_t(), none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    if let terminal { posix_spawn_file_actions_addopen(&actions, 9, terminal, O_RDWR, 0) }
    for (number, descriptor) in descriptors.enumerated() {
        if descriptor >= 0 {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        } else if terminal != nil {
            posix_spawn_file_actions_adddup2(&actions, 9, Int32(number))
        } else {
            posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
        }
    }
    if terminal != nil { posix_spawn_file_actions_addclose(&actions, 9) }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var id: pid_t = 0
    let reason = posix_spawn(&id, program, &actions, &attributes, &words, &variables)
    guard reason == 0 else { throw SupportError("\(program) does not start", errno: reason) }
    return id
}

/// Paths in the checkout and among the built products.
public enum Place {
    /// The checkout.
    public static let root: String = {
        var parts = #filePath.split(separator: "/").dropLast(3)
        if parts.isEmpty { parts = ["."] }
        return "/" + parts.joined(separator: "/")
    }()

    /// A file of the checkout.
    public static func file(_ path: String) -> String { root + "/" + path }

    /// A recording among the examples.
    public static func faces(_ name: String) -> String { file("Examples/faces/\(name).jsonl") }

    /// A built program: beside the test bundle, or in a folder above it.
    public static func program(_ name: String) throws -> String {
        if let own = getenv("DOCKFACE_PROGRAM") { return String(cString: own) }
        var starts: [String] = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
        if let path = realpath("/proc/self/exe", nil) {
            starts.append(String(cString: path))
            free(path)
        }
        for start in starts {
            var parts = start.split(separator: "/").dropLast()
            for _ in 0..<4 {
                let candidate = "/" + (parts + [Substring(name)]).joined(separator: "/")
                var status = stat()
                if stat(candidate, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(candidate, X_OK) == 0 {
                    return candidate
                }
                parts = parts.dropLast()
            }
        }
        throw SupportError(
            "\(name) is not built: it is missing beside \(starts.joined(separator: ", ")); run swift build, "
                + "or name it in DOCKFACE_PROGRAM")
    }
}
