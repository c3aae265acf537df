internal import DockControl
internal import Geometry

/// Named poses, and motions taught by hand.
extension SessionState {
    mutating func preset(_ wish: PresetCommand, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        switch wish {
        case .save(let name):
            guard let pose = snapshot.pose else { return refuse(ticket, Self.poseUnknown, now: now) }
            return [.keep(.savePreset(name, pose), ticket.meaning(.name(name)))]
        case .delete(let name): return [.keep(.deletePreset(name), ticket.meaning(.name(name)))]
        case .go(let name):
            do {
                let pose = try library.preset(name)
                if ticket.isPersonal { customMayBegin = false }
                return [.motion(.orient(pose, duration: 0, relative: false), ticket)]
            } catch {
                return refuse(ticket, error, now: now)
            }
        case .list:
            let words = library.presets.sorted { $0.key < $1.key }.map {
                "\($0.key) (\(Self.degrees($0.value, unit: "deg")))"
            }
            let text = words.isEmpty ? "no presets yet: preset save NAME" : words.joined(separator: ", ")
            return finish(ticket, .success(Outcome(text, .presets(library.presets))), now: now)
        }
    }

    mutating func teach(_ wish: TeachCommand, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        switch wish {
        case .record(let name): return beginLesson(name, ticket, now: now)
        case .finish(let keep): return endLesson(keep: keep, ticket, now: now)
        case .delete(let name): return [.keep(.deleteMotion(name), ticket.meaning(.name(name)))]
        case .list:
            let all = durations
            let text = all.sorted { $0.key < $1.key }.map { "\($0.key) (\(tenths($0.value)) s)" }.joined(
                separator: ", ")
            return finish(ticket, .success(Outcome(text, .motions(all))), now: now)
        }
    }

    private mutating func beginLesson(_ name: String, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        guard snapshot.pose != nil else { return refuse(ticket, Self.poseUnknown, now: now) }
        // A recording that a program began and never ended, or that is full, must not keep a person from teaching.
        if ticket.asker == .words, teacherAsker != .words || teacher.isFull { teacher.cancel() }
        teacherAsker = ticket.asker
        do {
            try teacher.begin(name, now: now)
        } catch {
            return refuse(ticket, error, now: now)
        }
        let how = snapshot.torque ? "type `torque off` to move the head by hand" : "move the head"
        let words = "recording \(name): \(how), then `motion finish`"
        return finish(ticket, .success(Outcome(words, .name(name))), now: now)
    }

    private mutating func endLesson(keep: Bool, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        guard let name = teacher.name ?? unsaved?.name else {
            let error = DockError(.invalidParameter, "nothing is being recorded", hint: "type `motion record NAME`")
            return refuse(ticket, error, now: now)
        }
        guard keep else {
            teacher.cancel()
            unsaved = nil
            return finish(ticket, .success(Outcome("discarded", .taught(name, duration: 0))), now: now)
        }
        if teacher.name != nil {
            switch teacher.finish() {
            case .failure(let error): return refuse(ticket, error, now: now)
            case .success(let script): unsaved = script
            }
        }
        guard let script = unsaved else { return [] }
        let duration = script.keys.last?.time ?? 0
        return [.keep(.saveMotion(script), ticket.meaning(.taught(name, duration: duration)))]
    }

    /// Built-in and taught motions with their durations as written, seconds.
    private var durations: [String: Seconds] {
        let all = MotionScript.all + library.taught.values
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.keys.last?.time ?? 0) })
    }

    private func tenths(_ value: Double) -> String { String((value * 10).rounded() / 10) }

    private static let poseUnknown = DockError(
        .notConnected, "the pose of the dock is not known", hint: "wait until it reports one, see `status`")
}

/// A change to the files of presets and motions.
enum LibraryChange: Sendable, Equatable {
    case savePreset(String, PanTilt)
    case deletePreset(String)
    case saveMotion(MotionScript)
    case deleteMotion(String)

    /// Applies the change.
    func apply(to library: inout MotionLibrary) throws(DockError) {
        switch self {
        case .savePreset(let name, let pose): try library.savePreset(name, at: pose)
        case .deletePreset(let name): try library.deletePreset(name)
        case .saveMotion(let script): try library.save(script)
        case .deleteMotion(let name): try library.deleteTaught(name)
        }
    }

    /// The text for a success.
    var done: String {
        switch self {
        case .savePreset(let name, _): "preset \(name) saved"
        case .deletePreset(let name): "preset \(name) deleted"
        case .saveMotion(let script): "motion \(script.name) learnt: animate \(script.name)"
        case .deleteMotion(let name): "motion \(name) deleted"
        }
    }
}
