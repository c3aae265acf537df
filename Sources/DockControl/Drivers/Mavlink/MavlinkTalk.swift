internal import Geometry

/// A COMMAND_LONG that is answered by a COMMAND_ACK.
struct MavlinkRequest: Sendable, Equatable {
    var command: MavlinkWriter.Command
    /// The component to which it is addressed.
    var component: UInt8
    var numbers: [Float]

    /// The subject of the request, for messages.
    var text: String {
        switch command {
        case .configureManager: "control of the gimbal"
        case .setMessageInterval: "the rate of its attitude reports"
        case .requestMessage: "a report about itself"
        }
    }
}

/// The commands, one at a time, in first-come, first-served order. An answer names only the command.
struct MavlinkTalk: Sendable, Equatable {
    /// The time to wait for an answer, in seconds. If none arrives, the request is sent again, `tries` times in all.
    static let answerTime: Seconds = 0.25
    static let tries = 3
    /// The time that a command in progress may take, in seconds.
    static let workTime: Seconds = 5

    private(set) var asked: MavlinkRequest?
    private(set) var until: Seconds = 0
    private(set) var attempt = 0
    private var plan: [MavlinkRequest] = []

    /// Queues a request unless it is pending already.
    mutating func add(_ request: MavlinkRequest) {
        guard request != asked, !plan.contains(request) else { return }
        // A new rate replaces an older one that has not been sent.
        plan.removeAll { $0.command == request.command && $0.numbers.first == request.numbers.first }
        plan.append(request)
    }

    mutating func clear() { self = MavlinkTalk() }

    /// Returns the request to write now, which is the next one or a repetition of the last one. It is nil if there is
    /// none. A request that is never answered is dropped. It is added again if it is still needed.
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

    /// Processes an answer to a command, and returns the request that it answers. Result 5 means in progress.
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
