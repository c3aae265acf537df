internal import Aerie
internal import Geometry
internal import SpatialModel

/// The people of the room, from what the rigs see of them.
struct RoomModel: Sendable {
    /// Views that are older than this are not used, in seconds: people have moved on, and a rig that is gone is silent.
    static let oldest: Seconds = 0.5

    private struct Rig: Sendable {
        var name: String
        var view: RigView
    }

    private var rigs: [String: Rig] = [:]
    private var tracker = PersonTracker()
    private let placing = PersonPlacing()
    private var alignment = RigAlignment()
    /// When the newest view that was reported was taken.
    private var reported: Seconds = -.infinity

    /// Receives what a rig has seen. `time`: CLOCK_MONOTONIC of the server.
    mutating func see(_ skeletons: CameraFrame.Skeletons, device: String, name: String, time: Seconds) {
        if let known = rigs[device], known.view.time >= time { return }
        let view = RigView(
            rig: device, time: time, camera: skeletons.view.camera, lens: skeletons.view.lens.normalised,
            people: skeletons.people)
        rigs[device] = Rig(name: name, view: view)
    }

    /// Forgets a rig.
    mutating func leave(_ device: String) {
        rigs[device] = nil
        alignment.forget(device)
    }

    /// By how much the heading of a rig is corrected, in radians; positive to the right.
    func correction(of device: String) -> Double { alignment.turn(of: device) }

    /// Returns the people of now, or nil if there are none or no rig has seen more since the last report.
    mutating func report(now: RoomMachine.Moment) -> PoseReport? {
        let views = rigs.values.map(\.view).filter { now.monotonic - $0.time <= Self.oldest }
            .sorted { $0.rig < $1.rig }
        guard let newest = views.map(\.time).max(), newest > reported else { return nil }
        reported = newest
        let people = tracker.update(placing.people(alignment.aligned(views)), now: newest)
        alignment.learn(people, views, ankleHeight: placing.ankleHeight, now: newest)
        guard !people.isEmpty else { return nil }
        // The clock may have been set since the picture was taken; the people may not.
        return PoseReport(time: now.unix - (now.monotonic - newest), people: people.map { describe($0) })
    }

    private func describe(_ person: RoomPerson) -> PoseReport.Person {
        let confidences = person.joints.present.map(\.value.confidence)
        let device = person.rigs.first ?? ""
        return PoseReport.Person(
            name: person.name, device: device, deviceName: rigs[device]?.name, devices: person.rigs,
            joints: person.joints, confidence: confidences.reduce(0, +) / Double(max(1, confidences.count)))
    }
}
