internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry

/// Handles the requests of other threads to tracking: taps, selections, and a program's own observations.
extension DetectionPipeline {
    func serve(in context: SteeringContext) -> SteeringEvent? {
        detected.region = context.framing.region
        let isCustom = context.mode == .custom
        // A program's subjects are removed when its observations have ended or no longer steer.
        if !isCustom || context.now - (lastObservation ?? context.now) > Self.detectorSilence { custom.forget() }
        while !collected.isEmpty {
            let (request, reply) = collected.removeFirst()
            record(request)
            switch request {
            case .tap(let point):
                let id =
                    isCustom
                    ? custom.selection.tap(at: point, in: custom.subjects, aspect: custom.aspect)
                    : detected.tap(at: point)
                reply(
                    id.map { .success($0) }
                        ?? .failure(Self.missed(among: isCustom ? custom.subjects : detected.subjects)))
            case .select(let ids): reply(select(ids, isCustom: isCustom))
            case .observe where !isCustom: reply(.failure(Self.notCustom(context.mode)))
            case .observe(let frame):
                let seen = observe(frame, in: context)
                reply(.success(custom.subjects.count))
                return .frame(seen)
            }
        }
        return nil
    }

    private func select(_ ids: [Int], isCustom: Bool) -> Result<Int, DockError> {
        let there = isCustom ? custom.subjects : detected.subjects
        guard ids.allSatisfy({ id in there.contains { $0.id == id } }) else {
            let names = there.map { String($0.id) }.joined(separator: " ")
            return .failure(
                DockError(
                    .noSubjectFound, "no such subject",
                    hint: names.isEmpty ? "no subject is in view" : "the subjects in view are \(names)"))
        }
        if isCustom { custom.selection.select(ids: ids) } else { detected.select(ids: ids) }
        return .success(ids.count)
    }

    /// Selects the followed subject of a program's own observations.
    private func observe(_ frame: ObservationFrame, in context: SteeringContext) -> SteeringFrame {
        let now = context.now, exposure = min(frame.exposure ?? now - profile.camera.latency, now)
        custom.selection.region = context.framing.region
        lastObservation = now
        let (primary, event) = custom.observe(frame, exposure: exposure, profile: profile)
        if event == .selectionLost { emit(.selectionLost) }
        let camera = custom.camera(profile, magnification: context.magnification)
        let followed = primary.flatMap { id in custom.subjects.first { $0.id == id } }
        let view = camera.mount == .head ? context.poses.pose(at: exposure) : .zero
        let seen = SteeringFrame(
            source: .program, subject: Self.subject(followed, exposure: exposure, view: view), time: exposure,
            camera: camera)
        // If a detector is active, the gaze and the tracking states still come from its frames.
        if let lastDetection, now - lastDetection < Self.detectorSilence { return seen }
        flushPending()
        pending = PendingFrame(
            sequence: nil, exposure: exposure, followed: followed?.id,
            setPoint: context.framing.setPoint(yaw: followed?.attributes.yaw), pose: view, camera: camera,
            observed: custom.subjects, selected: custom.selection.selected)
        return seen
    }

    /// Returns the refusal of a tap that misses all subjects. People move, so the hint says where they are now.
    private static func missed(among subjects: [TrackedSubject]) -> DockError {
        func two(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        let places = subjects.prefix(4).map { "\(two($0.rect.center.x)) \(two($0.rect.center.y))" }
        return DockError(
            .noSubjectFound, "no face at that point",
            hint: "tap on a face, or at most a tenth of the frame's height beside it; "
                + (places.isEmpty ? "no face is in view" : "in view: \(places.joined(separator: ", "))"))
    }

    private static func notCustom(_ mode: TrackingMode) -> DockError {
        DockError(
            .busy, "mode \(mode.rawValue) owns the dock",
            hint: mode == .system ? "call setSystemTrackingEnabled with false first" : "set the mode to custom first")
    }
}
