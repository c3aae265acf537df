package import Companion
package import DockControl
internal import DockSimulator
package import DockTypes
package import Geometry
internal import Glibc

/// Runs a recording again under another law, on another rig or with other latencies: the loop is closed again, in
/// virtual time. The same trace and the same change give the same run.
package struct WhatIfRun: Sendable {
    /// The change.
    package let change: WhatIf
    /// The figures of the recording itself.
    package let recorded: WhatIfScore
    /// The figures of the simulation without a change: any difference from `recorded` comes from the simulation.
    package let asItIs: WhatIfScore
    /// The figures of the simulation with the change.
    package let changed: WhatIfScore
    /// What happened under the change, as a trace.
    package var trace: Trace
    /// The recording includes the daemon's start, so the simulation also begins without proven signs.
    package let isCold: Bool
    /// Time span of the figures, CLOCK_MONOTONIC.
    package let span: ClosedRange<Seconds>
    /// Commands of people and programs in the recording, which the simulation does not repeat.
    package let commands: Int

    /// How long a person walks back and forth before the recorded frames begin, so that the daemon proves its signs,
    /// seconds.
    static let warmUp: Seconds = 9
    /// Handshake, torque and the first reports, seconds.
    static let greeting: Seconds = 1.5
    /// Time after the beginning of the trace that does not count, seconds: the simulated head begins at rest, the
    /// recorded one perhaps not.
    static let settling: Seconds = 1

    /// Longest trace that is simulated, seconds; a longer one would take minutes.
    static let longest: Seconds = 12 * 3600

    /// Runs a trace with a change.
    /// - Parameter span: seconds from the first record that count; the first second never does.
    /// - Throws: `configuration` if the trace has nothing to run.
    package init(_ trace: Trace, profile: RigProfile, _ change: WhatIf, span: ClosedRange<Seconds>) throws(DockError) {
        let motion = TraceMotion(trace, camera: profile.camera)
        guard let camera = motion.camera, let start = trace.records.first?.time, let end = trace.records.last?.time,
            let first = motion.looks.first(where: { $0.target != nil })
        else {
            throw DockError(
                .configuration, "the trace has no followed person or no poses",
                hint: "record a trace while the head follows a person: dockface trace")
        }
        guard (0...Self.longest).contains(end - start), abs(start) < 1e9 else {
            throw DockError(
                .configuration, "the trace has impossible times, or is longer than twelve hours",
                hint: "record another trace: dockface trace, dockface run --trace")
        }
        let looks = motion.looks.filter { (start - 1...end).contains($0.exposure) }
        let from = start + max(span.lowerBound, Self.settling), to = min(start + span.upperBound, end)
        guard to > from, looks.contains(where: { $0.target != nil && (from...to).contains($0.exposure) }) else {
            throw DockError(
                .configuration, "that part of the trace has no followed person",
                hint: "check --from and --to; the first second does not count")
        }
        self.change = change
        self.span = from...to
        commands = trace.records.count { if case .command = $0.body { true } else { false } }
        isCold = trace.records.contains { record in
            if case .state("greeting", _, _) = record.body { record.time <= first.recorded } else { false }
        }
        let stage = Recording(
            start: start, end: end, looks: looks, isCold: isCold,
            pose: motion.pose(at: isCold ? start : first.exposure) ?? motion.poses.first?.pose ?? first.pose)
        recorded = WhatIfScore(trace, looks: looks, camera: camera, span: self.span)
        let same = stage.run(WhatIf(), profile, camera), other = stage.run(change, profile, camera)
        asItIs = WhatIfScore(same, looks: looks, camera: camera, span: self.span)
        changed = WhatIfScore(other, looks: looks, camera: camera, span: self.span)
        self.trace = other
    }

    private struct Recording {
        var start: Seconds, end: Seconds
        var looks: [TraceMotion.Look]
        var isCold: Bool
        /// Pose of the head at the beginning, rad.
        var pose: PanTilt

        func run(_ change: WhatIf, _ recorded: RigProfile, _ seenBy: CameraModel) -> Trace {
            var (model, profile) = change.simulated(recorded)
            // The same field of view as the recorded camera; the principal point is the middle of the image.
            (profile.camera.horizontalFieldOfView, profile.camera.lens) = (seenBy.horizontalFieldOfView, nil)
            let camera = CameraModel(camera: profile.camera, aspect: seenBy.focal.y / seenBy.focal.x)
            let begin = start - (isCold ? 0 : WhatIfRun.warmUp + WhatIfRun.greeting)
            var configuration = SimulatedDock.Configuration(model: model, seed: 1)
            for axis in Axis.allCases { configuration.pose[axis] = pose[axis].clamped(to: profile[axis].softRange) }
            let stage = TrialStage(
                device: SimulatedDock(configuration: configuration, time: begin), driver: DlpDriver(profile: profile),
                profile: profile, controller: change.controller, seed: 1, now: begin)
            let warmUp = isCold ? [] : warmUpPictures(at: configuration.pose, camera, latency: profile.camera.latency)
            let view = RecordedView(
                looks, change, seenBy: seenBy, camera: camera, latency: profile.camera.latency, warmUp: warmUp)
            stage.run(until: end, seeing: view) { _, _ in }
            return Trace(
                of: profile, cause: "whatIf", start: start, records: stage.host.end().filter { $0.time >= start })
        }

        /// The pictures of a person who walks back and forth where the head looks, and then stands still until the recording begins.
        private func warmUpPictures(
            at pose: PanTilt, _ camera: CameraModel, latency: Seconds
        ) -> [RecordedView.Picture] {
            let middle = camera.world(of: Framing().setPoint(yaw: nil), from: pose)
            let count = Int(WhatIfRun.warmUp * 30)
            return (0..<count).map { index in
                let elapsed = Double(index) / 30, exposure = start - WhatIfRun.warmUp + elapsed
                let left = (1 - (elapsed - 5.5) / 1.5).clamped(to: 0...1), eased = left * left * (3 - 2 * left)
                let swing = eased * min(1, elapsed) * sin(2.4 * elapsed)
                let world = middle + PanTilt.degrees(pan: 14 * swing, tilt: 4 * swing)
                let face = RecordedView.Face(world: world, width: 0.11, height: 0.25)
                return RecordedView.Picture(
                    exposure: exposure, stamp: exposure, due: exposure + latency, faces: [face])
            }
        }
    }
}
