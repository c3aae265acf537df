internal import Geometry

/// A COMMAND_LONG that is answered by a COMMAND_ACK.
struct MavlinkRequest: Sendable, Equatable {
    var command: MavlinkWriter.Command
    /// Whom it is for.
    var component: UInt8
    var numbers: [Float]

    /// What it is about, for messages.
    var text: String {
        switch command {
        case .configureManager: "control of the gimbal"
        case .setMessageInterval: "the rate of its attitude reports"
        case .requestMessage: "a report about itself"
        }
    }
}

/// Commands, one at a time, first come first: an answer names only the command.
struct MavlinkTalk: Sendable, Equatable {
    /// An answer comes within this, seconds; then it is asked again, so often.
    static let answerTime: Seconds = 0.25
    static let tries = 3
    /// One that is being worked on may take so long, seconds.
    static let workTime: Seconds = 5

    private(set) var asked: MavlinkRequest?
    private(set) var until: Seconds = 0
    private(set) var attempt = 0
    private var plan: [MavlinkRequest] = []

    /// To be asked, unless it is asked already.
    mutating func add(_ request: MavlinkRequest) {
        guard request != asked, !plan.contains(request) else { return }
        // A new rate replaces an old one that has not been asked for.
        plan.removeAll { $0.command == request.command && $0.numbers.first == request.numbers.first }
        plan.append(request)
    }

    mutating func clear() { self = MavlinkTalk() }

    /// What to write now: the next one, or the last one once more; nil: nothing. One that is never answered is dropped; who
    /// still wants it asks again.
    mutating func next(now: Seconds) -> MavlinkRequest? {
        if let request = asked {
            guard now >= until else { return nil }
            attempt += 1
            guard attempt >= Self.tries else {
                until = now + Self.answerTime
                return request
            }
            asked = nil
        }
        guard !plan.isEmpty else { return nil }
        let request = plan.removeFirst()
        (asked, attempt, until) = (request, 0, now + Self.answerTime)
        return request
    }

    /// An answer to a command has come; the request that it answers. 5: it is being worked on.
    mutating func answered(_ command: UInt16, result: UInt8, now: Seconds) -> MavlinkRequest? {
        guard let request = asked, request.command.rawValue == command else { return nil }
        if result == 5 {
            until = now + Self.workTime
            return nil
        }
        asked = nil
        return request
    }
}
