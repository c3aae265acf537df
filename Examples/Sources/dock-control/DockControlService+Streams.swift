import Companion
import ExampleSupport

/// The dock's streams. Each runs in its own task until the dock is gone.
extension DockControlService {
    func follow(batteries states: AsyncStream<DockAccessory.BatteryState>) async {
        for await state in states {
            battery = state
            say("battery \(state.name) \(Self.words(state))")
        }
    }

    /// Runs ten times a second. Prints a line if a subject appeared or left, or if the followed person changed.
    func follow(subjects states: AsyncStream<DockAccessory.TrackingState>) async {
        for await state in states {
            let news = state.trackedSubjects.map(\.identifier) != subjects.map(\.identifier)
            let isOther = state.followed != followed
            (subjects, followed) = (state.trackedSubjects, state.followed)
            if news || isOther { say("subjects\(Self.words(subjects, followed: followed))") }
        }
    }

    func follow(motions states: AsyncStream<DockAccessory.MotionState>) async {
        for await state in states { motion = state }
    }

    func follow(events: AsyncStream<DockAccessory.AccessoryEvent>) async {
        for await event in events {
            if case .button(let id, let pressed) = event { say("button \(id) \(pressed ? "pressed" : "released")") }
            buttons.handle(event, at: .now)
        }
    }

    static func words(_ state: DockAccessory.BatteryState) -> String {
        let level = state.batteryLevel.map { "\(Int(($0 * 100).rounded())) %" } ?? "unknown"
        return level + " \(state.chargeState.rawValue)" + (state.lowBattery ? " low" : "")
            + (state.criticalBattery ? " critical" : "")
    }

    /// ` 0:person* 3:object`: the star marks the followed person.
    static func words(_ subjects: [DockAccessory.TrackedSubjectType], followed: Int?) -> String {
        subjects.map { " \($0.identifier):\($0.kind.rawValue)" + ($0.identifier == followed ? "*" : "") }.joined()
    }

    /// The whole state in one line.
    var status: String {
        var parts = [accessory == nil ? "undocked" : "docked", "mode=\(mode.rawValue)"]
        parts.append("framing=\(features.framing.rawValue)")
        parts.append("tap=\(features.isTapToTrackEnabled ? "on" : "off")")
        parts.append("region=\(features.isRegionEnabled ? "on" : "off")")
        if let motion, motion.error == nil {
            parts.append("yaw=\(degrees(motion.angularPositions.y)) pitch=\(degrees(motion.angularPositions.x))")
        }
        if let battery { parts.append("battery=\(Self.words(battery))") }
        return parts.joined(separator: " ") + " subjects:" + Self.words(subjects, followed: followed)
    }
}
