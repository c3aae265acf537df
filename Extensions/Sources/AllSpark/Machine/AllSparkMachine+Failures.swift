internal import Geometry

extension UploadCourse {
    /// When the second refusal is no longer waited for.
    var settlesAt: Seconds? { if case .settling(let until) = phase { until } else { nil } }
}

extension AllSparkMachine {
    // MARK: refusals

    mutating func beginSettling(_ now: Moment) {
        course?.phase = .settling(until: now.monotonic + UploadCourse.settling)
    }

    mutating func settle(_ now: Moment, _ actions: inout [Action]) {
        guard let until = course?.settlesAt, now.monotonic >= until else { return }
        endSettling(now, &actions)
    }

    /// Tries a refused file again later, or gives it up.
    mutating func endSettling(_ now: Moment, _ actions: inout [Action]) {
        guard var task = course?.task, let need = course?.need else { return }
        let refusal = course?.refusal ?? "refused"
        pausedUntil = now.monotonic + UploadCourse.pause
        task.refusals += 1
        guard task.refusals < UploadCourse.mostRefusals else { return giveUp(refusal, now, &actions) }
        failed("the server refused it: \(refusal)", now, &actions)
        actions.append(.release(need))
        course = nil
        queue.finish(again: task)
    }

    // MARK: broken connections

    /// Puts the file that was being sent back, because the connection has ended. It is sent again from its beginning.
    mutating func breakCourse(isTooLarge: Bool, _ now: Moment, _ actions: inout [Action]) {
        guard let course, let need = course.need else { return }
        var task = course.task
        guard course.hasLeft else {
            actions.append(.release(need))
            self.course = nil
            return queue.finish(again: task)
        }
        if isTooLarge { return giveUp("the server says that it is too large", now, &actions) }
        task.breaks += 1
        guard task.breaks < UploadCourse.mostBreaks else {
            return giveUp("the connection ended \(task.breaks) times while it was sent", now, &actions)
        }
        failed("the connection ended before the server confirmed it", now, &actions)
        actions.append(.release(need))
        self.course = nil
        queue.finish(again: task)
    }

    // MARK: ends

    /// Gives up a file. A chunk's companions are given up with its video; the owner or the server can request it again.
    mutating func giveUp(_ reason: String, _ now: Moment, _ actions: inout [Action]) {
        guard let course, let need = course.need else { return }
        failed("given up: \(reason)", now, &actions)
        actions.append(.log("\(server.name): chunk \(need.chunk) is not uploaded: \(reason)", isWarning: true))
        actions.append(.release(need))
        self.course = nil
        var rest = course.task
        rest.missing?.removeFirst()
        (rest.refusals, rest.breaks) = (0, 0)
        queue.finish(again: need.role.isVideo || rest.missing?.isEmpty ?? true ? nil : rest)
    }

    private func failed(_ result: String, _ now: Moment, _ actions: inout [Action]) {
        guard let course, let need = course.need, course.hasLeft else { return }
        audit(
            .failed, now, &actions, file: naming.name(of: need.role, for: course.task.chunk), bytes: course.bytes,
            range: course.task.chunk.range, result: result)
    }
}
