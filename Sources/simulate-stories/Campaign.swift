internal import ArgumentParser
internal import DaemonSimulation
internal import DockControl
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Many stories, on all cores.
enum Campaign {
    static func run(first: UInt64, count: Int) throws {
        let began = ContinuousClock.now
        let failed = Mutex<[ScenarioResult]>([])
        let done = Atomic<Int>(0), broken = Atomic<Int>(0)
        let batch = 50
        DispatchQueue.concurrentPerform(iterations: (count + batch - 1) / batch) { index in
            for offset in index * batch..<min(count, (index + 1) * batch) {
                let result = Runner.run(Scenario(seed: first &+ UInt64(offset)))
                guard let violation = result.violation else { continue }
                broken.add(1, ordering: .relaxed)
                if count > 5000 {
                    // A long campaign reports each finding at once.
                    report(
                        "seed \(result.scenario.seed): \(violation.rule.rawValue) at "
                            + "\(StoryReport.seconds(violation.time)): \(violation.text)")
                }
                failed.withLock { if $0.count < 20 { $0.append(result) } }
            }
            let sum = done.wrappingAdd(batch, ordering: .relaxed).newValue
            if count > 5000, sum % 5000 < batch {
                report("\(min(sum, count)) of \(count) stories")
            }
        }
        let took = (ContinuousClock.now - began).components
        let seconds = Double(took.seconds) + Double(took.attoseconds) * 1e-18
        let failures = failed.withLock { $0 }.sorted { $0.scenario.seed < $1.scenario.seed }
        for failure in failures.prefix(5) { StoryReport.explain(Runner.shrink(failure)) }
        let rate = Int(Double(count) / max(seconds, 0.001))
        print(
            "\(count) stories from seed \(first), \(broken.load(ordering: .relaxed)) broke a rule; \(rate) stories a second"
        )
        if !failures.isEmpty { throw ExitCode(1) }
    }

    private static func report(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}

/// One story for people.
enum StoryReport {
    static func tell(seed: UInt64, events: String?, aloud: Bool) throws {
        var scenario = Scenario(seed: seed)
        if let events {
            scenario = scenario.keeping(Set(events.split(separator: ",").compactMap { Int($0) }))
        }
        describe(scenario)
        let result = Runner.run(scenario, onWord: aloud ? { print(seconds($0), $1) } : nil)
        print("fingerprint \(String(result.fingerprint, radix: 16))")
        guard let violation = result.violation else { return print("no rule is broken") }
        print("\(violation.rule.rawValue) broken at \(seconds(violation.time)): \(violation.text)")
        throw ExitCode(1)
    }

    /// Describes the shortest story that breaks the same rule, and prints the command that repeats it.
    static func explain(_ result: ScenarioResult) {
        guard let violation = result.violation else { return }
        let numbers = result.scenario.events.map { String($0.number) }.joined(separator: ",")
        print("\n\(violation.rule.rawValue) broken at \(seconds(violation.time)): \(violation.text)")
        describe(result.scenario)
        let mutant = MutantSelection.active.map { " --mutant \($0)" } ?? ""
        print(
            "again: scripts/simulate --seed \(result.scenario.seed) --events \(numbers.isEmpty ? "none" : numbers)\(mutant)"
        )
    }

    private static func describe(_ scenario: Scenario) {
        var rig = (scenario.isCheap ? "cheap" : "good") + (scenario.isHardware ? ", careful" : "")
        if !scenario.hasDeadman { rig += ", no deadman" }
        if let camera = scenario.camera { rig += ", \(camera.rawValue) camera" }
        print(
            "seed \(scenario.seed): \(rig) rig, \(scenario.persons) persons, \(Int(scenario.frameRate)) frames a second, "
                + "\(scenario.tracksAtFirst ? "system" : "manual"), \(seconds(scenario.duration))")
        for event in scenario.events { print("  \(event.number). \(seconds(event.at)): \(event.what)") }
    }

    static func seconds(_ value: Double) -> String { String(format: "%.3f s", value) }
}
