public import Geometry

/// One answer of a detector.
public struct FinderView: Sendable, Equatable {
    /// The number of the picture, or nil if it has none.
    public var sequence: Int?
    /// When it was taken, CLOCK_MONOTONIC.
    public var time: Seconds
    /// What it shows.
    public var boxes: [SeenBox]

    /// Creates a view.
    public init(sequence: Int? = nil, time: Seconds, boxes: [SeenBox]) {
        (self.sequence, self.time, self.boxes) = (sequence, time, boxes)
    }
}

/// Where the head was at one time.
public struct HeadPose: Sendable, Equatable {
    /// CLOCK_MONOTONIC.
    public var time: Seconds
    /// In radians.
    public var pose: PanTilt
    /// How fast the faster axis turned, in rad/s.
    public var rate: Double

    /// Creates a pose.
    public init(time: Seconds, pose: PanTilt, rate: Double) { (self.time, self.pose, self.rate) = (time, pose, rate) }
}

/// What happens.
public enum FinderEvent: Sendable, Equatable {
    /// The dock has reported a pose.
    case head(HeadPose)
    /// A detector has answered.
    case view(FinderView)
    /// A verifier has answered, or could not be asked.
    case answer(VerifierAnswer)
    /// No verifier can judge anything any more, for this reason: one cannot work, or nothing is left to pay it.
    case unusable(String)
    /// The head may not be turned any more, and why: a person took it, it was stopped, or it is gone.
    case interrupted(String)
    /// A person wants an interrupted search to go on.
    case resume
    /// A person does not want the search any more.
    case cancel
    /// Time has passed.
    case tick
}

/// What to do, in this order.
public enum FinderAction: Sendable, Equatable {
    /// Turn the head to a pose, in radians.
    case look(PanTilt)
    /// Ask the verifier.
    case ask(FinderRequest)
    /// Stop waiting for the answer to the request with this number.
    case drop(Int)
    /// Show how the search goes on the robot's face.
    case mood(FinderMood)
    /// Offer a sentence to programs that speak.
    case say(String)
    /// Keep where the thing is.
    case remember(Remembrance)
    /// The thing is not where it was remembered.
    case missed(String)
    /// The search is over.
    case end(FinderOutcome)
}

/// How the robot's face shows a search.
public enum FinderMood: String, Sendable, CaseIterable {
    /// It looks round.
    case curious
    /// It waits for an answer.
    case thinking
    /// It has found the thing.
    case happy
    /// It has given up.
    case sad
}

/// How a search ended.
public enum FinderOutcome: Sendable, Equatable {
    /// The thing is at this bearing, in radians.
    case found(PanTilt)
    /// It was not found, for this reason.
    case givenUp(String)
    /// The search could not go on, for this reason.
    case blocked(String)
    /// A person has ended it.
    case cancelled
}
