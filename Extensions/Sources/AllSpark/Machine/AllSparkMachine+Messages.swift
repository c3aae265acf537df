internal import ControlProtocol
internal import Geometry

extension AllSparkMachine {
    mutating func received(_ message: ServerMessage, _ now: Moment, _ actions: inout [Action]) {
        guard session != nil else { return }
        switch message {
        case .configuration(let members): configured(members, now, &actions)
        case .uploadRange(let range): requested(range, now, &actions)
        case .record(let request): wanted(request, now, &actions)
        case .answer(let answer): answered(answer, now, &actions)
        case .unknown(let what): say("ignored \(what)", now, &actions)
        }
    }

    // MARK: configuration

    private mutating func configured(_ members: [String: JSONValue], _ now: Moment, _ actions: inout [Action]) {
        guard var session else { return }
        session.isReady = true
        if session.variant == .unknown { session.variant = RecordingConfig.variant(of: members) }
        link = .open(session)
        let (new, complaints) = RecordingConfig.merge(members, into: terms)
        for complaint in complaints { say("clientConfig: \(complaint)", now, &actions) }
        guard new != config else { return }
        config = new
        actions.append(.configure(new))
    }

    // MARK: requests

    private mutating func requested(_ range: TimeRange, _ now: Moment, _ actions: inout [Action]) {
        let refusal: String? =
            if !terms.answersRequests {
                "refused, because the owner does not allow requests"
            } else if !gates.requests.admits(now: now.monotonic) || !queue.request(range) {
                "refused, because too many requests wait"
            } else {
                nil
            }
        report(.requested, "the server requests the chunks of \(range.text)", range, refusal, now, &actions)
    }

    private mutating func wanted(_ request: RecordRequest, _ now: Moment, _ actions: inout [Action]) {
        let uploads = request.wantsUpload && terms.answersRequests
        let limited = RecordRequest(
            duration: min(request.duration, terms.longestRecording), wantsUpload: uploads, camera: request.camera)
        let refusal: String? =
            if !terms.allowsRecording {
                "refused, because the owner does not allow it"
            } else if !gates.requests.admits(now: now.monotonic) {
                "refused, because too many requests wait"
            } else {
                nil
            }
        if refusal == nil {
            if uploads { uploadsUntil = max(uploadsUntil, now.unix + limited.duration) }
            actions.append(.startRecording(limited))
        }
        let seconds = Int(min(limited.duration, 86_400).rounded(.up))
        report(.recordRequested, "the server wants to record for \(seconds) s", nil, refusal, now, &actions)
    }

    /// Reports a request in the log and the audit file, followed or not.
    private mutating func report(
        _ what: AuditRecord.What, _ text: String, _ range: TimeRange?, _ refusal: String?, _ now: Moment,
        _ actions: inout [Action]
    ) {
        let line = "\(server.name): \(text)" + (refusal.map { "; \($0)" } ?? "")
        // A server that repeats itself must not fill the files.
        guard gates.lines.admits(refusal ?? line, now: now.monotonic) || refusal == nil else { return }
        actions.append(.log(line, isWarning: refusal != nil))
        audit(what, now, &actions, range: range, result: refusal ?? "allowed")
    }

    // MARK: answers

    private mutating func answered(_ answer: ServerAnswer, _ now: Moment, _ actions: inout [Action]) {
        switch answers.next {
        case nil:
            // Or the second refusal of one file.
            guard !answer.isSuccess, case .settling = course?.phase else {
                return say("ignored an answer that was not expected: \(answer.text)", now, &actions)
            }
            endSettling(now, &actions)
        case .announcement(let chunk):
            answers.pop()
            guard !answer.isSuccess else { return }
            say("the server does not want to hear of chunk \(chunk.number): \(answer.text)", now, &actions)
        case .file:
            answered(file: answer, now, &actions)
        }
    }
}
