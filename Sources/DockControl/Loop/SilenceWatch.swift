internal import Geometry

/// Decides when a dock that no longer sends, or no longer receives, must stop and be greeted again.
struct SilenceWatch: Sendable, Equatable {
    /// The time without a report after which a requested motion ends, in seconds. A person who saw the head come to
    /// rest must not see it resume by itself.
    static let hesitation: Seconds = 0.5
    /// The time without a report after which the handshake is repeated, in seconds.
    static let silence: Seconds = 1
    /// The time after which a dock that is moved and reports that its deadman stopped it counts as deaf, in seconds:
    /// twice its deadman.
    static let deafness: Seconds = 0.5

    /// When the dock became ready.
    private var readyAt: Seconds = 0
    /// Since when the dock has reported, while it was moved, that it receives no set-points.
    private var unheardSince: Seconds?

    /// Records that the dock became ready. A dock that never reports counts as silent from here on.
    mutating func becameReady(now: Seconds) { readyAt = now }

    // MARK: A dock that does not receive

    /// Records the dock's report on whether it receives set-points. A condition that began during motion persists
    /// through pauses.
    /// - Returns: whether the dock receives nothing and has been moved since then.
    mutating func reported(isUnheard: Bool, isMoving: Bool, now: Seconds) -> Bool {
        guard isUnheard else {
            unheardSince = nil
            return false
        }
        if isMoving { unheardSince = unheardSince ?? now }
        return unheardSince != nil
    }

    /// Returns whether the dock has received nothing for too long. It is true once.
    mutating func isDeaf(now: Seconds) -> Bool {
        guard let since = unheardSince, now - since > Self.deafness else { return false }
        unheardSince = nil
        return true
    }

    // MARK: A dock that does not send

    /// Returns whether a requested motion must end. `latest` is the time of the newest report, or nil if there is none.
    func hasPaused(latest: Seconds?, now: Seconds) -> Bool { latest.map { now - $0 > Self.hesitation } ?? false }

    /// Returns whether the dock has sent nothing for too long.
    func isSilent(latest: Seconds?, now: Seconds) -> Bool {
        now - (latest ?? readyAt) > Self.silence && !SafetyMutant.missesSilence.isOn
    }

    /// Returns when the dock counts as silent if no report arrives.
    func deadline(latest: Seconds?) -> Seconds { (latest ?? readyAt) + Self.silence }
}
