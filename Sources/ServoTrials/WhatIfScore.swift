internal import Companion
internal import DockControl
internal import Geometry
internal import Glibc

/// How well a run followed whom the recording followed.
package struct WhatIfScore: Sendable, Equatable {
    /// Root mean square of the angle from where the head had to look, rad.
    package var error = 0.0
    /// Share of the pictures with the face in the middle third, both ways, around where framing wants it.
    package var central = 0.0
    /// Set-points a second on the wire; nil: its language is not known here.
    package var commands: Double?
    /// Changes of sense a second, of the axis that does it more often.
    package var reversals = 0.0
    /// Pictures that count.
    package var pictures = 0

    /// A turn counts from so much on, rad: less than that nobody sees.
    static let leastTurn = Double.degrees(0.3)

    /// - Parameters:
    ///   - trace: of the run.
    ///   - looks: the recording's pictures; those count in which somebody was followed.
    ///   - span: CLOCK_MONOTONIC of what counts.
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

    /// How often an axis has turned round.
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
