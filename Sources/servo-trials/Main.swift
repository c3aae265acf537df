internal import ArgumentParser
internal import DockSimulator
internal import Geometry
internal import Glibc
internal import Plotting
internal import ServoTrials

extension TrialController: ExpressibleByArgument {}
extension TrialRig: ExpressibleByArgument {}
extension TrialScene: ExpressibleByArgument {}

@main
struct ServoTrialsTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "servo-trials",
        abstract:
            "Test the tracking loop against a simulated rig and camera in virtual time, and print the results as one table.",
        discussion: """
            The seed determines every run. Errors are rms degrees; times are seconds. With --live the built daemon runs in real \
            time, one process per run, on the simulated rig's pseudo-terminal. The results then also depend on this machine.
            """)

    @Option(help: "Number of runs of each scene.") var seeds: UInt64 = 8
    @Option(help: "The first seed.") var first: UInt64 = 1
    @Option(help: "Frames per second: one or more, separated by commas.") var rates = "30,15,10"
    @Option(help: "Run only this scene; with --trace its samples are printed.") var scene: TrialScene?
    @OptionGroup var errors: ErrorOptions
    @Option(help: "Controller: ours, p or pid (on pixels; the largest face, no pose, no prediction).")
    var controller = TrialController.ours
    @Option(
        help:
            "Set-points of the rig: speeds, places (positions, bus servos) or unheard (positions, and no reported pose)."
    )
    var rig = TrialRig.speeds
    @OptionGroup var choice: ChoiceOptions
    @Flag(help: "Print the samples of the first run, every 10 ms.") var trace = false
    @OptionGroup var live: LiveOptions
    @Option(help: ArgumentHelp("Folder for the README's charts, which replace the table.", valueName: "folder"))
    var plot: String?

    mutating func validate() throws {
        guard seeds > 0 else { throw ValidationError("--seeds must be above 0.") }
        let all = rates.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? 0 }
        guard all.allSatisfy({ (1...120).contains($0) }) else {
            throw ValidationError("--rates: \(rates) is not a list of frame rates from 1 to 120, such as 30,15,10.")
        }
        guard plot == nil || !live.live else {
            throw ValidationError("--plot draws in virtual time. Omit --live.")
        }
        guard live.live, rig != .speeds || controller != .ours else { return }
        throw ValidationError("--live runs the daemon on our own dock. Omit --rig and --controller.")
    }

    func run() throws {
        if let plot { return try draw(into: plot) }
        let scenes = scene.map { [$0] } ?? TrialScene.allCases
        print(
            "| rig, frames/s | settle, overshoot | still, reversals/s | ramp | sine | stop-go | walks, central | reacquire | kept | commands/s | lag found, ms |"
        )
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        var stage = live.live ? try LiveTable(live) : nil
        for model in choice.models {
            for rate in rates.split(separator: ",").compactMap({ Double($0) }) {
                let setups = setups(model, rate, scenes)
                if stage == nil {
                    row(model, rate, setups.lazy.map(Trial.run))
                } else if let records = try stage?.run(setups) {
                    row(model, rate, records)
                }
            }
        }
        try stage?.finish()
    }

    private func setups(_ model: RigModel, _ rate: Double, _ scenes: [TrialScene]) -> [TrialSetup] {
        scenes.flatMap { scene in
            (first..<first + seeds).map { seed in
                var setup = TrialSetup(scene, model: model, seed: seed)
                setup.framesPerSecond = rate
                setup.rig = rig
                setup.controller = controller
                errors.apply(to: &setup)
                setup.isPerfect = choice.perfect
                setup.start = choice.start
                return setup
            }
        }
    }

    private func draw(into folder: String) throws {
        for picture in TrialPictures.all {
            let path = "\(folder)/\(picture.name).svg"
            guard let file = fopen(path, "w") else {
                throw ValidationError(
                    "cannot write \(path): \(String(cString: strerror(errno))). Create its folder first.")
            }
            fputs(picture.plot.svg, file)
            fclose(file)
            print(path)
        }
    }

    private func row(_ model: RigModel, _ rate: Double, _ records: some Sequence<TrialRecord>) {
        var scores: [TrialScene: [TrialScore]] = [:], found: [Seconds?] = []
        for record in records {
            if trace, record.setup.seed == first { tell(record) }
            found.append(record.pictureLag)
            scores[record.setup.scene, default: []].append(TrialScore(record))
        }
        func figure(_ value: Double, _ digits: Int) -> String {
            let unit = pow(10, Double(digits)), rounded = (value * unit).rounded() / unit
            return digits == 0 ? "\(Int(rounded))" : "\(rounded)"
        }
        func mean(_ scene: TrialScene, _ value: (TrialScore) -> Double, _ digits: Int = 2) -> String {
            guard let all = scores[scene] else { return "-" }
            return figure(all.map(value).reduce(0, +) / Double(all.count), digits)
        }
        // A scene that never settled has no mean.
        func median(_ scene: TrialScene, _ value: (TrialScore) -> Double) -> String {
            guard let all = scores[scene]?.map(value).sorted() else { return "-" }
            let never = all.filter { $0 == .infinity }.count
            let middle = (all[(all.count - 1) / 2] + all[all.count / 2]) / 2
            return (middle == .infinity ? "never" : figure(middle, 2))
                + (never > 0 ? " (\(never) of \(all.count) never)" : "")
        }
        let lags = found.compactMap { $0 }.sorted()
        let lag =
            lags.isEmpty
            ? "-"
            : "\(figure(1000 * lags[lags.count / 2], 0)) (\(figure(1000 * lags[0], 0)) to \(figure(1000 * (lags.last ?? 0), 0)))"
        let kept = scores[.crossing].map { "\($0.filter(\.isKept).count) of \($0.count)" } ?? "-"
        let commands = scores.values.flatMap { $0 }.map(\.commands).max() ?? 0
        print(
            "| \(model.name), \(Int(rate)) | \(median(.step, \.settle)), \(mean(.step, { 100 * $0.overshoot }, 0)) % "
                + "| \(mean(.still, \.rms)), \(mean(.still, \.reversals)) | \(mean(.ramp, \.rms)) | \(mean(.sine, \.rms)) "
                + "| \(mean(.stopGo, \.rms)) | \(mean(.walks, \.rms)), \(mean(.walks, { 100 * $0.central }, 1)) % "
                + "| \(median(.reacquire, \.settle)) | \(kept) | \(Int(commands.rounded())) | \(lag) |")
    }

    private func tell(_ record: TrialRecord) {
        for note in record.notes { print("# \(note)") }
        for (index, sample) in record.samples.enumerated() where index % 10 == 0 {
            print(
                "\(sample.time) \(sample.target.pan.inDegrees) \(sample.pose.pan.inDegrees) \(sample.rate.pan.inDegrees) \(sample.target.tilt.inDegrees) \(sample.pose.tilt.inDegrees)"
            )
        }
    }
}
