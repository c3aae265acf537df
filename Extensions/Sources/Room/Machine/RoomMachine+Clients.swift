internal import Aerie
internal import ControlProtocol
internal import Geometry
internal import PlainText

extension RoomMachine {
    // MARK: acceptance

    mutating func authenticate(
        _ message: Envelope, _ visit: Visit, _ client: inout Client, _ now: Moment, _ actions: inout [Action]
    ) {
        guard let request = AuthRequest(message.payload) else {
            return failed("the request has no device, no token or no description", visit, &client, now, &actions)
        }
        switch credentials.judge(request, device: client.device, now: now) {
        case .refused(let reason): failed(reason, visit, &client, now, &actions)
        case .proved(let nonce): accept(request, nonce: nonce, visit, &client, now, &actions)
        case .unverified:
            // A device that has proved itself is not displaced by one that has not.
            guard !clients.values.contains(where: { $0.device == client.device && $0.isVerified }) else {
                return failed("a device of this name has proved itself", visit, &client, now, &actions)
            }
            actions.append(
                .log("\(client.address) is accepted without proof, because the server is lenient", isWarning: true))
            accept(request, nonce: nil, visit, &client, now, &actions)
        }
    }

    private mutating func failed(
        _ reason: String, _ visit: Visit, _ client: inout Client, _ now: Moment, _ actions: inout [Action]
    ) {
        totals.refusals += 1
        client.failures += 1
        gate.failed(client.address, now: now.monotonic)
        if client.failures == 1 {
            actions.append(.log("\(client.address) was not accepted: \(reason)", isWarning: true))
        }
        refuse(reason, visit, now, &actions)
        guard client.failures >= Self.mostFailures else { return }
        actions.append(.close(visit, code: 1008, reason: "too many refused requests"))
    }

    private mutating func accept(
        _ request: AuthRequest, nonce: String?, _ visit: Visit, _ client: inout Client, _ now: Moment,
        _ actions: inout [Action]
    ) {
        let others = clients.values.count { $0.session != nil && $0.device != client.device }
        guard others < Self.mostDevices else { return refuse("the room is full", visit, now, &actions) }
        let isNew = client.session == nil, session = client.session ?? SharedSecret.nonce()
        (client.session, client.isVerified) = (session, nonce != nil)
        client.name = Self.name(request, client.device)
        if isNew {
            // The newer connection counts; the older one may only not know yet that it has ended.
            for (other, old) in clients where other != visit && old.device == client.device && old.session != nil {
                clients[other] = nil
                actions.append(.close(other, code: 4409, reason: "a newer connection of this device"))
            }
            actions.append(.accept(visit))
            actions.append(.log("\(client.name) is here (\(client.address))", isWarning: false))
        }
        let proof = nonce.map { credentials.secret.proof(nonce: $0, session: session) }
        var answer = AuthAnswer(isSuccess: true, session: session, proof: proof)
        // Pictures are not looked at, whatever their format is, so the smaller one is welcome.
        answer.accepts = request.accepts.filter { $0 == CameraFrame.Video.h264 }
        actions.append(.send(visit, Envelope.text(.authResponse, at: WireTime(unix: now.unix), answer.members)))
    }

    /// The name of a device for people.
    private static func name(_ request: AuthRequest, _ device: String) -> String {
        let own = "dockface: ", model = request.model
        let name = model.hasPrefix(own) ? String(model.dropFirst(own.count)) : model
        return ForeignText.line(name.isEmpty ? device : name, longest: 40)
    }

    // MARK: pictures

    mutating func frame(
        _ message: Envelope, _ visit: Visit, _ client: inout Client, _ now: Moment, _ actions: inout [Action]
    ) {
        guard client.session != nil else { return refuse("not authenticated", visit, now, &actions) }
        client.clock.heard(sent: message.time, arrived: now.monotonic)
        guard client.frames.admits(now: now.monotonic) else { return }
        let frame: CameraFrame
        do throws(CameraFrame.Flaw) {
            frame = try CameraFrame(message.payload, keepsPicture: false)
        } catch {
            client.frames.refused += 1
            return refuse(error.rawValue, visit, now, &actions)
        }
        totals.frames += 1
        client.frames.total += 1
        if frame.video != nil { totals.videoFrames += 1 }
        guard let skeletons = frame.skeletons else { return }
        client.frames.skeletons += 1
        model.see(
            skeletons, device: client.device, name: client.name,
            time: min(now.monotonic, client.clock.serverTime(skeletons.view.time)))
    }
}

extension RoomMachine.FrameCount {
    /// Counts a picture. Returns whether it is looked at.
    mutating func admits(now: Seconds) -> Bool {
        if now - second >= 1 {
            rate = now - second < 2 ? inSecond : 0
            (second, inSecond) = (now, 0)
        }
        inSecond += 1
        return inSecond <= RoomMachine.mostFrames
    }
}
