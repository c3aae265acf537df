internal import DockControl
internal import DockSimulator
package import DockTypes
package import Geometry

/// What to change when a recording is run again.
package struct WhatIf: Sendable, Equatable {
    /// The rig on which the recording is run.
    package enum Rig: String, CaseIterable, Sendable {
        /// A rig with the dynamics in the recorded rig's profile.
        case profile
        /// The figures of `RigModel`; the law knows them.
        case good, cheap
    }

    /// How much older frames are than their times say, seconds; below 0: younger.
    package var latency: Seconds = 0
    /// How much later frames arrive, seconds; the law knows it.
    package var delay: Seconds = 0
    /// The controller.
    package var controller = TrialController.ours
    /// The rig.
    package var rig = Rig.profile
    /// Upper limit of the frame rate, per second; nil: all recorded frames.
    package var framesPerSecond: Double?

    /// Creates a run without changes.
    package init() {}

    private static let keys: [(name: String, values: String)] = [
        ("latency", "+40ms or -20ms: frames are this much older or younger than the law assumes, up to 500 ms"),
        ("delay", "+40ms: frames arrive this much later, and the law knows it, up to 400 ms"),
        ("controller", TrialController.allCases.map(\.rawValue).joined(separator: ", ")),
        ("rig", Rig.allCases.map(\.rawValue).joined(separator: ", ")),
        ("fps", "frames per second, 1 to 120"),
    ]

    /// Parses a change as a user types it: "latency=+40ms,controller=p".
    /// - Throws: `invalidParameter`, with a list of all possible changes.
    package init(_ text: String) throws(DockError) {
        var seen: Set<String> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2, let row = Self.keys.first(where: { $0.name == pair[0] }) else {
                throw Self.refused("unknown change \"\(part)\"")
            }
            guard seen.insert(row.name).inserted else { throw Self.refused("\(row.name) is given twice") }
            guard apply(row.name, pair[1]) else { throw Self.refused("invalid value \"\(pair[1])\" for \(row.name)") }
        }
    }

    private mutating func apply(_ key: String, _ value: String) -> Bool {
        switch key {
        case "latency":
            guard let time = Self.seconds(value), abs(time) <= 0.5 else { return false }
            latency = time
        case "delay":
            guard let time = Self.seconds(value), (0...0.4).contains(time) else { return false }
            delay = time
        case "controller":
            guard let one = TrialController(rawValue: value) else { return false }
            controller = one
        case "rig":
            guard let one = Rig(rawValue: value) else { return false }
            rig = one
        default:
            guard let rate = Double(value), (1...120).contains(rate) else { return false }
            framesPerSecond = rate
        }
        return true
    }

    /// Parses a time such as "+40ms".
    private static func seconds(_ text: String) -> Seconds? {
        guard text.hasSuffix("ms"), let number = Double(text.dropLast(2)), number.isFinite else { return nil }
        return number / 1000
    }

    private static func refused(_ what: String) -> DockError {
        let all = keys.map { "\($0.name)= \($0.values)" }.joined(separator: "; ")
        return DockError(.invalidParameter, "--what-if: \(what)", hint: "one or more, separated by commas: \(all)")
    }

    /// Returns the simulated rig, and the profile that the law has of it: our own dock's protocol, mounted the usual
    /// way round.
    func simulated(_ recorded: RigProfile) -> (model: RigModel, profile: RigProfile) {
        var profile = recorded, model = RigModel(recorded)
        switch rig {
        case .profile: break
        case .good: model = .good
        case .cheap: model = .cheap
        }
        if rig != .profile {
            (model.panRange, model.tiltRange) = (recorded.pan.range, recorded.tilt.range)
            for axis in [\RigProfile.pan, \.tilt] {
                profile[keyPath: axis].maxSpeed = model.maximumSpeed
                profile[keyPath: axis].maxAcceleration = model.maximumAcceleration
                profile[keyPath: axis].lag = model.lag
            }
            profile.commandLatency = model.commandLatency
        }
        profile.driver = DlpDriver.name
        profile.options = [:]
        (profile.pan.invert, profile.tilt.invert) = (false, false)
        profile.verified = true
        profile.safety = RigProfile.Safety()
        profile.safety.arming = .now
        return (model, profile)
    }
}
