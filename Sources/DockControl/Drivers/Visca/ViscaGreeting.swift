internal import Geometry

/// The greeting of a camera: one question after another, and the identity of the camera that answered.
struct ViscaGreeting: Sendable {
    /// The time between two greetings, and the time before a camera that is not ready is asked again, in seconds.
    static let interval: Seconds = 0.5
    /// The time before a question that failed is asked again, in seconds.
    static let retryInterval: Seconds = 0.1
    /// The number of attempts without an answer after which an optional question is skipped.
    static let attempts = 3

    /// The present question.
    private(set) var step = ViscaQuestion.addresses
    private var tries = 0
    /// When the present question is due.
    private(set) var due: Seconds = 0
    /// The identity of the camera, as far as it has answered.
    private(set) var identity: DockIdentity

    /// Begins with the first question at this time.
    init(_ camera: ViscaAddress, at time: Seconds = 0) {
        identity = DockIdentity(model: "VISCA camera", firmware: "unknown", uid: "visca-\(camera.number)")
        due = time
    }

    /// Continues with the next question, because the present one was answered or is skipped.
    mutating func advance(now: Seconds) {
        (tries, due) = (0, now)
        step = ViscaQuestion(rawValue: step.rawValue + 1) ?? .position
    }

    /// Handles a failure of the present question. Returns true if the greeting must start again because there may be no
    /// camera.
    mutating func failed(now: Seconds, isRefused: Bool) -> Bool {
        tries += 1
        due = now + Self.retryInterval
        guard tries >= Self.attempts else { return false }
        // Optional questions are skipped. If the camera reports neither its version nor its position, there may be no
        // camera.
        guard step != .position, step != .version || isRefused else { return true }
        advance(now: now)
        return false
    }

    /// Schedules the present question again for this time.
    mutating func retry(at time: Seconds) { due = time }

    /// Schedules the present question again after a while, because the camera is not ready for the next one.
    mutating func wait(now: Seconds) { (tries, due) = (0, now + Self.interval) }

    /// Records the manufacturer, the model and the firmware in the answer to the version inquiry, 7 bytes.
    mutating func identify(_ value: [UInt8], _ camera: ViscaAddress) {
        func word(_ index: Int) -> String {
            let digits = String(UInt16(value[index]) << 8 | UInt16(value[index + 1]), radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        let maker = word(0) == "0001" || word(0) == "0020" ? "Sony" : "maker \(word(0))"
        // The camera has no unique number; only its model and its address on the line are known.
        identity = DockIdentity(
            model: "\(maker) camera \(word(2))", firmware: word(4), uid: "visca-\(camera.number)-\(word(0))-\(word(2))")
    }
}
