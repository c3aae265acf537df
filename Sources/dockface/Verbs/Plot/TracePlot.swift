import Companion
import DockControl
import Geometry
import Plotting

/// Traces as a chart: target, pose, error and commands of the head.
struct TracePlot {
    /// One trace.
    struct Run {
        var label: String
        var trace: Trace
        var motion: TraceMotion

        /// CLOCK_MONOTONIC of the first record; all runs start there.
        var start: Seconds { trace.records.first?.time ?? 0 }
    }

    /// The time without a target above which its line has a gap, in seconds.
    static let longestGap: Seconds = 0.3

    var runs: [Run]
    var axes: [Axis]

    func plot(title: String) -> Plot {
        var plot = Plot(title, axes.flatMap(panels))
        plot.height = 70 + (axes.count > 1 ? 400 : 480) * Double(axes.count)
        if runs.count == 1 {
            for record in runs[0].trace.records {
                guard case .state("faulted", let cause, _) = record.body else { continue }
                plot.marks.append(Plot.Mark(record.time - runs[0].start, "fault: \(cause ?? "?")"))
            }
        }
        return plot
    }

    private func panels(of axis: Axis) -> [Plot.Panel] {
        let name = axis.rawValue, isAlone = runs.count == 1
        var places: [Plot.Series] = [], errors: [Plot.Series] = [], commands: [Plot.Series] = []
        for (index, run) in runs.enumerated() {
            let colour = Plot.colours[index % Plot.colours.count]
            let style =
                isAlone ? Plot.Style(Plot.ink, width: 1.3) : Plot.Style(colour, width: 1, dashes: [5, 3])
            let targets = run.targets(axis)
            // The legend explains the dashes once, in no run's colour.
            if index == 0, !isAlone, !targets.isEmpty {
                places.append(Plot.Series("target", Plot.Style(Plot.ink, width: 1, dashes: [5, 3]), []))
            }
            if !targets.isEmpty { places.append(Plot.Series(isAlone ? "target" : "", style, targets)) }
            let errorPoints = run.errors(axis)
            if !errorPoints.isEmpty { errors.append(Plot.Series("", Plot.Style(colour), errorPoints)) }
            commands.append(
                Plot.Series("", Plot.Style(colour, width: 1.3), run.commands(axis), isStepped: true))
        }
        for (index, run) in runs.enumerated() {
            let colour = Plot.colours[index % Plot.colours.count]
            places.append(Plot.Series(isAlone ? "head" : run.label, Plot.Style(colour), run.poses(axis)))
        }
        var panels = [Plot.Panel("\(name), degrees", places, share: 1.6, leastSpan: 4)]
        if !errors.isEmpty { panels.append(Plot.Panel("\(name): target less head, degrees", errors, leastSpan: 2)) }
        return panels + [Plot.Panel("\(name): commands, degrees a second", commands, share: 0.8, leastSpan: 4)]
    }
}

extension TracePlot.Run {
    fileprivate func targets(_ axis: Axis) -> [Plot.Point] {
        points(motion.looks.compactMap { look in look.target.map { (look.exposure, $0[axis]) } }, TracePlot.longestGap)
    }
    fileprivate func errors(_ axis: Axis) -> [Plot.Point] {
        points(motion.looks.compactMap { look in look.error.map { (look.exposure, $0[axis]) } }, TracePlot.longestGap)
    }
    fileprivate func poses(_ axis: Axis) -> [Plot.Point] {
        points(motion.poses.map { ($0.time, $0.pose[axis]) }, TraceMotion.longestGap)
    }
    fileprivate func commands(_ axis: Axis) -> [Plot.Point] {
        points(motion.commands.map { ($0.time, $0.velocity[axis]) }, .infinity)
    }

    /// Converts radians to degrees and times to seconds since the run's start; inserts a gap where values were missing
    /// for too long.
    private func points(_ values: [(time: Seconds, value: Double)], _ longest: Seconds) -> [Plot.Point] {
        var points: [Plot.Point] = []
        for (time, value) in values {
            let x = time - start
            if let last = points.last, x - last.x > longest { points.append(Plot.Point((last.x + x) / 2, .nan)) }
            points.append(Plot.Point(x, value.inDegrees))
        }
        return points
    }
}
