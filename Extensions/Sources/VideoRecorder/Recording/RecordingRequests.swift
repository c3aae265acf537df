public import Geometry

/// Who wants a recording.
public enum RecordingParty: Sendable, Hashable {
    /// A person at this machine: the command line, a key, the dock's button.
    case person
    /// A server, by its name, that the owner has allowed to start recordings.
    case server(String)
}

/// Who wants a recording now, and until when. Pure.
public struct RecordingRequests: Sendable, Equatable {
    private struct Request: Sendable, Equatable {
        var party: RecordingParty
        var until: Seconds?
    }

    /// The maximum number of parties.
    static let most = 16
    private var requests: [Request] = []

    /// Creates an empty list: no one wants a recording.
    public init() {}

    /// Whether one is wanted.
    public var isActive: Bool { !requests.isEmpty }

    /// When the last request ends, CLOCK_MONOTONIC; nil if one has no end, or if there is none.
    public var until: Seconds? {
        requests.allSatisfy { $0.until != nil } ? requests.compactMap(\.until).max() : nil
    }

    /// The next time at which a request ends, or nil.
    var deadline: Seconds? { requests.compactMap(\.until).min() }

    /// Adds a request, or replaces the same party's. `until`: CLOCK_MONOTONIC, nil for no end.
    mutating func start(_ party: RecordingParty, until: Seconds?) {
        let place = requests.firstIndex { $0.party == party }
        if let place {
            requests[place].until = until
        } else if requests.count < Self.most {
            requests.append(Request(party: party, until: until))
        }
    }

    /// Removes a party's request. A person's stop removes all: a server must not go on against it.
    mutating func stop(_ party: RecordingParty) {
        requests.removeAll { party == .person || $0.party == party }
    }

    /// Removes the requests that have ended.
    mutating func expire(now: Seconds) { requests.removeAll { $0.until.map { now >= $0 } ?? false } }
}

/// When an encoder that fails is started again. Pure.
struct EncoderTrouble: Sendable, Equatable {
    /// After this number of failures in a row, people should know.
    static let most = 3
    /// The longest time between two attempts, in seconds.
    static let longest: Seconds = 30

    /// The failures in a row.
    private(set) var failures = 0
    /// No attempt before this time, CLOCK_MONOTONIC.
    private(set) var retryAt: Seconds = -.infinity
    private(set) var reason = ""

    /// Records that an encoder failed. One that had made a fragment is tried again at once.
    mutating func failed(_ reason: String, hasWorked: Bool, now: Seconds) {
        failures = hasWorked ? 1 : failures + 1
        self.reason = reason
        let pause = failures <= 1 ? 0 : min(0.5 * Double(1 << min(failures - 2, 10)), Self.longest)
        retryAt = now + pause
    }

    /// Records that an encoder has made a fragment.
    mutating func worked() { (failures, retryAt, reason) = (0, -.infinity, "") }

    /// Why recording is not possible, or nil if it is, or if one attempt may still succeed.
    var problem: String? { failures >= Self.most ? reason : nil }
}
