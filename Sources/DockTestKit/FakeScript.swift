internal import ControlProtocol

/// How a fake daemon answers, by method, as a pure value.
struct FakeScript: Sendable {
    typealias Rule = @Sendable (FakeRequest) -> [FakeStep]

    /// The answers to the calls of one method, one after another. The last one is repeated.
    private struct Turns: Sendable {
        var rest: [[FakeStep]]

        mutating func next() -> [FakeStep] { rest.count > 1 ? rest.removeFirst() : rest.first ?? [.usual] }
    }

    private var turns: [String: Turns] = [:]
    /// The rule for all other methods.
    var rule: Rule = { _ in [.usual] }

    /// Answers the calls of a method with these steps, one list for each call.
    mutating func answer(_ method: String, inTurn steps: [[FakeStep]]) { turns[method] = Turns(rest: steps) }

    /// Returns the rule for this request, or its steps if they are known without a rule.
    mutating func next(_ request: FakeRequest) -> (steps: [FakeStep]?, rule: Rule) {
        (turns[request.method]?.next(), rule)
    }

    /// Answers as a recording does: one JSON object in each line, requests and answers in any order.
    mutating func replay(_ recording: String) {
        var methods: [[UInt8]: String] = [:], found: [String: [[FakeStep]]] = [:]
        let lines = recording.split(separator: "\n").compactMap { JSONValue(json: $0.utf8) }
        for line in lines {
            if let id = line["id"], let method = line["method"]?.string { methods[id.bytes] = method }
        }
        for line in lines where line["method"] == nil {
            guard let id = line["id"], let method = methods[id.bytes], let step = Self.step(line) else { continue }
            found[method, default: []].append([step])
        }
        for (method, steps) in found { answer(method, inTurn: steps) }
    }

    private static func step(_ answer: JSONValue) -> FakeStep? {
        if let result = answer["result"] { return .result(result) }
        guard let error = answer["error"] else { return nil }
        let name = error["data"]?["name"]?.string ?? "", message = error["message"]?.string ?? ""
        // On the wire the message begins with the name.
        let text = message.hasPrefix(name + ": ") ? String(message.dropFirst(name.count + 2)) : message
        return .refusal(
            APIErrorCode(rawValue: name) ?? .protocolError, text, hint: error["data"]?["hint"]?.string ?? "")
    }
}
