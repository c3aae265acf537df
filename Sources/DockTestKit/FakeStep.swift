public import ControlProtocol

/// One thing that a fake daemon does, in reply to a request or by itself.
public enum FakeStep: Sendable, Equatable {
    /// Answers as the table of methods says: with a sample of the result's form, or with the refusal of a wrong call.
    case usual
    /// Answers with this result, whatever the table says.
    case result(JSONValue)
    /// Refuses, with an error of the API.
    case refusal(APIErrorCode, String, hint: String = "")
    /// Sends an event, also to a connection that has not subscribed to the topic.
    case event(Topic, JSONValue)
    /// Sends a line as it is, such as one that is no JSON. Its end is added.
    case line(String)
    /// Sends bytes as they are, such as a half line.
    case bytes([UInt8])
    /// Ends the connection, after everything before it was sent.
    case hangUp
}
