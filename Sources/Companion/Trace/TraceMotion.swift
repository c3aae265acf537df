package import DockControl
internal import DockTypes
package import Geometry

/// The motion in a trace: the pose of the head, its target, and the commands.
///
/// A rectangle is converted to a direction in the world with the pose at its exposure, as in the loop itself. It still
/// contains the detector's noise. The camera is the profile's, with the frame's aspect ratio or the detector's lens if
/// the trace has them; otherwise the aspect ratio is 16 to 9.
package struct TraceMotion: Sendable {
    /// A face in one frame.
    package struct Face: Sendable, Equatable {
        /// The tracker's number.
        package var id: Int
        /// The measured rectangle, normalised.
        package var rect: Rect
        /// The direction of its aim point in the world, in dock angles, in radians.
        package var world: PanTilt
        /// Whether the head followed this face.
        package var isFollowed: Bool
    }

    /// A rectangle from the detector, before the tracker.
    package struct Seen: Sendable, Equatable {
        /// The rectangle, normalised.
        package var rect: Rect
        /// The direction of its aim point in the world, in dock angles, in radians.
        package var world: PanTilt
        /// The score, 0...1.
        package var score: Double
    }

    /// One frame of the trace.
    package struct Look: Sendable {
        /// When it was taken, CLOCK_MONOTONIC.
        package var exposure: Seconds
        /// When it was recorded, which is after processing and up to 50 ms after its arrival.
        package var recorded: Seconds
        /// When it arrived, or nil if that is not in the trace.
        package var came: Seconds?
        /// The head's pose at the exposure, in radians.
        package var pose: PanTilt
        /// The measured faces; predicted ones are omitted.
        package var faces: [Face]
        /// The detector's rectangles, or nil if they are not in the trace.
        package var seen: [Seen]?
        /// The pose that puts the followed face where framing places it, in radians, or nil if no face was followed or
        /// it was not seen.
        package var target: PanTilt?
        /// The distance of the head from the target, in radians.
        package var error: PanTilt? { target.map { $0 - pose } }
    }

    /// The decided velocities, rad/s, and their owners.
    package private(set) var commands: [(time: Seconds, velocity: PanTilt, owner: String)] = []
    /// The head's poses that the dock reported.
    package private(set) var poses: [MotionSample] = []
    /// The frames; empty without a camera.
    package private(set) var looks: [Look] = []
    /// The model of the first camera at the end of the trace, without a magnification by the daemon; nil if unknown.
    package private(set) var camera: CameraModel?
    /// Through what the following frames were taken.
    private var optics = FrameOptics.usual
    /// The camera as it sees now.
    private var view: CameraModel? { camera?.cropped(by: optics.zoom) }

    /// The longest gap between two reports that is interpolated, in seconds. A dock at rest reports ten times a second.
    package static let longestGap: Seconds = 0.5
    /// The longest extrapolation before the first and after the last report, in seconds.
    static let horizon: Seconds = 0.05

    /// The first camera as the profile describes it.
    private let described: RigProfile.Camera?

    /// Reads a trace. `camera`: the first camera of the profile. If nil, it is unknown, and there are no frames.
    package init(_ trace: Trace, camera: RigProfile.Camera?) {
        described = camera
        for record in trace.records {
            switch record.body {
            case .pose(let sample, _): if sample.time > poses.last?.time ?? -.infinity { poses.append(sample) }
            case .set(let velocity, let owner, _): commands.append((record.time, velocity, owner))
            default: break
            }
        }
        self.camera = camera.map { CameraModel(camera: $0) }
        if trace.run?.options.cameraIsElsewhere == true { self.camera?.mount = .fixed }
        if camera != nil { look(at: trace) }
    }

    private mutating func look(at trace: Trace) {
        var framing = Framing(), byExposure: [Seconds: Int] = [:], isOpen = false
        for record in trace.records {
            switch record.body {
            case .command(let name, let values, _): Self.apply(name, values, to: &framing)
            case .input(.lens(let lens, let aspect)): adopt(lens, aspect: aspect)
            case .input(.optics(let optics, _)): self.optics = optics
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
                    view?.pose(toSee: $0.world, at: framing.setPoint(yaw: nil))
                }
            default: break
            }
        }
        looks.sort { $0.exposure < $1.exposure }
    }

    /// Adopts a lens, unless its values are impossible, because the file may come from outside.
    private mutating func adopt(_ lens: TraceLens?, aspect: Double) {
        guard var camera, (0.1...10).contains(aspect) else { return }
        if let lens {
            let lenses = 0.04...12.0, middles = -1.0...2.0
            guard lenses.contains(lens.focal.x), lenses.contains(lens.focal.y) else { return }
            guard middles.contains(lens.principal.x), middles.contains(lens.principal.y) else { return }
        }
        if let lens {
            (camera.focal, camera.principal, camera.distortion) = (lens.focal, lens.principal, .none)
        } else if let described, described.lens != nil {
            let mount = camera.mount
            camera = CameraModel(camera: described, aspect: aspect)
            camera.mount = mount
        } else {
            camera.focal.y = camera.focal.x * aspect
        }
        self.camera = camera
    }

    /// Returns the index of the frame with this exposure, and adds the frame if it is new. The result is nil if the
    /// pose of the head or the lens is unknown.
    private mutating func index(of exposure: Seconds, recorded: Seconds, _ known: inout [Seconds: Int]) -> Int? {
        if let index = known[exposure] { return index }
        // The lens of another camera is not known here.
        guard optics.camera == 0 else { return nil }
        guard let pose = camera?.mount == .head ? pose(at: exposure) : pose(at: exposure) ?? .zero else { return nil }
        looks.append(Look(exposure: exposure, recorded: recorded, pose: pose, faces: []))
        known[exposure] = looks.count - 1
        return looks.count - 1
    }

    private func world(of rect: Rect, from pose: PanTilt) -> PanTilt {
        view?.world(of: Framing.aimPoint(of: rect), from: pose) ?? .zero
    }

    /// Returns the head's pose at a time, rad, interpolated between two reports or extrapolated a little, or nil if
    /// unknown.
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

    /// Applies a change of the framing. The trace does not contain the framing from before its beginning.
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
