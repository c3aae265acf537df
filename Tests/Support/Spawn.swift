internal import Glibc
internal import Processes

/// Starts a process; descriptors -1 are /dev/null. A terminal becomes the controlling terminal of a new session.
func spawn(
    _ program: String, _ arguments: [String], environment: [String: String], descriptors: [Int32],
    terminal: String?
) throws -> pid_t {
    let plan = SpawnPlan()
    plan.beginSession()
    plan.resetSignals()
    plan.unblockSignals()
    if let terminal { plan.open(terminal, O_RDWR, as: 9) }
    for (number, descriptor) in descriptors.enumerated() {
        if descriptor >= 0 {
            plan.connect(descriptor, to: Int32(number))
        } else if terminal != nil {
            plan.connect(9, to: Int32(number))
        } else {
            plan.open("/dev/null", O_RDWR, as: Int32(number))
        }
    }
    // Other tests in this process may have opened descriptors that a child would inherit.
    plan.closeAll(from: Int32(max(descriptors.count, 3)))
    let child = plan.start(program, arguments, environment: environment.map { "\($0.key)=\($0.value)" })
    guard child.error == 0 else { throw SupportError("\(program) does not start", errno: child.error) }
    Precedence.apply(to: child.id)
    return child.id
}

/// The precedence of tests with real time over other work on the machine, as `scripts/test` requests it.
private enum Precedence {
    /// The nice value; nil if none is requested.
    private static let nice = getenv("DOCKFACE_TEST_NICE").flatMap { Int32(String(cString: $0)) }

    /// Gives it to a new process that leads its own session, and to the threads of this one. Threads of the pool set
    /// their nice value themselves.
    static func apply(to child: pid_t) {
        guard let nice else { return }
        for thread in threads(of: "self") + [child] {
            setpriority(Int32(PRIO_PROCESS.rawValue), id_t(thread), nice)
        }
        // Sessions compete with each other (autogroups, sched(7)).
        let file = open("/proc/\(child)/autogroup", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        let text = Array("\(nice)".utf8)
        _ = write(file, text, text.count)
    }
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

    /// A recorded room among the examples.
    public static func room(_ name: String) -> String { file("Examples/rooms/\(name).jsonl") }

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
