internal import DockControl
internal import DockTypes
internal import Geometry
internal import PictureShare

/// The pending requests of one client. Answers are sent in the order of the requests, regardless of when they arrive.
struct RequestQueue {
    /// The place of an answer.
    struct Ticket: Sendable, Hashable {
        var line: Int
        var part: Int
    }

    /// A request and its answer, which is nil if not yet given.
    struct Part {
        var request: ControlRequest
        var reply: ControlReply?
        /// Whether it needs no answer from the backend, because it was refused or is handled when the answer is
        /// written.
        var isLocal: Bool
    }

    /// All requests of a line, with their answers.
    struct Line {
        var parts: [Part]
        var isBatch: Bool
        var deadline: Seconds

        var isReady: Bool { parts.allSatisfy { $0.isLocal || $0.reply != nil } }

        /// The descriptors that come with the answers.
        var openings: [PictureOpening] {
            parts.compactMap { part in
                guard part.request.id != nil, case .pictures(.success(let opening)) = part.reply else { return nil }
                return opening
            }
        }

        /// The same line, but with this error in place of the pictures.
        func withoutPictures(_ error: DockError) -> Line {
            var line = self
            for index in line.parts.indices {
                if case .pictures(.success) = line.parts[index].reply {
                    line.parts[index].reply = .pictures(.failure(error))
                }
            }
            return line
        }
    }

    /// The number of pending requests above which no more lines are accepted from a client.
    static let capacity = 32
    /// The time to wait for an answer, in seconds.
    static let patience: Seconds = 10

    private var lines: [Line] = []
    private var first = 0
    /// The number of pending requests.
    private(set) var count = 0

    /// Whether the next line has to wait.
    var isFull: Bool { count >= Self.capacity }
    var isEmpty: Bool { lines.isEmpty }

    /// Adds a line. Returns the calls to execute now, and the places of their answers.
    mutating func begin(_ line: ControlLine, now: Seconds) -> [(ticket: Ticket, call: ControlCall)] {
        var calls: [(Ticket, ControlCall)] = []
        var parts: [Part] = []
        for (index, request) in line.requests.enumerated() {
            var part = Part(request: request, isLocal: true)
            switch request.call {
            case .failure, .success(.subscribe), .success(.unsubscribe): break
            case .success(let call):
                part.isLocal = false
                calls.append((Ticket(line: first + lines.count, part: index), call))
            }
            parts.append(part)
        }
        lines.append(Line(parts: parts, isBatch: line.isBatch, deadline: now + Self.patience))
        count += parts.count
        return calls
    }

    /// Records an answer. A second answer, or one after the timeout, is ignored.
    mutating func finish(_ ticket: Ticket, _ reply: ControlReply) {
        let index = ticket.line - first
        guard lines.indices.contains(index), lines[index].parts.indices.contains(ticket.part),
            lines[index].parts[ticket.part].reply == nil
        else { return }
        lines[index].parts[ticket.part].reply = reply
    }

    /// Gives up on answers that did not arrive in time.
    mutating func expire(now: Seconds) {
        for index in lines.indices where now >= lines[index].deadline {
            for part in lines[index].parts.indices where lines[index].parts[part].reply == nil {
                lines[index].parts[part].reply = .answer(.failure(Self.overdue))
            }
        }
    }

    /// Returns the oldest line, once all its requests are answered.
    mutating func popReady() -> Line? {
        guard let line = lines.first, line.isReady else { return nil }
        lines.removeFirst()
        first += 1
        count -= line.parts.count
        return line
    }

    private static let overdue = DockError(
        .timeout, "no answer in \(Int(patience)) s", hint: "check the dock with `status`")
}
