package import DockControl
package import Geometry

/// What a trace tells of a motion: where the head was, where it should have been, and what it was told.
///
/// A rectangle becomes a direction in the world with the pose at its exposure, as in the loop itself; the detector's noise is still in it.
/// The camera is the profile's, with the picture's aspect or the detector's lens where the trace tells them; else 16 to 9.
package struct TraceMotion: Sendable {
    /// Somebody's face in one picture.
    package struct Face: Sendable, Equatable {
        /// The tracker's number.
        package var id: Int
        /// As it was measured, normalised.
        package var rect: Rect
        /// Where its middle is in the world, dock angles, rad.
        package var world: PanTilt
        /// The head followed this one.
        package var isFollowed: Bool
    }

    /// A rectangle as the detector gave it, before the tracker.
    package struct Seen: Sendable, Equatable {
        /// Normalised.
        package var rect: Rect
        /// Where its middle is in the world, dock angles, rad.
        package var world: PanTilt
        /// 0...1.
        package var score: Double
    }

    /// One picture.
    package struct Look: Sendable {
        /// When it was taken, CLOCK_MONOTONIC.
        package var exposure: Seconds
        /// When it was recorded: after it had been worked off, up to 50 ms after it came.
        package var recorded: Seconds
        /// When it came; nil: the trace does not tell.
        package var came: Seconds?
        /// Where the head was at the exposure, rad.
        package var pose: PanTilt
        /// All that were measured; what was only predicted is not here.
        package var faces: [Face]
        /// What the detector had given; nil: the trace does not tell.
        package var seen: [Seen]?
        /// Where the head has to be so that the followed face is where framing wants it, rad; nil: nobody was followed, or not seen.
        package var target: PanTilt?
        /// How far the head was from there, rad.
        package var error: PanTilt? { target.map { $0 - pose } }
    }

    /// Velocities as they were decided, rad/s, and who owned them.
    package private(set) var commands: [(time: Seconds, velocity: PanTilt, owner: String)] = []
    /// Where the head was, as the dock reported.
    package private(set) var poses: [MotionSample] = []
    /// The pictures; none without a camera.
    package private(set) var looks: [Look] = []
    /// What they were seen through, as it was in the end; nil: nobody knows.
    package private(set) var camera: CameraModel?

    /// A pose between two reports that are farther apart is not known, seconds: a dock at rest reports ten times a second.
    package static let longestGap: Seconds = 0.5
    /// ... and one before or after all of them is known for so long, seconds.
    static let horizon: Seconds = 0.05

    /// Reads it. `camera`: what the rectangles were seen through; nil: not known, and then there are no pictures.
    package init(_ trace: Trace, camera: CameraModel?) {
        for record in trace.records {
            switch record.body {
            case .pose(let sample, _): if sample.time > poses.last?.time ?? -.infinity { poses.append(sample) }
            case .set(let velocity, let owner, _): commands.append((record.time, velocity, owner))
            default: break
            }
        }
        self.camera = camera
        if camera != nil { look(at: trace) }
    }

    private mutating func look(at trace: Trace) {
        var framing = Framing(), byExposure: [Seconds: Int] = [:], isOpen = false
        for record in trace.records {
            switch record.body {
            case .command(let name, let values, _): Self.apply(name, values, to: &framing)
            case .input(.lens(let lens, let aspect)): take(lens, aspect: aspect)
            case .input(.picture(let picture)):
                guard let index = index(of: picture.exposure, recorded: record.time, &byExposure) else { continue }
                let pose = looks[index].pose
                let faces = picture.faces.filter { !$0.isObject }.map { face in
                    Seen(rect: face.rect, world: world(of: face.rect, from: pose), score: face.score)
                }
                looks[index].came = record.time
                looks[index].seen = (isOpen ? looks[index].seen ?? [] : []) + faces
                isOpen = picture.continues
            case .rectangles(let exposure, let all):
                guard let index = index(of: exposure, recorded: record.time, &byExposure) else { continue }
                let pose = looks[index].pose
                looks[index].recorded = record.time
                looks[index].faces = all.filter { !$0.isCoasting }.map { one in
                    Face(id: one.id, rect: one.rect, world: world(of: one.rect, from: pose), isFollowed: one.isFollowed)
                }
                looks[index].target = looks[index].faces.first(where: \.isFollowed).flatMap {
                    camera?.pose(toSee: $0.world, at: framing.setPoint(yaw: nil))
                }
            default: break
            }
        }
        looks.sort { $0.exposure < $1.exposure }
    }

    /// A lens that there is none like is not taken: the file is somebody's.
    private mutating func take(_ lens: TraceLens?, aspect: Double) {
        guard var camera, (0.1...10).contains(aspect) else { return }
        if let lens {
            let lenses = 0.04...12.0, middles = -1.0...2.0
            guard lenses.contains(lens.focal.x), lenses.contains(lens.focal.y) else { return }
            guard middles.contains(lens.principal.x), middles.contains(lens.principal.y) else { return }
        }
        camera.focal = lens?.focal ?? Point(x: camera.focal.x, y: camera.focal.x * aspect)
        camera.principal = lens?.principal ?? camera.principal
        self.camera = camera
    }

    /// Of the picture taken then, which is begun where it is new; nil: nobody knows where the head was.
    private mutating func index(of exposure: Seconds, recorded: Seconds, _ known: inout [Seconds: Int]) -> Int? {
        if let index = known[exposure] { return index }
        guard let pose = camera?.mount == .head ? pose(at: exposure) : pose(at: exposure) ?? .zero else { return nil }
        looks.append(Look(exposure: exposure, recorded: recorded, pose: pose, faces: []))
        known[exposure] = looks.count - 1
        return looks.count - 1
    }

    private func world(of rect: Rect, from pose: PanTilt) -> PanTilt {
        camera?.world(of: Framing.aimPoint(of: rect), from: pose) ?? .zero
    }

    /// Where the head was at a moment, rad: between two reports, or just beside one; nil: nobody knows.
    package func pose(at time: Seconds) -> PanTilt? {
        guard let first = poses.first, let last = poses.last else { return nil }
        if time <= first.time { return first.time - time <= Self.horizon ? first.pose : nil }
        if time >= last.time {
            return time - last.time <= Self.horizon ? last.pose + last.rate * (time - last.time) : nil
        }
        var low = 0, high = poses.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if poses[middle].time <= time { low = middle } else { high = middle }
        }
        let before = poses[low], after = poses[high], gap = after.time - before.time
        guard gap <= Self.longestGap else { return nil }
        return before.pose + (after.pose - before.pose) * ((time - before.time) / gap)
    }

    /// What somebody changed of the framing; how it was before the trace began it does not tell.
    private static func apply(_ command: String, _ values: [Double], to framing: inout Framing) {
        switch (command, values.count) {
        case ("setFraming", 1...):
            let modes: [FramingMode] = [.automatic, .center, .left, .right], index = Int(values[0].clamped(to: 0...3))
            framing.mode = modes[index]
        case ("setRegion", 4...):
            framing.region = Rect(x: values[0], y: values[1], width: values[2], height: values[3])
        default: break
        }
    }
}
