import CompanionDockKit

/// The dock's streams. Each is watched by its own task until the dock is gone.
extension DockKitService {
    /// Reports who appears and who leaves.
    func watch(subjects states: DockAccessory.TrackingStates) async {
        for await state in states {
            var seen: [UUID: CGRect] = [:]
            for subject in state.trackedSubjects {
                switch subject {
                case .person(let person):
                    seen[person.identifier] = person.rect
                    guard subjects[person.identifier] == nil else { continue }
                    let isSpeaking = person.speakingConfidence.map { $0 > 0.5 } ?? false
                    report("person \(person.identifier)\(isSpeaking ? " speaks" : "")")
                case .object(let object):
                    seen[object.identifier] = object.rect
                    if subjects[object.identifier] == nil { report("object \(object.identifier)") }
                }
            }
            for identifier in subjects.keys where seen[identifier] == nil { report("gone \(identifier)") }
            subjects = seen
        }
    }

    func watch(batteries states: DockAccessory.BatteryStates) async {
        for await battery in states {
            let percent = Int((battery.batteryLevel * 100).rounded())
            let notes = (battery.chargeState == .charging ? " charging" : "") + (battery.lowBattery ? " low" : "")
            report("battery \(battery.name) \(percent) %\(notes)")
        }
    }

    /// Operates the camera with the dock's buttons.
    func watch(events: DockAccessory.AccessoryEvents) async {
        for await event in events {
            switch event {
            case .cameraShutter:
                isRecording.toggle()
                report(isRecording ? "camera records" : "camera stopped")
            case .cameraFlip: report("camera flipped")
            case .cameraZoom(let factor):
                zoomFactor = min(max(1, zoomFactor + (factor > 0 ? 0.2 : -0.2)), 3)
                report("camera zoom \(zoomFactor)")
            case .button(let id, let pressed): report("button \(id) \(pressed ? "down" : "up")")
            }
        }
    }
}
