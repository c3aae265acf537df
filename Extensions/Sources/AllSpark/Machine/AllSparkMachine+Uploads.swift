internal import Geometry

extension AllSparkMachine {
    // MARK: requests

    mutating func upload(_ range: TimeRange, _ actions: inout [Action]) {
        guard !queue.request(range) else { return }
        actions.append(.log("\(server.name): too many uploads wait; \(range.text) was not added", isWarning: true))
    }

    mutating func recorded(_ chunk: ChunkReference, _ now: Moment, _ actions: inout [Action]) {
        guard link != .stopped else { return }
        if chunk.start < uploadsUntil, !queue.add(chunk) {
            say("too many uploads wait; chunk \(chunk.number) was not added", now, &actions, isWarning: true)
        }
        guard terms.announcesChunks else { return }
        announcements.append(chunk)
        // A server can still request the chunks that it does not hear of.
        if announcements.count > Self.mostAnnouncements { announcements.removeFirst() }
    }

    mutating func found(
        _ number: Int, _ chunks: [ChunkReference], _ isComplete: Bool, _ now: Moment, _ actions: inout [Action]
    ) {
        guard let search = queue.found(number, chunks, isComplete: isComplete), chunks.isEmpty else { return }
        say("no chunk is kept of \(search.range.text)", now, &actions)
    }

    // MARK: the next step

    /// Begins what can begin now.
    mutating func proceed(_ now: Moment, _ actions: inout [Action]) {
        if link != .stopped, let search = queue.nextSearch() { actions.append(.find(search)) }
        guard let session, session.isReady, !session.isWriting else { return }
        if course?.allowsOthers ?? true, answers.hasRoom, !announcements.isEmpty {
            return announce(announcements.removeFirst(), now, &actions)
        }
        guard !isHeld(session) else { return }
        while course == nil, now.monotonic >= pausedUntil, let task = queue.take() { begin(task, session, &actions) }
        if course?.phase == .ready { sendMetadata(now, &actions) }
    }

    /// Whether the server does not want files over this medium.
    func isHeld(_ session: Session) -> Bool { session.facts.medium.map(config.forbidden.contains) ?? false }

    private mutating func announce(_ chunk: ChunkReference, _ now: Moment, _ actions: inout [Action]) {
        var chunk = chunk
        chunk.format = format(of: chunk)
        answers.expect(.announcement(chunk), now: now.monotonic)
        audit(.announced, now, &actions, bytes: chunk.bytes, range: chunk.range)
        write(.send(ClientMessage.chunkSaved(chunk).bytes), &actions)
    }

    /// The container in which a chunk is uploaded: the one that the server wants.
    private func format(of chunk: ChunkReference) -> VideoFormat { config.video ?? chunk.format }

    private mutating func begin(_ task: UploadTask, _ session: Session, _ actions: inout [Action]) {
        var task = task
        let wanted = task.missing ?? [.video(task.chunk.format)] + config.companions(of: task.chunk)
        let roles = wanted.map { $0.isVideo ? .video(format(of: task.chunk)) : $0 }
        // The server may have become another one since the last attempt.
        let takesCompanions = naming.allowsCompanions && session.variant == .python
        task.missing = roles.filter { $0.isVideo || takesCompanions }
        let course = UploadCourse(task)
        guard let need = course.need else { return queue.finish() }
        self.course = course
        actions.append(.prepare(need))
    }

    mutating func prepared(_ need: FileNeed, _ bytes: Int, _ now: Moment, _ actions: inout [Action]) {
        guard course?.need == need else { return actions.append(.release(need)) }
        // A second answer about the file that is in use, from before a connection ended.
        guard course?.phase == .preparing else { return }
        let limit = UploadCourse.limit(of: session?.variant ?? .unknown)
        guard bytes <= limit else {
            return giveUp("\(bytes) bytes are more than the \(limit) that the server takes", now, &actions)
        }
        course?.bytes = max(0, bytes)
        course?.phase = .ready
    }

    mutating func unavailable(_ need: FileNeed, _ reason: String, _ actions: inout [Action]) {
        guard course?.need == need, course?.phase == .preparing else { return }
        let file = "chunk \(need.chunk) (\(need.role.suffix))"
        actions.append(.log("\(server.name): \(file) is not uploaded: \(reason)", isWarning: true))
        if need.role.isVideo { finishCourse() } else { next(&actions) }
    }

    // MARK: one file

    private mutating func sendMetadata(_ now: Moment, _ actions: inout [Action]) {
        guard let course, let need = course.need else { return }
        let name = naming.name(of: need.role, for: course.task.chunk)
        self.course?.phase = .metadata
        answers.expect(.file(need), bytes: course.bytes, now: now.monotonic)
        audit(.sending, now, &actions, file: name, bytes: course.bytes, range: course.task.chunk.range)
        let message = ClientMessage.upload(name: name, bytes: course.bytes, mediaType: need.role.mediaType)
        write(.send(message.bytes), &actions)
    }

    mutating func written(_ now: Moment, _ actions: inout [Action]) {
        guard var session else { return }
        session.isWriting = false
        link = .open(session)
        guard let course, let need = course.need else { return }
        switch course.phase {
        // The server has refused the metadata, so it does not want the content.
        case .metadata where course.refusal != nil: beginSettling(now)
        case .metadata:
            self.course?.phase = .content
            write(.sendFile(need, bytes: course.bytes), &actions)
        case .content where course.refusal != nil: beginSettling(now)
        case .content: self.course?.phase = .answering
        case .preparing, .ready, .answering, .settling: break
        }
    }

    mutating func write(_ action: Action, _ actions: inout [Action]) {
        guard var session else { return }
        session.isWriting = true
        link = .open(session)
        actions.append(action)
    }

    mutating func answered(file answer: ServerAnswer, _ now: Moment, _ actions: inout [Action]) {
        guard let course else { return }
        if answer.isSuccess {
            // The server cannot have stored what it does not have, and a file does not count as stored by mistake.
            guard course.phase == .answering, !answer.isAboutAnotherMessage else {
                return say("ignored a success that is not about the file: \(answer.text)", now, &actions)
            }
            answers.pop()
            return confirmed(answer, now, &actions)
        }
        answers.pop()
        self.course?.refusal = answer.text
        if course.phase == .answering { beginSettling(now) }
    }

    private mutating func confirmed(_ answer: ServerAnswer, _ now: Moment, _ actions: inout [Action]) {
        guard let course, let need = course.need else { return }
        audit(
            .sent, now, &actions, file: naming.name(of: need.role, for: course.task.chunk), bytes: course.bytes,
            range: course.task.chunk.range, result: answer.text)
        if need.role.isVideo { actions.append(.uploaded(chunk: need.chunk)) }
        actions.append(.release(need))
        next(&actions)
    }

    /// Goes on with the next file of the chunk, or ends it.
    private mutating func next(_ actions: inout [Action]) {
        guard var task = course?.task else { return }
        task.missing?.removeFirst()
        let following = UploadCourse(task)
        guard let need = following.need else { return finishCourse() }
        course = following
        actions.append(.prepare(need))
    }

    private mutating func finishCourse(again task: UploadTask? = nil) {
        course = nil
        queue.finish(again: task)
    }
}
