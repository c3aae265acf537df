internal import DockControl
internal import FaceTracker
internal import Geometry

/// What other threads ask of the tracking: taps, selections, and a program's own observations.
extension DetectionPipeline {
    func serve(
        now: Seconds, poses: borrowing PoseHistory, mode: TrackingMode, pursuit: inout Pursuit
    ) -> SteeringResult {
        selection.region = pursuit.framing.region
        var result = SteeringResult()
        let isCustom = mode == .custom
        // Nobody is there any more when a program's observations have ended, or steer no longer.
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
                    hint: names.isEmpty ? "nobody is in sight" : "in sight are the subjects \(names)"))
        }
        if isCustom { custom.selection.select(ids: ids) } else { selection.select(ids: ids) }
        return .success(ids.count)
    }

    /// A program's own observations steer.
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
        // The detector, where there is one, goes on feeding the gaze and the tracking states.
        if let lastDetection, now - lastDetection < Self.detectorSilence { return }
        flushPending()
        pending = Pending(
            sequence: nil, exposure: exposure, followed: followed?.id,
            setPoint: pursuit.framing.setPoint(yaw: followed?.yaw), pose: view, camera: pursuit.camera,
            observed: custom.subjects, selected: custom.selection.selected)
    }

    private static let nobodyThere = DockError(
        .noSubjectFound, "nobody at that point", hint: "tap on a face, or within a tenth of the picture's height of one"
    )

    private static func notCustom(_ mode: TrackingMode) -> DockError {
        DockError(
            .busy, "mode \(mode.rawValue) owns the dock",
            hint: mode == .system ? "setSystemTrackingEnabled false first" : "set mode custom first")
    }
}
