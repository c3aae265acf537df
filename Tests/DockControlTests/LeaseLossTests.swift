import DockTypes
import Geometry
import Testing

@testable import DockControl

/// What the loop does when a program loses its lease: all motion under that lease ends, and only that.
@Suite struct LeaseLossTests {
    private let program = ProgramID(4)

    /// A dock that has turned for 0.7 s under the lease.
    private func turning() -> CoreRig {
        let rig = CoreRig()
        rig.run(1)
        rig.give(.turn, program: program)
        rig.run(0.7)
        return rig
    }

    @Test func `behind many queued commands the motion of a lost lease still ends`() {
        let rig = turning()
        #expect(rig.speed > 25)
        for _ in 0..<300 { rig.give(.turn, program: program) }
        for number in 0..<300 { rig.give(.cancel(MotionID(number + 1000), .cancelled), program: program) }
        rig.end(LostLease(program, endsTracking: false))
        rig.run(0.4)
        #expect(abs(rig.speed) < 0.1)
        #expect(rig.leaseEndings.map(\.motion?.name) == ["velocity"])
        #expect(rig.endings.last?.outcome == .leaseLost)
        rig.run(3)
        #expect(abs(rig.speed) < 0.1, "nothing that waited under it begins")
    }

    @Test func `the motion of another program continues`() {
        let rig = turning()
        rig.end(LostLease(ProgramID(5), endsTracking: true))
        rig.run(0.4)
        #expect(rig.speed > 25 && rig.leaseEndings.map(\.motion) == [nil] && rig.leaseEndings[0].endedTracking == false)
    }

    @Test func `custom tracking ends with it, and the mode is manual`() {
        let rig = CoreRig()
        rig.run(1)
        rig.give(.setMode(.custom), program: program)
        rig.run(0.1)
        rig.end(LostLease(program, endsTracking: true))
        rig.run(0.1)
        #expect(rig.snapshot.mode == .manual && rig.leaseEndings[0].endedTracking)
    }

    @Test func `of many motions that replace each other, each end is reported`() {
        let rig = CoreRig()
        rig.run(1)
        for _ in 0..<64 { rig.give(.turn) }
        rig.run(0.2)
        for _ in 0..<64 { rig.give(.turn) }
        rig.run(0.2)
        #expect(rig.endings.map(\.id.value) == Array(1...127))
        #expect(rig.answers.count == 128)
    }
}
