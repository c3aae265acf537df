internal import DockControl
internal import FaceTracker
internal import Geometry

/// Requests of other threads to the tracking: taps, selections, and a program's own observations.
extension DetectionPipeline {
    func serve(
        now: Seconds, poses: borrowing PoseHistory, mode: TrackingMode, pursuit: inout Pursuit
    ) -> SteeringResult {
        selection.region = pursuit.framing.region
        var result = SteeringResult()
        let isCustom = mode == .custom
        // A program's subjects are removed when its observations have ended or no longer steer.
        if !isCustom || now - (lastObservation ?? now) > Self.detectorSilence { custom.forget() }
        defer { collected.removeAll(keepingCapacity: true) }
        for (request, reply) in collected {
            record(request)
            switch request {
            case .tap(let point):
                let id =
                    isCustom
                    ? custom.selection.tap(at: point, in: custom.subjects, aspect: custom.aspect)
                    : selection.tap(at: point, in: tracker.subjects, aspect: aspect)
                reply(id.map { .success($0) } ?? .failure(Self.nobodyThere))
            case .select(let ids): reply(select(ids, isCustom: isCustom))
            case .observe(let frame):
                guard isCustom else {
                    reply(.failure(Self.notCustom(mode)))
                    continue
                }
                observe(frame, now: now, poses: poses, pursuit: &pursuit)
                result.frames += 1
                reply(.success(custom.subjects.count))
            }
            tracker.keep(selection.selected)
        }
        return result
    }

    private func select(_ ids: [Int], isCustom: Bool) -> Result<Int, DockError> {
        let there = isCustom ? custom.subjects : tracker.subjects
        guard ids.allSatisfy({ id in there.contains { $0.id == id } }) else {
            let names = there.map { String($0.id) }.joined(separator: " ")
            return .failure(
                DockError(
                    .noSubjectFound, "no such subject",
                    hint: names.isEmpty ? "no subject is in view" : "the subjects in view are \(names)"))
        }
        if isCustom { custom.selection.select(ids: ids) } else { selection.select(ids: ids) }
        return .success(ids.count)
    }

    /// Steers by a program's own observations.
    private func observe(
        _ frame: ObservationFrame, now: Seconds, poses: borrowing PoseHistory, pursuit: inout Pursuit
    ) {
        let exposure = min(frame.exposure ?? now - profile.camera.latency, now)
        custom.selection.region = pursuit.framing.region
        lastObservation = now
        let (primary, event) = custom.take(frame, exposure: exposure, profile: profile)
        if event == .selectionLost { emit(.selectionLost) }
        pursuit.camera = custom.camera ?? CameraModel(camera: profile.camera)
        let followed = primary.flatMap { id in custom.subjects.first { $0.id == id } }
        let view = pursuit.camera.mount == .head ? poses.pose(at: exposure) : .zero
        if let followed, let view {
            pursuit.sighted(
                Sighting(subject: followed.id, rect: followed.rect, yaw: followed.yaw, exposure: exposure),
                pose: view, arrival: now)
        } else {
            pursuit.absent(arrival: now)
        }
        // If a detector is active, the gaze and the tracking states still come from its frames.
        if let lastDetection, now - lastDetection < Self.detectorSilence { return }
        flushPending()
        pending = Pending(
            sequence: nil, exposure: exposure, followed: followed?.id,
            setPoint: pursuit.framing.setPoint(yaw: followed?.yaw), pose: view, camera: pursuit.camera,
            observed: custom.subjects, selected: custom.selection.selected)
    }

    private static let nobodyThere = DockError(
        .noSubjectFound, "nobody at that point",
        hint: "tap on a face, or at most a tenth of the frame's height beside it"
    )

    private static func notCustom(_ mode: TrackingMode) -> DockError {
        DockError(
            .busy, "mode \(mode.rawValue) owns the dock",
            hint: mode == .system ? "call setSystemTrackingEnabled with false first" : "set the mode to custom first")
    }
}
