internal import Aerie
internal import Geometry

extension UplinkMachine {
    // MARK: asking

    /// Asks the server to accept this robot. A new request has a new number, because a server takes each one once.
    mutating func ask(_ session: inout Session, _ now: Moment, _ actions: inout [Action]) {
        let time = WireTime(unix: now.unix), nonce = SharedSecret.nonce()
        let token =
            switch terms.token {
            case .nonce: identity.secret.token(device: identity.device, time: time, nonce: nonce)
            case .source: identity.secret.sourceToken(device: identity.device, time: time)
            }
        var request = AuthRequest(
            device: identity.device, token: token, model: "dockface: \(identity.name)", system: identity.version,
            time: time.text, nonce: nonce)
        if terms.sendsVideo { request.accepts = [CameraFrame.Video.h264] }
        session.nonces.append(nonce)
        session.asked = now.monotonic
        send(Envelope.text(.authRequest, at: time, request.members), .request, &session, &actions)
    }

    // MARK: answers

    /// An answer that is late belongs to an earlier request, which is as good as the last one.
    mutating func answered(
        _ answer: AuthAnswer, _ session: inout Session, _ now: Moment, _ actions: inout [Action]
    ) {
        guard session.isTrusted else {
            guard answer.isSuccess else {
                let words = answer.error.map { ": \($0)" } ?? ""
                return reject("the server does not accept this robot\(words)", now, &actions)
            }
            return accepted(answer, &session, now, &actions)
        }
        // Of a message that the server does not take, it only says that it was one.
        guard !answer.isSuccess else { return }
        session.course.refusals.removeAll { now.monotonic - $0 > FrameCourse.refusalsWithin }
        session.course.refusals.append(now.monotonic)
        say("the server refused a message: \(answer.error ?? "without a reason")", now, &actions)
        // It has forgotten this connection, and only a new one helps.
        if session.course.refusals.count >= FrameCourse.mostRefusals {
            close("the server no longer takes frames of this connection", now, &actions)
        }
    }

    private mutating func accepted(
        _ answer: AuthAnswer, _ session: inout Session, _ now: Moment, _ actions: inout [Action]
    ) {
        switch terms.trust {
        case .proof:
            let isProved = session.nonces.contains { nonce in
                guard let id = answer.session, let proof = answer.proof else { return false }
                return SharedSecret.agree(proof, identity.secret.proof(nonce: nonce, session: id))
            }
            guard isProved else {
                return reject("the server did not prove that it knows the secret, so it gets no frames", now, &actions)
            }
        case .tls:
            guard terms.isEncrypted else {
                return reject("the connection is not encrypted, so the server gets no frames", now, &actions)
            }
        case .any: break
        }
        session.isTrusted = true
        (session.nonces, session.heard) = ([], now.monotonic)
        session.takesVideo = terms.sendsVideo && answer.accepts.contains(CameraFrame.Video.h264)
        show(.paused, &actions)
        actions += [.accept, .sign]
        // A new connection begins with a picture that needs no other one.
        if session.takesVideo { actions.append(.keyFrame) }
        beat(&session, now, &actions)
    }

    /// How often the robot is asked again to show that frames are sent.
    static let signEvery: Seconds = 2

    /// The robot shows that frames are sent, or cannot.
    mutating func signed(_ problem: String?, _ now: Moment, _ actions: inout [Action]) {
        guard case .open(var session) = link, session.isTrusted else { return }
        session.isSigned = problem == nil
        session.signAt = problem == nil ? nil : now.monotonic + Self.signEvery
        link = .open(session)
        if let problem { say("no frames are sent: \(problem)", now, &actions, isWarning: true) }
    }

    /// No frame leaves until the robot shows it again.
    mutating func signLost(_ actions: inout [Action]) {
        guard case .open(var session) = link, session.isTrusted else { return }
        (session.isSigned, session.signAt) = (false, nil)
        link = .open(session)
        show(.paused, &actions)
        actions.append(.sign)
    }
}
