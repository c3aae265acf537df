internal import ControlProtocol
internal import DockControl
internal import Geometry
internal import PictureShare
internal import RobotFace

/// Encodes the result of a call as JSON-RPC's result or error.
enum ControlResults {
    /// Returns the member of the answer: `"result": ...` or `"error": ...`.
    static func json(
        of reply: ControlReply, to call: ControlCall, version: String, now: Seconds
    ) -> Result<JSONValue, ControlError> {
        switch reply {
        case .words(.success(let outcome)): return .success(words(outcome))
        case .done: return .success(.object([:]))
        case .pictures(.success(let opening)): return .success(pictures(opening.layout))
        case .pictures(.failure(let error)): return .failure(ControlError(error))
        case .answer(.failure(let error)), .words(.failure(let error)): return .failure(ControlError(error))
        case .answer(.success(let outcome)):
            if case .status(let status) = outcome.value {
                let why = call == .command(.status(why: true))
                return .success(TopicEncoder.status(status, version: version, why: why, now: now))
            }
            // The resulting mode is not reported.
            if call == .command(.motion(.emergencyStop)) { return .success(.object([:])) }
            return .success(json(of: outcome.value))
        }
    }

    /// Returns the result of `subscribe` and `unsubscribe`: all current subscriptions.
    static func topics(_ topics: Set<Topic>) -> JSONValue {
        .object(["topics": .array(Topic.allCases.filter(topics.contains).map { .string($0.rawValue) })])
    }

    private static func pictures(_ layout: ShareLayout) -> JSONValue {
        .object([
            "width": .number(layout.width), "height": .number(layout.height),
            "format": .string(layout.format.rawValue), "slots": .number(layout.slots),
            "size": .number(layout.size),
        ])
    }

    /// Returns the text for a person, and the motion that began, so that a program can wait until it ends.
    private static func words(_ outcome: Outcome) -> JSONValue {
        var members: [String: JSONValue] = ["answer": .string(outcome.text)]
        if case .motion(let id, let duration) = outcome.value {
            members["motion"] = .number(id.value)
            members["duration"] = .number(duration)
        }
        return .object(members)
    }

    private static func json(of value: Outcome.Value) -> JSONValue {
        switch value {
        case .none, .status: .object([:])
        case .mode(let mode): .object(["mode": .string(mode.rawValue)])
        case .framing(let mode): .object(["framing": .string(mode.rawValue)])
        case .region(let region): .object(["region": .rect(region)])
        case .subject(let id): .object(["id": .number(id)])
        case .subjects(let ids): .object(["ids": .array(ids.map { .number($0) })])
        case .source(let name): .object(["source": .string(name)])
        case .tracked(let subjects, let rate):
            .object(["subjects": .number(subjects), "rate": .number(orNull: rate)])
        case .motion(let id, let duration): .object(["motion": .number(id.value), "duration": .number(duration)])
        case .limits(let pan, let tilt): .object(["limits": TopicEncoder.limits(pan: pan, tilt: tilt)])
        case .share(let share): .object(["share": .number(share)])
        case .torque(let on): .object(["torque": .bool(on)])
        case .face(let expression, let isRandom):
            .object(["expression": .string(expression.name), "random": .bool(isRandom)])
        case .gestures(let on): .object(["gestures": .bool(on)])
        case .name(let name): .object(["name": .string(name)])
        case .taught(let name, let duration): .object(["name": .string(name), "duration": .number(duration)])
        case .presets(let presets): .object(["presets": .object(presets.mapValues(JSONValue.panTilt))])
        case .motions(let motions):
            .object(["motions": .object(motions.mapValues { .object(["duration": .number($0)]) })])
        case .magnification(let factor): .object(["magnification": .number(factor)])
        case .recording(let on): .object(["recording": .bool(on)])
        case .device(let device): .object(["device": .number(device)])
        case .items(let count): .object(["items": .number(count)])
        case .heard(let isHeard): .object(["heard": .bool(isHeard)])
        case .used(let count): .object(["used": .number(count)])
        case .shown(let isShown): .object(["shown": .bool(isShown)])
        case .trace(let path, let records, let duration):
            .object(["path": .string(path), "records": .number(records), "duration": .number(duration)])
        case .latency(let shot): LatencyEncoder.json(shot)
        case .metrics(let status):
            .object([
                "contentType": .string(MetricsText.contentType),
                "text": .string(MetricsText.text(of: status, process: ProcessFigures.own())),
            ])
        case .lease(let seconds, let isRenewed):
            .object(["lease": .number(seconds), "renewed": .bool(isRenewed)])
        }
    }
}

/// Assembles the answers to a line: one, an array, or none for notifications.
enum ControlAnswer {
    /// Returns the answer to a line. `local` answers the calls that the server handles itself: `subscribe` and
    /// `unsubscribe`.
    static func line(
        _ line: RequestQueue.Line, version: String, now: Seconds,
        local: (ControlCall) -> Result<JSONValue, ControlError>
    ) -> [UInt8]? {
        var answers: [[UInt8]] = []
        for part in line.parts {
            let result: Result<JSONValue, ControlError>
            switch (part.request.call, part.reply) {
            case (.failure(let error), _): result = .failure(error)
            case (.success(let call), let reply?):
                result = ControlResults.json(of: reply, to: call, version: version, now: now)
            case (.success(let call), nil): result = local(call)
            }
            if let id = part.request.id { answers.append(answer(id, result)) }
        }
        guard !answers.isEmpty else { return nil }
        guard line.isBatch else { return answers[0] }
        return [UInt8(ascii: "[")] + answers.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    /// Returns one answer. The ID is returned unchanged, byte by byte.
    static func answer(_ id: [UInt8], _ result: Result<JSONValue, ControlError>) -> [UInt8] {
        var bytes = Array(#"{"id":"#.utf8) + id + Array(#","jsonrpc":"2.0","#.utf8)
        switch result {
        case .success(let value): bytes += Array(#""result":"#.utf8) + value.bytes
        case .failure(let error): bytes += Array(#""error":"#.utf8) + error.json.bytes
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
