internal import Geometry

/// The greeting of a camera: one question after the other, and who answered.
struct ViscaGreeting: Sendable {
    /// Time between two greetings, and before a camera that must be waited for is asked again, seconds.
    static let interval: Seconds = 0.5
    /// Time before a question that failed is asked again, seconds.
    static let retryInterval: Seconds = 0.1
    /// After this many attempts without an answer, a question that a camera need not know is skipped.
    static let attempts = 3

    /// The present question.
    private(set) var step = ViscaQuestion.addresses
    private var tries = 0
    /// When it is due.
    private(set) var due: Seconds = 0
    /// Who the camera is, as far as it has answered.
    private(set) var identity: DockIdentity

    /// Begins with the first question at this time.
    init(_ camera: ViscaAddress, at time: Seconds = 0) {
        identity = DockIdentity(model: "VISCA camera", firmware: "unknown", uid: "visca-\(camera.number)")
        due = time
    }

    /// The present question was answered, or is skipped.
    mutating func advance(now: Seconds) {
        (tries, due) = (0, now)
        step = ViscaQuestion(rawValue: step.rawValue + 1) ?? .position
    }

    /// The present question failed. Returns true if the greeting must start again: there may be no camera.
    mutating func failed(now: Seconds, isRefused: Bool) -> Bool {
        tries += 1
        due = now + Self.retryInterval
        guard tries >= Self.attempts else { return false }
        // What a camera need not know is skipped. If it reports neither its version nor its position, there may be no camera.
        guard step != .position, step != .version || isRefused else { return true }
        advance(now: now)
        return false
    }

    /// The present question is asked again at this time.
    mutating func retry(at time: Seconds) { due = time }

    /// The present question is asked again after a while: the camera is not ready for the next one.
    mutating func wait(now: Seconds) { (tries, due) = (0, now + Self.interval) }

    /// Records the maker, the model and the firmware in the answer to the version inquiry, 7 bytes.
    mutating func identify(_ value: [UInt8], _ camera: ViscaAddress) {
        func word(_ index: Int) -> String {
            let digits = String(UInt16(value[index]) << 8 | UInt16(value[index + 1]), radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        let maker = word(0) == "0001" || word(0) == "0020" ? "Sony" : "maker \(word(0))"
        // The camera has no unique number: its model and its address on the line are all that is known.
        identity = DockIdentity(
            model: "\(maker) camera \(word(2))", firmware: word(4), uid: "visca-\(camera.number)-\(word(0))-\(word(2))")
    }
}
