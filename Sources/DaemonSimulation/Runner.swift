public import Geometry

/// The result of one scenario.
public struct ScenarioResult: Sendable {
    /// The scenario.
    public var scenario: Scenario
    /// The first broken rule; nil if none was broken.
    public var violation: Violation?
    /// A hash of all bytes on the wire and their times. The same scenario gives the same value.
    public var fingerprint: UInt64
}

/// Runs scenarios, and reduces those that break a rule.
public enum Runner {
    /// Runs one scenario to its end, or until it breaks a rule.
    ///
    /// `onWord` receives every message, answer and set-point, with the world's time.
    public static func run(_ scenario: Scenario, onWord: ((Seconds, String) -> Void)? = nil) -> ScenarioResult {
        let world = World(scenario: scenario)
        world.oracle.onWord = onWord
        world.run()
        return ScenarioResult(
            scenario: scenario, violation: world.oracle.violation, fingerprint: world.oracle.fingerprint)
    }

    /// Reduces a scenario to events that still break the same rule. It leaves out first halves, then single events.
    public static func shrink(_ result: ScenarioResult) -> ScenarioResult {
        guard let rule = result.violation?.rule else { return result }
        var best = result
        var size = max(1, best.scenario.events.count / 2)
        while true {
            var start = 0
            var isSmaller = false
            while start < best.scenario.events.count {
                let numbers = best.scenario.events.map(\.number)
                let left = Set(numbers[..<start] + numbers[min(numbers.count, start + size)...])
                let attempt = run(best.scenario.keeping(left))
                if attempt.violation?.rule == rule {
                    best = attempt
                    isSmaller = true
                } else {
                    start += size
                }
            }
            if size == 1, !isSmaller { return best }
            if !isSmaller || size > best.scenario.events.count { size = max(1, size / 2) }
        }
    }
}
