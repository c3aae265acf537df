internal import DockSimulator
internal import Geometry
package import Plotting

/// The charts of the README: the same trial twice, controlled by us and by a P on pixels.
package enum TrialPictures {
    private struct Row {
        var name: String
        var scene: TrialScene
        var title: String
        /// Seed of the run; all are in the table of `servo-trials`.
        var seed: UInt64
        var span: ClosedRange<Seconds>
    }

    private static let rows = [
        Row(name: "step", scene: .step, title: "A person jumps by 20°", seed: 1, span: 0...1.8),
        Row(name: "walk", scene: .walks, title: "A person walks about", seed: 1, span: 8...18),
        Row(name: "crossing", scene: .crossing, title: "A nearer person crosses", seed: 1, span: 0...4),
    ]

    /// All charts, each with a file name without extension. The same sources give the same bytes.
    package static var all: [(name: String, plot: Plot)] { rows.map { ($0.name, draw($0)) } }

    private static func draw(_ row: Row) -> Plot {
        let ours = run(row, .ours), classic = run(row, .p)
        let people = TrialPeople(row.scene, seed: row.seed)
        func line(_ samples: [TrialSample], _ value: (TrialSample) -> Double) -> [Plot.Point] {
            samples.map { Plot.Point($0.time, value($0).inDegrees) }
        }
        let blue = Plot.Style(Plot.colours[0], width: 2), orange = Plot.Style(Plot.colours[1], width: 2)
        var places = [
            Plot.Series("person", Plot.Style(Plot.ink, width: 2, dashes: [2, 3]), line(ours) { $0.target.pan }),
            Plot.Series("P on pixels", orange, line(classic) { $0.pose.pan }),
            Plot.Series("dockface", blue, line(ours) { $0.pose.pan }),
        ]
        let others = ours.compactMap { sample in
            people.people(at: sample.time).dropFirst().first.map { Plot.Point(sample.time, $0.bearing.pan.inDegrees) }
        }
        if !others.isEmpty {
            places.insert(Plot.Series("other", Plot.Style("#bdc1c6", width: 2, dashes: [2, 3]), others), at: 1)
        }
        var plot = Plot(
            row.title,
            [
                Plot.Panel("pan, degrees", places, share: 1.7),
                Plot.Panel(
                    "error, degrees",
                    [
                        Plot.Series("", orange, line(classic) { $0.target.pan - $0.pose.pan }),
                        Plot.Series("", blue, line(ours) { $0.target.pan - $0.pose.pan }),
                    ]),
            ])
        (plot.width, plot.height, plot.textSize, plot.span) = (420, 380, 14, row.span)
        return plot
    }

    private static func run(_ row: Row, _ controller: TrialController) -> [TrialSample] {
        var setup = TrialSetup(row.scene, seed: row.seed)
        setup.controller = controller
        return Trial.run(setup).samples
    }
}
