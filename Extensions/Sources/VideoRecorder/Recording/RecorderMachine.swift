public import Geometry

/// Decides what is recorded when: a pure value, with time handed in.
///
/// Frames reach it after the delay line, covered. What it returns must be carried out in order.
public struct RecorderMachine: Sendable, Equatable {
    /// After a stop, frames from before it may still arrive for this time, in seconds: those in the delay line.
    static let drain: Seconds = 2
    /// The longest time that a disk may take to answer, in seconds.
    static let patience: Seconds = 10
    /// How often a disk without room is tried again, in seconds.
    static let retry: Seconds = 10
    /// How long frames wait between their exposure and this machine, in seconds.
    private let delay: Seconds

    private(set) var requests = RecordingRequests()
    var plan: ChunkPlan
    var trouble = EncoderTrouble()
    /// Frames that were not recorded.
    public internal(set) var drops = Drops()
    /// The number of the last chunk.
    private(set) var chunk = 0
    var clock: ChunkClock?
    /// The exposures that are recorded: from the request until the stop.
    var span = RecordedSpan()
    var room = RoomState()
    var sign = SignState()
    /// When the last picture arrived, before the delay line; CLOCK_MONOTONIC.
    private var pictureAt: Seconds = -.infinity
    var isWarm = false
    private var isWatching = false

    /// Creates a machine that is off.
    /// - Parameters:
    ///   - length: of a chunk, in seconds.
    ///   - delay: how long frames wait between their exposure and this machine, in seconds.
    public init(length: Seconds, delay: Seconds) {
        (plan, self.delay) = (ChunkPlan(length: length), delay)
    }

    /// Sets the length of the chunks after the open one, in seconds.
    public mutating func set(length: Seconds) { plan.set(length: length) }

    /// Ends the open chunk at the next frame, which begins another one.
    public mutating func cut() { plan.cut() }

    /// What it does.
    public func state(now: Seconds) -> State {
        // Frames from before a stop are still recorded for a moment.
        guard requests.isActive || plan.open != nil else { return .off }
        if let problem = sign.problem { return .blocked(.indicator(problem)) }
        if let problem = room.problem { return .blocked(.disk(problem)) }
        // At the time of an attempt, people must see that it may succeed.
        if let problem = trouble.problem, now < trouble.retryAt { return .blocked(.encoder(problem)) }
        return now - pictureAt > ChunkPlan.patience ? .waiting : .recording
    }

    /// Until when it records, CLOCK_MONOTONIC; nil if that has no end.
    public var until: Seconds? { requests.until }

    /// Whether the disk has answered that there is room.
    var isRoomKnown: Bool { room.isThere }

    // MARK: requests

    /// A party wants a recording. `until`: CLOCK_MONOTONIC, nil for no end.
    public mutating func start(_ party: RecordingParty, until: Seconds? = nil, now: Seconds) -> [Action] {
        let wasActive = requests.isActive
        requests.start(party, until: until)
        var actions: [Action] = []
        if !wasActive {
            span.begin(at: now)
            actions = askForRoom(now)
        }
        return actions + refresh(now)
    }

    /// A party no longer wants a recording.
    public mutating func stop(_ party: RecordingParty, now: Seconds) -> [Action] {
        let wasActive = requests.isActive
        requests.stop(party)
        if wasActive, !requests.isActive { span.end(at: now) }
        return endIfDrained(now) + refresh(now)
    }

    /// No party wants a recording any more, and no frame follows.
    public mutating func finish(now: Seconds) -> [Action] {
        requests.stop(.person)
        span.end(at: now)
        return end(.stopped) + refresh(now)
    }

    // MARK: pictures

    /// A picture has arrived from the camera, and enters the delay line.
    public mutating func sawPicture(now: Seconds) -> [Action] {
        pictureAt = now
        return refresh(now)
    }

    /// Handles the next frame, which leaves the delay line.
    /// - Parameter isCrowded: whether so many encoders work on ended chunks that the open one should go on.
    public mutating func handleFrame(
        _ exposure: Seconds, _ size: PictureSize, isCrowded: Bool = false, _ reading: ClockReading
    ) -> [Action] {
        let now = reading.monotonic
        guard span.contains(exposure) else {
            return span.isPassed(by: exposure) ? end(.stopped) + refresh(now) : []
        }
        guard sign.isAnnounced(at: exposure) else {
            drops.unannounced += 1
            return []
        }
        // While no other encoder can be started, the open chunk goes on.
        let mayBegin = now >= trouble.retryAt
        guard room.isThere, mayBegin || plan.open != nil else {
            drops.blocked += 1
            return []
        }
        switch plan.handleFrame(exposure, size, isCrowded: isCrowded || !mayBegin, now: now) {
        case .skip:
            drops.timeless += 1
            return []
        case .add: return [.put]
        case .begin(let ending): return begin(exposure, size, ending, reading)
        }
    }

    private mutating func begin(
        _ exposure: Seconds, _ size: PictureSize, _ ending: ChunkEnd?, _ reading: ClockReading
    ) -> [Action] {
        var actions: [Action] = []
        if let ending { actions.append(.end(chunk, ending, next: ending == .length ? exposure : nil)) }
        chunk += 1
        let clock = ChunkClock(reading)
        (self.clock, isWarm) = (clock, false)
        let beginning = Beginning(
            id: chunk, exposure: exposure, date: clock.milliseconds(of: exposure), isDated: clock.isPlausible,
            size: size)
        return actions + [.begin(beginning), .put]
    }

    private mutating func endIfDrained(_ now: Seconds) -> [Action] {
        !requests.isActive && span.isDrained(now: now) ? end(.stopped) : []
    }

    mutating func end(_ reason: ChunkEnd) -> [Action] {
        guard plan.open != nil else { return [] }
        plan.end()
        (clock, isWarm) = (nil, false)
        return [.end(chunk, reason, next: nil)]
    }

    // MARK: time

    /// Does what is due.
    public mutating func tick(_ reading: ClockReading) -> [Action] {
        let now = reading.monotonic
        var actions: [Action] = []
        let wasActive = requests.isActive
        requests.expire(now: now)
        if wasActive, !requests.isActive {
            span.end(at: now)
            actions.append(.say("the time of this recording is over", isWarning: false))
        }
        actions += endIfDrained(now)
        if plan.open != nil {
            if now - pictureAt > ChunkPlan.patience { actions += end(.camera) }
            if let step = clock?.step(to: reading) { actions += end(.clock(step)) }
        }
        if !isWarm, now >= trouble.retryAt, plan.isWarmUpDue(now: now, delay: delay) {
            isWarm = true
            actions += [.warm] + askForRoom(now)
        }
        if requests.isActive, room.isLate(now: now) {
            actions += hasRoom(problem: "the disk does not answer", now: now)
        }
        if requests.isActive, room.isRetryDue(now: now) { actions += askForRoom(now) }
        if sign.isRetryDue(now: now) { sign.forget() }
        return actions + refresh(now)
    }

    /// The latest time for the next `tick`, CLOCK_MONOTONIC; nil if nothing is due.
    public func deadline(now: Seconds) -> Seconds? {
        var times: [Seconds?] = [requests.deadline]
        if requests.isActive {
            times += [room.retryAt, sign.retryAt]
            // Pictures that do not arrive are noticed, and so is a clock that is set.
            times.append(now + 0.5)
        } else if plan.open != nil {
            times.append(span.drainedAt)
        }
        if !isWarm, let border = plan.border {
            times.append(max(border - ChunkPlan.warmUp + delay, trouble.retryAt))
        }
        return times.compactMap { $0 }.min()
    }

    private mutating func askForRoom(_ now: Seconds) -> [Action] {
        room.asked(now: now)
        return [.makeRoom]
    }

    /// Returns what follows from the present state: what is shown, and whether the camera is watched.
    mutating func refresh(_ now: Seconds) -> [Action] {
        var actions: [Action] = []
        let isWanted = requests.isActive || plan.open != nil
        if isWanted != isWatching {
            isWatching = isWanted
            actions.append(.watch(isWanted))
            if !isWanted { pictureAt = -.infinity }
        }
        if let news = sign.news(for: state(now: now)) { actions.append(.show(news)) }
        return actions
    }
}
