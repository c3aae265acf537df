internal import DockControl
internal import DockTypes
internal import Geometry

/// Named poses, and motions taught by hand.
extension SessionState {
    mutating func preset(_ change: PresetCommand, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        switch change {
        case .save(let name):
            guard let pose = snapshot.pose else { return refuse(ticket, Self.poseUnknown, now: now) }
            return [.keep(.savePreset(name, pose), ticket.meaning(.name(name)))]
        case .delete(let name): return [.keep(.deletePreset(name), ticket.meaning(.name(name)))]
        case .go(let name):
            do {
                let pose = try motions.library.preset(name)
                if ticket.isPersonal { custom.revoke() }
                return [.motion(.orient(pose, duration: 0, relative: false), ticket)]
            } catch {
                return refuse(ticket, error, now: now)
            }
        case .list:
            let presets = motions.library.presets
            let words = presets.sorted { $0.key < $1.key }.map { "\($0.key) (\(Self.degrees($0.value, unit: "deg")))" }
            let text = words.isEmpty ? "no presets yet: preset save NAME" : words.joined(separator: ", ")
            return finish(ticket, .success(Outcome(text, .presets(presets))), now: now)
        }
    }

    mutating func teach(_ change: TeachCommand, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        do throws(DockError) {
            switch change {
            case .record(let name):
                guard snapshot.pose != nil else { throw Self.poseUnknown }
                try motions.begin(name, byPerson: ticket.asker == .words, now: now)
                let how = snapshot.torque ? "type `torque off` to move the head by hand" : "move the head"
                let words = "recording \(name): \(how), then `motion finish`"
                return finish(ticket, .success(Outcome(words, .name(name))), now: now)
            case .finish(keep: true):
                let script = try motions.finish()
                return [.keep(.saveMotion(script), ticket.meaning(.taught(script.name, duration: script.duration)))]
            case .finish(keep: false):
                let name = try motions.discard()
                return finish(ticket, .success(Outcome("discarded", .taught(name, duration: 0))), now: now)
            case .delete(let name): return [.keep(.deleteMotion(name), ticket.meaning(.name(name)))]
            case .list:
                let all = motions.durations
                let words = all.sorted { $0.key < $1.key }.map { "\($0.key) (\(Self.tenths($0.value)) s)" }
                return finish(ticket, .success(Outcome(words.joined(separator: ", "), .motions(all))), now: now)
            }
        } catch {
            return refuse(ticket, error, now: now)
        }
    }

    /// Processes the result of writing a change; `library` is nil if nothing has changed.
    mutating func written(
        _ library: MotionLibrary?, _ ticket: Ticket, _ answer: Answer, now: Seconds
    ) -> [SessionEffect] {
        if let library { motions.written(library) }
        return finish(ticket, answer, now: now)
    }

    private static func tenths(_ value: Double) -> String { String((value * 10).rounded() / 10) }

    private static let poseUnknown = DockError(
        .notConnected, "the pose of the dock is not known", hint: "wait until it reports one, see `status`")
}
