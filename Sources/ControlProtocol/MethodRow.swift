/// What a method does to the dock. This decides who may call it.
public enum MethodKind: String, Sendable {
    /// Stops: allowed for every client, always.
    case stop
    /// Neither reads nor writes the dock.
    case free
    /// Reserved for people.
    case person
    /// Reads.
    case read
    /// Sets what steers the dock.
    case mode
    /// Moves the head.
    case motion
    /// Switches the torque.
    case torque
    /// Changes limits and speed.
    case tuning
    /// Releases a latch.
    case clear
    /// Writes anything else.
    case write
    /// Concerns the topics of the connection.
    case topics
    /// Concerns the pictures that the connection sees.
    case pictures
    /// Depends on what its line of words does.
    case words
}

/// A method of the control API.
public struct MethodRow: Sendable {
    /// Its name.
    public let name: String
    /// Its parameters, given by name.
    public let parameters: [Field]
    /// Whether exactly one of its parameters is given.
    public let isChoice: Bool
    /// The form of its result.
    public let result: Shape
    /// What it does to the dock.
    public let kind: MethodKind
    /// The topic that reports its effect, or nil if there is none.
    public let topic: Topic?
    /// The command word that does the same, or nil if there is none.
    public let word: String?
    /// What the method does, in one sentence.
    public let does: String

    init(
        _ name: String, _ parameters: [Field] = [], isChoice: Bool = false, gives result: Shape, _ kind: MethodKind,
        topic: Topic? = nil, word: String? = nil, _ does: String
    ) {
        self.name = name
        self.parameters = parameters
        self.isChoice = isChoice
        self.result = result
        self.kind = kind
        self.topic = topic
        self.word = word
        self.does = does
    }

    /// Whether a call has parameters that must be given.
    public var needsParameters: Bool { isChoice || parameters.contains(where: \.isRequired) }
}
