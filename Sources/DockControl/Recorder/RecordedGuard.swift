/// A guard whose answers are recorded, so that everything that the loop receives from it is in the record.
///
/// Its state is sampled at the beginning of a turn and after each call, and is constant in between.
final class RecordedGuard: MotionGuard {
    private let guardian: any MotionGuard
    private let recorder: FlightRecorder
    private(set) var isAlive = true, isAwaited = false
    private var step = 0, hasBegun = false

    init(_ guardian: any MotionGuard, into recorder: FlightRecorder) {
        self.guardian = guardian
        self.recorder = recorder
    }

    var descriptor: Int32 { guardian.descriptor }

    /// Begins a turn.
    func beginTurn() {
        step = 0
        hasBegun = true
        look()
    }

    private func look() {
        guard hasBegun else { return }
        let alive = guardian.isAlive, awaited = guardian.isAwaited
        if alive != isAlive || awaited != isAwaited {
            (isAlive, isAwaited) = (alive, awaited)
            recorder.guardian(step: step, isAlive: alive, isAwaited: awaited)
        }
        step += 1
    }

    func watch(_ link: any ByteLink, stop: [UInt8]) {
        guardian.watch(link, stop: stop)
        look()
    }

    func beat(moving: Bool, now: Double) {
        guardian.beat(moving: moving, now: now)
        look()
    }

    func release() {
        guardian.release()
        look()
    }

    func takeIntervention() -> GuardIntervention? {
        let did = guardian.takeIntervention()
        if let did { recorder.intervention(did) }
        look()
        return did
    }

    func renew() -> Bool {
        let isBegun = guardian.renew()
        recorder.renewed(isBegun)
        look()
        return isBegun
    }
}
