internal import Geometry

/// Control of the gimbal: who may move it. Other components can take it.
struct MavlinkControl: Sendable {
    typealias Owner = (system: UInt8, component: UInt8)

    /// Control that was refused, or whose request was not answered, is requested again after this time, seconds.
    static let requestInterval: Seconds = 2
    /// While the gimbal is ours and not ready, its reference of yaw is selected again after this time, seconds.
    static let referenceInterval: Seconds = 0.5

    /// Whether we may move the gimbal.
    private(set) var isOurs = false
    /// The other component that may; nil: none.
    private(set) var owner: Owner?
    private var grantedAt: Seconds = 0
    private var nextCheck: Seconds = 0
    /// The gimbal must be moved again and is not ours: the loop must learn that it is not ready.
    private var owesRestart = false

    /// The gimbal is greeted again.
    mutating func restart(now: Seconds) { (isOurs, owner, nextCheck) = (false, nil, now) }

    /// The gimbal was greeted, and control requested: the next check waits for the answer.
    mutating func requested(now: Seconds) { nextCheck = now + Self.requestInterval }

    /// Whether to check now what is missing until the gimbal can be moved.
    mutating func isCheckDue(now: Seconds) -> Bool {
        guard now >= nextCheck else { return false }
        nextCheck = now + (isOurs ? Self.referenceInterval : Self.requestInterval)
        return true
    }

    mutating func granted(now: Seconds) {
        if !isOurs { (grantedAt, nextCheck) = (now, now) }
        (isOurs, owner) = (true, nil)
    }

    /// No component has control any more: it was given back, or our request has not arrived.
    mutating func vacated() { owner = nil }

    /// Another component has control now. Returns whether it was ours.
    mutating func lost(to owner: Owner) -> Bool {
        defer { (isOurs, self.owner) = (false, owner) }
        return isOurs
    }

    /// Control is needed again: it is requested at once, and the loop learns of the restart with the next bytes.
    mutating func demand(now: Seconds) { (owesRestart, nextCheck) = (true, now) }

    /// Whether the loop must learn now that the gimbal is not ready.
    mutating func takeRestart() -> Bool {
        defer { owesRestart = false }
        return owesRestart
    }

    /// Whether the gimbal has been ours long enough that it must have obeyed by now.
    func isSettled(now: Seconds) -> Bool { isOurs && now - grantedAt > Self.requestInterval }
}
