internal import CPosix
internal import ControlProtocol
internal import DockTypes

/// The requests of the server's clients.
extension ControlServerLoop {
    /// Executes lines of a client, at least one and no more than fit into the time.
    func beginLines(_ client: ControlConnection, most: Int, until end: Seconds, now: Seconds) {
        var begun = 0
        while client.mayBeginLine, begun < most, begun == 0 || cposix_monotonic_now() < end,
            let item = client.nextLine()
        {
            begun += 1
            switch item {
            case .line(let bytes): begin(ControlLine(bytes), of: client, now: now)
            case .tooLong:
                let error = ControlError.parse(
                    "a line is longer than \(LineFramer.longest) bytes; the connection closes")
                begin(ControlLine(refused: error), of: client, now: now)
                client.stopReading()
                narrowAudience()
            }
            // Requests that are already answered (a refusal, a subscription) make room for more.
            answer(client, now: now)
        }
    }

    /// Detects a stop of a client that sends faster than it is served. The stop is executed at once, and once more in
    /// its turn after the requests before it.
    func hearStops(_ client: ControlConnection) {
        for line in client.waitingLines() { carryOutStops(line, of: client) }
    }

    /// Executes the stops of a line without an answer. Returns their number.
    @discardableResult
    func carryOutStops(_ line: ArraySlice<UInt8>, of client: ControlConnection) -> Int {
        guard line.containsStop else { return 0 }
        let stops = ControlLine(Array(line)).stops
        for stop in stops { backend.perform(client.isOwner ? stop : stop.ofGuest, client: client.number) { _ in } }
        return stops.count
    }

    func begin(_ line: ControlLine, of client: ControlConnection, now: Seconds) {
        let number = client.number
        if line.requests.contains(where: \.isCall) { backend.renewLease(of: number) }
        for (ticket, call) in client.queue.begin(line, now: now) {
            if case .openPictures = call {
                // Unsent descriptors of a client that does not read would use up the daemon's.
                guard !client.opensPictures else {
                    client.queue.finish(ticket, .pictures(.failure(ControlConnection.opening)))
                    continue
                }
                client.isOpening = true
            }
            let call = (client.isOwner ? call : call.ofGuest).made(by: client.slot.peer)
            backend.perform(call, client: number) { [mailbox] reply in
                mailbox.deliver(.init(client: number, ticket: ticket, reply: reply))
            }
        }
    }

    func answer(_ client: ControlConnection, now: Seconds) {
        client.queue.expire(now: now)
        while let line = client.queue.popReady() {
            let bytes = ControlAnswer.line(line, version: version, now: now) { local($0, client) }
            client.recordPictures(of: line)
            if let bytes, !client.outputEnded {
                client.outbox.answer(bytes, with: line.openings, refusal: refusal(of: line, client, now: now))
            }
        }
        client.recordAnswers()
    }

    /// Returns the answer that a line gets if its descriptors cannot be passed on, or nil if it has none. Subscriptions
    /// of the same batch have begun already.
    private func refusal(of line: RequestQueue.Line, _ client: ControlConnection, now: Seconds) -> [UInt8]? {
        guard !line.openings.isEmpty else { return nil }
        return ControlAnswer.line(line.withoutPictures(ControlConnection.stuck), version: version, now: now) { _ in
            .success(ControlResults.topics(client.outbox.topics))
        }
    }

    /// Handles a call in the server itself. Subscriptions begin and end with their answer, so that they keep their
    /// place in the order of requests.
    private func local(_ call: ControlCall, _ client: ControlConnection) -> Result<JSONValue, ControlError> {
        switch call {
        case .subscribe(let topics, let everyFrame):
            if !client.outputEnded, !client.input.isRefused { client.outbox.subscribe(topics, everyFrame: everyFrame) }
            if audience.covers(client.outbox.interest) {
                narrowAudience()
            } else {
                var wider = audience
                wider.formUnion(client.outbox.interest)
                setAudience(wider)
            }
        case .unsubscribe(let topics):
            client.outbox.unsubscribe(topics)
            narrowAudience()
        case .command, .words, .guestWords, .openPictures, .closePictures: break
        }
        return .success(ControlResults.topics(client.outbox.topics))
    }
}
