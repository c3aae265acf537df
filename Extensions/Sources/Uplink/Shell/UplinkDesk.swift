public import Aerie
public import Geometry

/// What the conversation needs of the program: the robot's screen, pictures, and a place for news.
public protocol UplinkDesk: Sendable {
    /// Shows on the robot that frames are sent. Returns why that is impossible, or nil.
    func sign() async -> String?
    /// Returns the message of the newest picture in a shape, or nil if there is none.
    func payload(_ shape: FrameShape) async -> [UInt8]?
    /// The next picture of a video must need no other one.
    func keyFrame()
    /// Receives news.
    func note(_ news: UplinkNews)
}

/// News of a conversation.
public enum UplinkNews: Sendable {
    /// The state, and the same in words.
    case state(UplinkState, String)
    /// A line for the log.
    case log(String, isWarning: Bool)
    /// Where people were at this time, CLOCK_MONOTONIC.
    case people(PoseReport, time: Seconds)
}
