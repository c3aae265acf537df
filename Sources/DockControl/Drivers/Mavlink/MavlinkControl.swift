internal import Geometry

/// The control of the gimbal: who may move it. Other components can take control.
struct MavlinkControl: Sendable {
    typealias Owner = (system: UInt8, component: UInt8)

    /// The time after which control that was refused, or whose request was not answered, is requested again, in
    /// seconds.
    static let requestInterval: Seconds = 2
    /// The time after which the yaw reference is selected again while we control the gimbal and it is not ready, in
    /// seconds.
    static let referenceInterval: Seconds = 0.5

    /// Whether we may move the gimbal.
    private(set) var isOurs = false
    /// The other component that may move it, or nil if there is none.
    private(set) var owner: Owner?
    private var grantedAt: Seconds = 0
    private var nextCheck: Seconds = 0
    /// Whether the gimbal must be moved again but is not under our control, so that the loop must be notified that it
    /// is not ready.
    private var owesRestart = false

    /// Starts again: the gimbal is greeted at `now`.
    mutating func restart(now: Seconds) { (isOurs, owner, nextCheck) = (false, nil, now) }

    /// Records that the gimbal was greeted and control was requested. The next check waits for the answer.
    mutating func requested(now: Seconds) { nextCheck = now + Self.requestInterval }

    /// Returns whether to check now which preconditions for moving the gimbal are missing.
    mutating func isCheckDue(now: Seconds) -> Bool {
        guard now >= nextCheck else { return false }
        nextCheck = now + (isOurs ? Self.referenceInterval : Self.requestInterval)
        return true
    }

    mutating func granted(now: Seconds) {
        if !isOurs { (grantedAt, nextCheck) = (now, now) }
        (isOurs, owner) = (true, nil)
    }

    /// Records that no component has control any more: it was given back, or our request has not arrived.
    mutating func vacated() { owner = nil }

    /// Records that another component now has control. Returns whether we had it before.
    mutating func lost(to owner: Owner) -> Bool {
        defer { (isOurs, self.owner) = (false, owner) }
        return isOurs
    }

    /// Records that control is needed again: it is requested at once, and the loop is notified of the restart with the
    /// next bytes.
    mutating func demand(now: Seconds) { (owesRestart, nextCheck) = (true, now) }

    /// Returns whether the loop must be notified now that the gimbal is not ready.
    mutating func takeRestart() -> Bool {
        defer { owesRestart = false }
        return owesRestart
    }

    /// Returns whether the gimbal has been under our control long enough that it must have obeyed by now.
    func isSettled(now: Seconds) -> Bool { isOurs && now - grantedAt > Self.requestInterval }
}
