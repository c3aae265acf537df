internal import Geometry

/// Decides when a dock that no longer sends, or no longer receives, must stand and get another handshake.
struct SilenceWatch: Sendable, Equatable {
    /// After this time without a report a requested motion ends, seconds: a person who saw the head stand still must not see it
    /// resume by itself.
    static let hesitation: Seconds = 0.5
    /// After this time without a report the handshake is repeated, seconds.
    static let silence: Seconds = 1
    /// A dock that is moved and reports for this long that its deadman stopped it does not receive, seconds: twice its deadman.
    static let deafness: Seconds = 0.5

    /// When the dock became ready.
    private var readyAt: Seconds = 0
    /// Since when the dock has reported, while it was moved, that it receives no set-points.
    private var unheardSince: Seconds?

    /// The dock became ready: a dock that never reports counts as silent from here on.
    mutating func becameReady(now: Seconds) { readyAt = now }

    // MARK: A dock that does not receive

    /// The dock reported whether it receives set-points. A condition that began during motion lasts through pauses.
    /// - Returns: whether the dock does not receive and was moved since.
    mutating func reported(isUnheard: Bool, isMoving: Bool, now: Seconds) -> Bool {
        guard isUnheard else {
            unheardSince = nil
            return false
        }
        if isMoving { unheardSince = unheardSince ?? now }
        return unheardSince != nil
    }

    /// Whether the dock has not received for too long; true once.
    mutating func isDeaf(now: Seconds) -> Bool {
        guard let since = unheardSince, now - since > Self.deafness else { return false }
        unheardSince = nil
        return true
    }

    // MARK: A dock that does not send

    /// Whether a requested motion must end. `latest` is the time of the newest report, nil: there is none.
    func hasPaused(latest: Seconds?, now: Seconds) -> Bool { latest.map { now - $0 > Self.hesitation } ?? false }

    /// Whether the dock has sent nothing for too long.
    func isSilent(latest: Seconds?, now: Seconds) -> Bool {
        now - (latest ?? readyAt) > Self.silence && !SafetyMutant.missesSilence.isOn
    }

    /// When the dock counts as silent if no report comes.
    func deadline(latest: Seconds?) -> Seconds { (latest ?? readyAt) + Self.silence }
}
