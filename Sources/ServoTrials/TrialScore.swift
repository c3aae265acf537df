internal import Glibc
internal import Geometry

/// Score of a run by the usual servo tests: times in seconds, angles in degrees.
package struct TrialScore: Sendable {
    /// Root mean square of the angle between person and head, in the scenes that measure it, degrees.
    package var rms = 0.0
    /// Time until it stayed within 2 degrees (`step`), or was within 2 degrees again (`reacquire`), seconds; infinity:
    /// never.
    package var settle = Double.infinity
    /// Overshoot beyond the person, as a share of the step.
    package var overshoot = 0.0
    /// Changes of direction a second, of the axis that changes more often.
    package var reversals = 0.0
    /// Share of the time with the person in the middle third of the image in both directions.
    package var central = 0.0
    /// Set-points a second.
    package var commands = 0.0
    /// Whether it still looks at the right person at the end.
    package var isKept = false

    /// Scores one run.
    package init(_ record: TrialRecord) {
        let scene = record.setup.scene, samples = record.samples
        guard let last = samples.last else { return }
        func error(_ sample: TrialSample) -> Double { Self.apart(sample.target, sample.pose).inDegrees }
        let begin: Seconds = scene == .ramp ? 1 : scene == .sine || scene == .stopGo || scene == .walks ? 2 : 0
        let counted = samples.filter { $0.time >= begin && $0.isVisible }
        rms = (counted.reduce(0) { $0 + error($1) * error($1) } / Double(max(1, counted.count))).squareRoot()
        central = Double(counted.filter(Self.isCentral).count) / Double(max(1, counted.count))
        commands = Double(record.commands) / last.time
        isKept = error(last) < 4
        reversals = Axis.allCases.map { Self.reversals(samples, $0) }.max() ?? 0
        switch scene {
        case .step:
            settle = samples.last { error($0) > 2 }.map { $0.time >= last.time ? .infinity : $0.time } ?? 0
            let size = samples.first.map(error) ?? 0,
                side = (samples.first.map { $0.target.pan - $0.pose.pan } ?? 0) < 0 ? -1.0 : 1
            overshoot = max(0, samples.map { side * ($0.pose.pan - $0.target.pan).inDegrees }.max() ?? 0) / max(size, 1)
        case .reacquire:
            settle = samples.first { $0.time >= 3 && error($0) < 2 }.map { $0.time - 3 } ?? .infinity
        case .still, .ramp, .sine, .stopGo, .walks, .crossing: break
        }
    }

    /// The angle between two directions.
    private static func apart(_ a: PanTilt, _ b: PanTilt) -> Double {
        let dot = sin(a.tilt) * sin(b.tilt) + cos(a.tilt) * cos(b.tilt) * cos(a.pan - b.pan)
        return acos(dot.clamped(to: -1...1))
    }

    /// The image is 66 degrees wide, 16 to 9.
    private static func isCentral(_ sample: TrialSample) -> Bool {
        let focal = 0.5 / tan(Double.degrees(33))
        let x = focal * tan(sample.target.pan - sample.pose.pan),
            y = focal * 16 / 9 * tan(sample.target.tilt - sample.pose.tilt)
        return abs(x) <= 1.0 / 6 && abs(y) <= 1.0 / 6
    }

    /// A turn counts from 0.3 degrees on: a smaller one is not visible.
    private static func reversals(_ samples: [TrialSample], _ axis: Axis) -> Double {
        guard var turned = samples.first?.pose[axis], let end = samples.last?.time else { return 0 }
        var sense = 0.0, count = 0.0
        for sample in samples {
            let moved = sample.pose[axis] - turned
            if sense == 0 || moved * sense > 0 {
                if sense != 0 || abs(moved) > .degrees(0.3) {
                    sense = sense == 0 ? (moved < 0 ? -1 : 1) : sense
                    turned = sample.pose[axis]
                }
            } else if abs(moved) > .degrees(0.3) {
                count += 1
                sense = -sense
                turned = sample.pose[axis]
            }
        }
        return count / max(end, 1)
    }
}
