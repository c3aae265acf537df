import ControlProtocol
import DepthStream
import DockClient
import DockTypes
import ExtensionKit
import Geometry
import Synchronization

/// Measures the faces that the daemon tracks in the pictures that it got from this program, and reports to it how far they
/// are. Nothing here delays a picture.
final class DistanceDesk: Sendable {
    private struct State {
        var measure = FaceMeasure()
        var rig: RigReading?
        /// When something was last reported to the daemon.
        var reportedAt = -Double.infinity
    }

    private let shared = Mutex(State())

    /// How long a report counts, and the longest pause between two, in seconds.
    private static let life: Seconds = 0.5, pause: Seconds = 0.2
    /// The pause before another attempt, in seconds.
    private static let retry: Seconds = 5
    /// A magnification that differs from 1 by less is an inexact lens.
    private static let leastZoom = 1.15

    /// Takes a picture with its depth.
    func add(_ frame: DepthFrame) {
        guard let depth = frame.depth else { return }
        shared.withLock { $0.measure.add(depth, exposure: frame.facts.exposure, skew: frame.facts.skew) }
    }

    /// Reports until the task is cancelled, or until the daemon turns out to know no distances.
    func run(_ session: ExtensionSession) async {
        guard let dock = try? await session.connect() else { return }
        while !Task.isCancelled {
            do throws(DockError) {
                try await report(to: dock)
                return
            } catch {
                session.log.warning("distances are not reported: \(error.message)")
                guard error.code != .notSupported, error.code != .permission else { return }
            }
            try? await Task.sleep(for: .seconds(Self.retry))
        }
    }

    private func report(to dock: Dock) async throws(DockError) {
        // Fails at once if the daemon is older.
        try await dock.setDistances([:], for: Self.life)
        let updates = try dock.updates(.tracking, everyFrame: true)
        let rig = try await dock.status().rig
        shared.withLock { $0.rig = rig }
        await withTaskGroup { group in
            group.addTask { for await update in updates { await self.report(update.value, to: dock) } }
            group.addTask { await self.reportNearest(to: dock) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Reports the faces of a frame.
    private func report(_ tracking: TrackingReading, to dock: Dock) async {
        let (found, nearest) = shared.withLock { state -> ([Int: SubjectDistance], Double?) in
            guard let time = tracking.time else { return ([:], nil) }
            let faces = tracking.subjects.filter { $0.kind == "person" && !$0.isCoasting }
                .map { FaceMeasure.Face(id: $0.id, rect: $0.rect) }
            let found = state.measure.measure(
                faces, at: time, focal: tracking.lens?.focal.x, view: Self.view(tracking.lens, state.rig))
            let now = SystemTime.monotonic
            if !found.isEmpty { state.reportedAt = now }
            return (found, found.isEmpty ? nil : state.measure.nearest(now: now))
        }
        guard !found.isEmpty else { return }
        _ = try? await dock.setDistances(found, nearest: nearest, for: Self.life)
    }

    /// Reports how far the nearest thing is while no face is measured.
    private func reportNearest(to dock: Dock) async {
        while (try? await Task.sleep(for: .seconds(Self.pause))) != nil {
            let now = SystemTime.monotonic
            let nearest = shared.withLock { now - $0.reportedAt >= Self.pause ? $0.measure.nearest(now: now) : nil }
            if let nearest { _ = try? await dock.setDistances([:], nearest: nearest, for: Self.life) }
        }
    }

    /// How the daemon's frames show this program's pictures, which are those of the rig's first camera.
    private static func view(_ lens: LensReading?, _ rig: RigReading?) -> DepthView {
        var view = DepthView()
        guard let camera = rig?.cameras.first else { return view }
        (view.rotate, view.isMirrored) = (camera.rotate ?? 0, camera.isMirrored ?? false)
        guard let lens, lens.focal.x > 0 else { return view }
        let wide = camera.lens(ofShape: lens.focal.y / lens.focal.x, zoom: 1)
        let zoom = lens.focal.x / wide.focal.x
        if zoom >= leastZoom { view.zoom = zoom }
        return view
    }
}
