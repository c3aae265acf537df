internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Geometry
internal import RobotFace
internal import SpatialModel

/// What other programs show and offer: layers, indicators and cues.
extension SessionState {
    /// Executes a request of a program.
    mutating func show(_ request: ShowCommand, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        guard case .client(let client) = ticket.asker else {
            let error = DockError(.notSupported, "only programs show things", hint: "use the control API")
            return refuse(ticket, error, now: now)
        }
        do throws(DockError) {
            switch request {
            case .drawing(let drawn, let time):
                var layer = drawn.layer
                layer.client = client
                let isNew = try shown.layers.set(layer, bytes: drawn.bytes, until: now + time)
                let outcome = Outcome("\(layer.items.count) items", .items(layer.items.count))
                return finish(ticket, .success(outcome), now: now) + published(isNew ? [.layers] : [])
            case .indicator(let name, let state, let text, let process):
                let isNew = try shown.indicators.set(name, state, text: text, client: client, process: process)
                let outcome = Outcome(options.hasFace ? "shown" : "no screen", .shown(options.hasFace))
                guard isNew else { return finish(ticket, .success(outcome), now: now) }
                let words = "a program reports: \(name) \(state.rawValue)" + (text.isEmpty ? "" : ": \(text)")
                return finish(ticket, .success(outcome), now: now) + published([.indicators])
                    + [.log(state == .fault ? .warning : .info, words)]
                    + (name == ShowDesk.recorder ? recordingChanged() : [])
            case .report(let reading, let time):
                let isNew = try shown.extensions.set(reading, client: client, until: now + time)
                let level = reading.state == .fault ? LogLevel.warning : .info
                return finish(ticket, .success(Outcome("noted")), now: now)
                    + [.extensionNews(ExtensionNews(reading, .reported))]
                    + (isNew ? [.log(level, "extension \(reading.words)")] : [])
            case .distances(let report, let time):
                let before = tracking.depth.measured(now: now)
                let used = tracking.measured(report, client: client, now: now, until: now + time)
                return finish(ticket, .success(Outcome("\(used) subjects", .used(used))), now: now)
                    + measured(since: before, now: now) + watchNear(now: now)
            case .cue(let cue):
                let isHeard = audience.hears(.cues)
                return finish(ticket, .success(Outcome(isHeard ? "offered" : "not heard", .heard(isHeard))), now: now)
                    + [.cue(cue)]
            }
        } catch {
            return refuse(ticket, error, now: now)
        }
    }

    /// Removes what a program showed, because its connection has ended.
    mutating func showEnded(_ client: Int, now: Seconds) -> [SessionEffect] {
        let before = tracking.depth.measured(now: now)
        tracking.left(client: client, now: now)
        let left = shown.extensions.leave(client: client)
        let topics = shown.remove(client: client)
        let hasChanged = topics.contains(.indicators) || left?.name == ShowDesk.recorder
        let effects: [SessionEffect] =
            published(topics) + (hasChanged ? recordingChanged() : [])
            + (left.map {
                [.log(.info, "extension \($0.name) has left"), .extensionNews(ExtensionNews($0, .left))]
            }
                ?? [])
        return effects + measured(since: before, now: now)
    }

    /// Passes the measured distances to tracking if they have changed.
    private func measured(since before: [MeasuredDistance], now: Seconds) -> [SessionEffect] {
        let distances = tracking.depth.measured(now: now)
        return distances == before ? [] : [.measured(distances)]
    }

    /// Removes the layers whose time is over, and notices extensions whose report is overdue.
    mutating func expireShown(now: Seconds) -> [SessionEffect] {
        published(shown.layers.expire(now: now) ? [.layers] : [])
            + shown.extensions.overdue(now: now).flatMap { one -> [SessionEffect] in
                [
                    .log(.warning, "extension \(one.name) silent: it has not reported in time"),
                    .extensionNews(ExtensionNews(one, .silent)),
                ] + (one.name == ShowDesk.recorder ? recordingChanged() : [])
            }
    }

    private func published(_ topics: [Topic]) -> [SessionEffect] {
        topics.filter(audience.hears).map { .publish($0) }
    }

    /// What the camera sees now, for items of the world; nil if its pose or lens is unknown.
    var pictureView: PictureView? {
        guard let camera = tracking.frame?.camera else { return nil }
        let pose = camera.mount == .head ? snapshot.pose : camera.offset
        let lens = PictureLens(camera)
        return pose.map { PictureView(pose: $0, head: HeadModel(options.rig.stand, camera.mountAngles), lens: lens) }
    }

    /// The marks for recordings, connections, zoom and programs that see the pictures, which people in front of the
    /// camera should see, in the first row.
    func marks(now: Seconds) -> [TextOverlay.Label] {
        var marks = shown.indicators.shown
        // No program can hide that the camera itself records.
        let isOwn = options.camera?.needsListener(for: .shutter(nil)) == false
        if desk.state?.isRecording == true, isOwn || shown.isRecording != true {
            marks.removeAll { $0.name == ShowDesk.recorder }
            var own = IndicatorReading()
            (own.name, own.state) = (ShowDesk.recorder, .on)
            marks.insert(own, at: 0)
        }
        let columns = Double(max((screen.size?.columns ?? 80) - 1, 1)), viewers = tracking.viewers(now: now)
        var labels: [TextOverlay.Label] = [], column = (0.02 * columns).rounded()
        /// Adds a mark, as long as there is room.
        func add(_ text: String, _ colour: TextColour) {
            guard column < columns else { return }
            labels.append(TextOverlay.Label(x: column / columns, y: 0, text: text, colour: colour))
            column += Double(text.count + 3)
        }
        for mark in marks where mark.isPublic {
            let mark = IndicatorMark(mark)
            add(mark.text, mark.colour)
        }
        if viewers > 0 { add("◉ seen by \(viewers)", .white) }
        for mark in marks where !mark.isPublic {
            let mark = IndicatorMark(mark)
            add(mark.text, mark.colour)
        }
        for troubled in shown.extensions.all where troubled.state.isTrouble { add("× " + troubled.mark, .red) }
        if let camera = desk.state, camera.magnification > 1 {
            labels.append(TextOverlay.Label(x: 0.9, y: 0, text: "\(camera.magnification)x"))
        }
        return labels
    }
}
