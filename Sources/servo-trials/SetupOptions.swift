internal import ArgumentParser
internal import DockSimulator
internal import ServoTrials

/// The errors of a profile: how far the rig and the detector are from it.
struct ErrorOptions: ParsableArguments {
    @Option(help: "Error of the frames' times, milliseconds: they are later than the exposures.") var late = 0.0
    @Option(help: "Delay of commands beyond the profile's latency, milliseconds.") var latency = 0.0
    @Option(help: "Lag of the motors beyond the profile's lag, milliseconds.") var lag = 0.0

    func apply(to setup: inout TrialSetup) {
        setup.stampError = late / 1000
        setup.latencyError = latency / 1000
        setup.lagError = lag / 1000
    }
}

/// Which rigs to run, and in which state.
struct ChoiceOptions: ParsableArguments {
    @Flag(help: "Use a rig that was just switched on, in front of a person who stands for 3 s.") var cold = false
    @Flag(help: "Use a rig that was just switched on, and measure from the first frame.") var atOnce = false
    @Flag(help: "Run the cheap rig only.") var cheap = false
    @Flag(help: "Run the good rig only.") var good = false
    @Flag(help: "Use a camera without faults.") var perfect = false

    /// The models to run.
    var models: [RigModel] { [.good, .cheap].filter { !(cheap && $0 == .good) && !(good && $0 == .cheap) } }

    /// What precedes the measurement.
    var start: TrialStart { atOnce ? .atOnce : cold ? .cold : .proven }

    mutating func validate() throws {
        guard !(cold && atOnce) else { throw ValidationError("--cold and --at-once: give one, or none.") }
        guard !(good && cheap) else { throw ValidationError("--good and --cheap: give one, or none to run both.") }
    }
}
