import Glibc
import TestSupport
import Testing

/// What tests of real time allow for.
@Suite(.enabled(if: access("/proc/self/schedstat", R_OK) == 0, "this kernel does not count it")) struct CoreWaitTests {
    @Test func `the time for which a program waits for a core is counted by thread`() throws {
        var setup = Program.Setup()
        setup.path = "/bin/sh"
        let program = try Program(["-c", "read line"], setup)
        #expect((program.coreWaits()[program.id] ?? -1) >= 0)
        #expect(program.coreWaits(of: "sh").keys.contains(program.id))
        #expect(program.coreWaits(of: "another").isEmpty)
        #expect(ownCoreWait() >= 0)
    }
}
