internal import DockControl
internal import Glibc

/// Starts a program on three descriptors. It gets its own session, so that Ctrl-C at our terminal does not reach it
/// before we end it. It also gets the usual scheduling class, whatever ours is, and no user's settings.
func liveSpawn(_ program: String, _ arguments: [String], _ descriptors: [Int32]) throws(DockError) -> pid_t {
    var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
    var all = sigset_t(), none = sigset_t(), usual = sched_param()
    sigfillset(&all)
    sigemptyset(&none)
    usual.sched_priority = 0
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setschedpolicy(&attributes, SCHED_OTHER)
    posix_spawnattr_setschedparam(&attributes, &usual)
    let newSession: Int16 = 0x80
    posix_spawnattr_setflags(
        &attributes,
        newSession | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSCHEDULER))
    for (number, descriptor) in descriptors.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    var environment = ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LANG=C.UTF-8"]
    if let libraries = getenv("LD_LIBRARY_PATH") {
        environment.append("LD_LIBRARY_PATH=\(String(cString: libraries))")
    }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var id: pid_t = 0
    let reason = posix_spawn(&id, program, &actions, &attributes, &words, &variables)
    guard reason == 0 else {
        throw DockError(
            .configuration, "cannot start \(program): \(String(cString: strerror(reason)))",
            hint: "build it (swift build --product dockface), or give its path with --dockface PATH")
    }
    return id
}
