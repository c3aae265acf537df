internal import DockControl
internal import Geometry

/// The requests of one client that are on their way: answers go out in the order of the requests, whenever they come.
struct RequestQueue {
    /// Where an answer belongs.
    struct Ticket: Sendable, Hashable {
        var line: Int
        var part: Int
    }

    /// A request and what came of it; nil: nothing yet.
    struct Part {
        var request: ControlRequest
        var reply: ControlReply?
        /// It needs nobody's answer: it was refused, or is done where it is told.
        var isLocal: Bool
    }

    /// All requests of a line, with their answers.
    struct Line {
        var parts: [Part]
        var isBatch: Bool
        var deadline: Seconds

        var isReady: Bool { parts.allSatisfy { $0.isLocal || $0.reply != nil } }
    }

    /// With so many requests under way a client is not read any more.
    static let capacity = 32
    /// Whoever has not answered after this will not, seconds.
    static let patience: Seconds = 10

    private var lines: [Line] = []
    private var first = 0
    /// Requests under way.
    private(set) var count = 0

    /// Whether the next line has to wait.
    var isFull: Bool { count >= Self.capacity }
    var isEmpty: Bool { lines.isEmpty }

    /// Takes a line; what is to be carried out now, and where the answers belong.
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

    /// An answer came. A second one, or one that comes after the patience was over, is not heard.
    mutating func finish(_ ticket: Ticket, _ reply: ControlReply) {
        let index = ticket.line - first
        guard lines.indices.contains(index), lines[index].parts.indices.contains(ticket.part),
            lines[index].parts[ticket.part].reply == nil
        else { return }
        lines[index].parts[ticket.part].reply = reply
    }

    /// Gives up on answers that stayed out.
    mutating func expire(now: Seconds) {
        for index in lines.indices where now >= lines[index].deadline {
            for part in lines[index].parts.indices where lines[index].parts[part].reply == nil {
                lines[index].parts[part].reply = .answer(.failure(Self.overdue))
            }
        }
    }

    /// The oldest line, once all of it is answered.
    mutating func takeReady() -> Line? {
        guard let line = lines.first, line.isReady else { return nil }
        lines.removeFirst()
        first += 1
        count -= line.parts.count
        return line
    }

    private static let overdue = DockError(
        .timeout, "no answer in \(Int(patience)) s", hint: "ask `status` whether the dock is there")
}
