package import DockControl
internal import DockSimulator
package import Geometry

/// What is changed when a recording is run once more.
package struct WhatIf: Sendable, Equatable {
    /// Which rig the recording is run on.
    package enum Rig: String, CaseIterable, Sendable {
        /// One with the recorded rig's dynamics, as its profile tells them.
        case profile
        /// The figures of `RigModel`; the law is told of them.
        case good, cheap
    }

    /// Pictures are older by so much than the law is told, seconds; below 0: younger.
    package var latency: Seconds = 0
    /// Pictures come so much later, and the law is told, seconds.
    package var delay: Seconds = 0
    /// Who steers.
    package var controller = TrialController.ours
    /// What is steered.
    package var rig = Rig.profile
    /// Not more pictures a second than this; nil: all that were recorded.
    package var framesPerSecond: Double?

    /// Nothing is changed.
    package init() {}

    private static let keys: [(name: String, values: String)] = [
        ("latency", "+40ms or -20ms: pictures are older or younger by so much than the law believes, up to 500 ms"),
        ("delay", "+40ms: pictures come so much later, and the law knows, up to 400 ms"),
        ("controller", TrialController.allCases.map(\.rawValue).joined(separator: ", ")),
        ("rig", Rig.allCases.map(\.rawValue).joined(separator: ", ")),
        ("fps", "a number of pictures a second, 1 to 120"),
    ]

    /// As it is typed: "latency=+40ms,controller=p".
    /// - Throws: `invalidParameter`, with all that can be said.
    package init(_ text: String) throws(DockError) {
        var seen: Set<String> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2, let row = Self.keys.first(where: { $0.name == pair[0] }) else {
                throw Self.refused("\"\(part)\" is nothing that can be changed")
            }
            guard seen.insert(row.name).inserted else { throw Self.refused("\(row.name) is changed twice") }
            guard take(row.name, pair[1]) else { throw Self.refused("\(row.name) is not \"\(pair[1])\"") }
        }
    }

    private mutating func take(_ key: String, _ value: String) -> Bool {
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

    /// "+40ms"
    private static func seconds(_ text: String) -> Seconds? {
        guard text.hasSuffix("ms"), let number = Double(text.dropLast(2)), number.isFinite else { return nil }
        return number / 1000
    }

    private static func refused(_ what: String) -> DockError {
        let all = keys.map { "\($0.name)= \($0.values)" }.joined(separator: "; ")
        return DockError(.invalidParameter, "--what-if: \(what)", hint: "one or more, separated by commas: \(all)")
    }

    /// The rig that is simulated, and the profile that the law has of it: our own dock's language, mounted the usual way round.
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
