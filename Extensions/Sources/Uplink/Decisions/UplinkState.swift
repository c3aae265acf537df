public import Geometry

/// What a person sees of the connection.
public enum UplinkState: Sendable, Equatable {
    /// The owner wants none.
    case off
    /// An attempt is running.
    case connecting
    /// There is a connection, and the server has not said yet that it knows this robot.
    case authenticating
    /// The server knows this robot, and no pictures are sent.
    case paused
    /// Pictures are sent.
    case streaming
    /// There is no connection, and why. It is tried again soon.
    case waiting(String)
    /// The server and this robot do not trust each other, and why. It is tried again once a minute.
    case refused(String)

    /// The state in words, for a server of this name.
    public func text(_ server: String) -> String {
        switch self {
        case .off: "no connection to \(server)"
        case .connecting: "connecting to \(server)"
        case .authenticating: "\(server) is asked to accept this robot"
        case .paused: "connected to \(server); no frames are sent"
        case .streaming: "sending frames to \(server)"
        case .waiting(let reason): "no connection to \(server): \(reason)"
        case .refused(let reason): "\(server): \(reason); tried again in a minute"
        }
    }
}

/// Figures of a connection, for people.
public struct UplinkReadout: Sendable, Equatable {
    /// Pictures a second that the server has read, over the last two seconds.
    public var rate = 0.0
    /// Pictures that were sent, and that were left out because the server or the network was not ready.
    public var sent = 0, dropped = 0
    /// Millions of bits a second that were sent, over the last two seconds.
    public var megabits = 0.0
    /// The time there and back, and the age of the newest picture that the server has read.
    public var roundTrip: Seconds?, age: Seconds?
    /// The shape of the pictures.
    public var shape = FrameShape()
    /// The age of the server's newest report of people when it arrived, or nil if it sends none.
    public var peopleAge: Seconds?

    /// Creates figures before the first connection.
    public init() {}
}
