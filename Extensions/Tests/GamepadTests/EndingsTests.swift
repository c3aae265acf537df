import Testing

@testable import Gamepad

/// Motions that others have ended.
@Suite struct EndingsTests {
    @Test func `each foreign ending counts once, and what was before does not`() {
        var endings = MotionEndings()
        #expect(endings.foreign(in: [(1, "stopped"), (2, "completed")]).isEmpty)
        #expect(endings.foreign(in: [(1, "stopped"), (2, "completed")]).isEmpty)
        #expect(endings.foreign(in: [(2, "completed"), (3, "superseded"), (4, "stopped")]) == ["stopped"])
        #expect(endings.foreign(in: [(3, "superseded"), (4, "stopped")]).isEmpty)
        #expect(endings.foreign(in: []).isEmpty)
        #expect(endings.foreign(in: [(4, "stopped"), (5, "takenOver"), (6, "faulted")]) == ["takenOver", "faulted"])
    }

    @Test func `a new daemon counts from 1 again`() {
        var endings = MotionEndings()
        _ = endings.foreign(in: [(90, "completed")])
        #expect(endings.foreign(in: [(1, "stopped")]).isEmpty)
        #expect(endings.foreign(in: [(1, "stopped"), (2, "emergencyStopped")]) == ["emergencyStopped"])
    }

    @Test func `the first ending after an empty beginning counts`() {
        var endings = MotionEndings()
        #expect(endings.foreign(in: []).isEmpty)
        #expect(endings.foreign(in: [(1, "stopped")]) == ["stopped"])
    }
}
