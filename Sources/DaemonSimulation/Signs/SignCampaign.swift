internal import DockControl
internal import Geometry

/// Many trials of the sign guard, and their requirements.
package struct SignCampaign: Sendable {
    /// One camera's trials with their outcomes.
    package typealias Row = (trial: SignTrial, outcome: SignOutcome)

    /// Highest speed of an unproven axis, rad/s. A set-point on the wire is a whole number, hence the 0.1.
    package static let fastest = Double.degrees(60.1)
    /// Largest distance of a wrong axis from its first position, rad: with a line that loses nothing, and with one that
    /// does. A burst whose stop is lost lasts until the dock's deadman timer stops it, and nothing reports where.
    package static let farthest = (clear: Double.degrees(40), lossy: Double.degrees(55))

    /// Runs one trial.
    package static func run(_ trial: SignTrial) -> SignOutcome { SignStage(trial).run() }

    /// Returns why a trial fails, or nil if it passes.
    package static func failure(_ trial: SignTrial, _ outcome: SignOutcome) -> String? {
        func degrees(_ angle: Double) -> String { String(Int(angle.inDegrees.rounded())) }
        guard trial.camera != .right else {
            return outcome.verdict.map { "a correct camera was accused: \($0.text)" }
        }
        if outcome.fastest > fastest { return "turned at \(degrees(outcome.fastest)) deg/s" }
        let most = trial.lost == 0 ? farthest.clear : farthest.lossy
        return outcome.farthest > most ? "moved \(degrees(outcome.farthest)) degrees away" : nil
    }

    /// Returns one line of the table.
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

    /// Returns the table of one camera: all trials, those with each loss on the line, and, of those without loss, those
    /// with each noise, hello rate and frame rate.
    package static func table(_ camera: SignCamera, _ rows: [Row]) -> String {
        var lines = [
            "| \(camera.rawValue) camera | trials | fastest (deg/s) | farthest (deg) | total (deg) | latched | proven |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: |", line("all", rows),
        ]
        for lost in Set(SignTrial.lostShares).sorted() {
            lines.append(line("\(Int(100 * lost)) % of the messages lost", rows.filter { $0.trial.lost == lost }))
        }
        // Of those whose line loses nothing.
        let rows = rows.filter { $0.trial.lost == 0 }
        for noise in SignTrial.noises {
            lines.append(line("noise \((noise * 1000).rounded() / 10) %", rows.filter { $0.trial.noise == noise }))
        }
        for hellos in SignTrial.helloRates {
            lines.append(line("\(Int(hellos)) hellos a second", rows.filter { $0.trial.hellos == hellos }))
        }
        for rate in SignTrial.rates {
            lines.append(line("\(Int(rate)) frames a second", rows.filter { $0.trial.rate == rate }))
        }
        return lines.joined(separator: "\n")
    }
}
