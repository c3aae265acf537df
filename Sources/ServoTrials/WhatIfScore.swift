internal import Companion
internal import DockControl
internal import Geometry
internal import Glibc

/// How well a run followed the person whom the recording followed.
package struct WhatIfScore: Sendable, Equatable {
    /// Root mean square of the angle between the head and its target, rad.
    package var error = 0.0
    /// Fraction of the frames with the face in the middle third in both directions, around the set-point of framing.
    package var central = 0.0
    /// Set-points a second on the wire; nil: the protocol is not known here.
    package var commands: Double?
    /// Changes of direction a second, of the axis that changes more often.
    package var reversals = 0.0
    /// Number of frames that count.
    package var pictures = 0

    /// Smallest turn that counts, rad: a smaller one is not visible.
    static let leastTurn = Double.degrees(0.3)

    /// Scores a run.
    /// - Parameters:
    ///   - trace: of the run.
    ///   - looks: the recording's frames; those with a followed person count.
    ///   - span: the time span that counts, CLOCK_MONOTONIC.
    init(_ trace: Trace, looks: [TraceMotion.Look], camera: CameraModel, span: ClosedRange<Seconds>) {
        let motion = TraceMotion(trace, camera: nil)
        var sum = 0.0, middle = 0
        for look in looks where span.contains(look.exposure) {
            guard let target = look.target, let pose = motion.pose(at: look.exposure) else { continue }
            let pan = target.pan - pose.pan, tilt = target.tilt - pose.tilt
            let dot = sin(target.tilt) * sin(pose.tilt) + cos(target.tilt) * cos(pose.tilt) * cos(pan)
            sum += pow(acos(dot.clamped(to: -1...1)), 2)
            pictures += 1
            let isAhead = abs(pan) < .pi / 2 && abs(tilt) < .pi / 2
            let x = camera.focal.x * tan(pan), y = camera.focal.y * tan(tilt)
            if isAhead, abs(x) <= 1.0 / 6, abs(y) <= 1.0 / 6 { middle += 1 }
        }
        error = (sum / Double(max(1, pictures))).squareRoot()
        central = Double(middle) / Double(max(1, pictures))
        let length = max(span.upperBound - span.lowerBound, 1e-3)
        commands = Self.setpoints(trace, span).map { Double($0) / length }
        let poses = motion.poses.filter { span.contains($0.time) }
        reversals = (Axis.allCases.map { axis in Self.turns(poses.map { $0.pose[axis] }) }.max() ?? 0) / length
    }

    private static func setpoints(_ trace: Trace, _ span: ClosedRange<Seconds>) -> Int? {
        guard trace.driver == DlpDriver.name else { return nil }
        var wire = WireReader(driver: trace.driver), count = 0
        for record in trace.records {
            guard case .toDock(let bytes, _) = record.body else { continue }
            let messages = wire.sent(bytes)
            if span.contains(record.time) { count += messages.count { $0.name == "SETPOINT" } }
        }
        return count
    }

    /// How often an axis has changed its direction.
    static func turns(_ places: [Double]) -> Double {
        guard var end = places.first else { return 0 }
        var sense = 0.0, count = 0.0
        for place in places {
            let moved = place - end
            if moved * sense > 0 { end = place }
            guard moved * sense <= 0, abs(moved) > leastTurn else { continue }
            if sense != 0 { count += 1 }
            (sense, end) = (moved < 0 ? -1 : 1, place)
        }
        return count
    }
}
