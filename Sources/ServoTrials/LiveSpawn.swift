internal import DockControl
internal import DockTypes
internal import Glibc
internal import Processes

/// Starts a program on three descriptors. It gets its own session, so that Ctrl-C at our terminal does not reach it
/// before we end it. It also gets the usual scheduling class, whatever ours is, and no user's settings.
func liveSpawn(_ program: String, _ arguments: [String], _ descriptors: [Int32]) throws(DockError) -> pid_t {
    let plan = SpawnPlan()
    plan.beginSession()
    plan.resetSignals()
    plan.unblockSignals()
    plan.useNormalScheduling()
    for (number, descriptor) in descriptors.enumerated() { plan.connect(descriptor, to: Int32(number)) }
    var environment = ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LANG=C.UTF-8"]
    if let libraries = getenv("LD_LIBRARY_PATH") {
        environment.append("LD_LIBRARY_PATH=\(String(cString: libraries))")
    }
    let child = plan.start(program, arguments, environment: environment)
    guard child.error == 0 else {
        throw DockError(
            .configuration, "cannot start \(program): \(String(cString: strerror(child.error)))",
            hint: "build it (swift build --product dockface), or give its path with --dockface PATH")
    }
    return child.id
}
