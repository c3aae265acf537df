internal import DockControl
internal import Geometry

/// Many trials of the sign guard, and what is asked of them.
package struct SignCampaign: Sendable {
    /// The trials of one camera, with what came of them.
    package typealias Row = (trial: SignTrial, outcome: SignOutcome)

    /// No unproven axis is turned faster, rad/s (a set-point is a whole number on the wire).
    package static let fastest = Double.degrees(60.1)
    /// No wrong axis gets farther from where it was, rad.
    package static let farthest = Double.degrees(40)

    /// Runs one trial.
    package static func run(_ trial: SignTrial) -> SignOutcome { SignStage(trial).run() }

    /// Why a trial fails; nil: it does not.
    package static func failure(_ trial: SignTrial, _ outcome: SignOutcome) -> String? {
        func degrees(_ angle: Double) -> String { String(Int(angle.inDegrees.rounded())) }
        guard trial.camera != .right else {
            return outcome.verdict.map { "a right camera was accused: \($0.text)" }
        }
        if outcome.fastest > fastest { return "turned at \(degrees(outcome.fastest)) deg/s" }
        return outcome.farthest > farthest ? "got \(degrees(outcome.farthest)) degrees away" : nil
    }

    /// One line of the table.
    package static func line(_ name: String, _ rows: [Row]) -> String {
        let count = Double(max(1, rows.count))
        func share(_ isCounted: (Row) -> Bool) -> String {
            String(Int((100 * Double(rows.count(where: isCounted)) / count).rounded())) + " %"
        }
        func most(_ value: KeyPath<SignOutcome, Double>) -> String {
            String(Int((rows.map { $0.outcome[keyPath: value] }.max() ?? 0).inDegrees.rounded()))
        }
        let cells = [
            name, String(rows.count), most(\.fastest), most(\.farthest), most(\.turned),
            share { $0.outcome.verdict != nil },
            share { $0.outcome.isProven },
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    /// The table of one camera: all trials, and those with each noise, rate of hellos and rate of pictures.
    package static func table(_ camera: SignCamera, _ rows: [Row]) -> String {
        var lines = [
            "| \(camera.rawValue) camera | trials | fastest (deg/s) | farthest (deg) | to and fro (deg) | latched | proven |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: |", line("all", rows),
        ]
        for noise in SignTrial.noises {
            lines.append(line("noise \((noise * 1000).rounded() / 10) %", rows.filter { $0.trial.noise == noise }))
        }
        for hellos in SignTrial.helloRates {
            lines.append(line("\(Int(hellos)) hellos a second", rows.filter { $0.trial.hellos == hellos }))
        }
        for rate in SignTrial.rates {
            lines.append(line("\(Int(rate)) pictures a second", rows.filter { $0.trial.rate == rate }))
        }
        return lines.joined(separator: "\n")
    }
}
