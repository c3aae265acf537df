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
        let failed = Mutex<[StoryResult]>([])
        let done = Atomic<Int>(0), broken = Atomic<Int>(0)
        let batch = 50
        DispatchQueue.concurrentPerform(iterations: (count + batch - 1) / batch) { index in
            for offset in index * batch..<min(count, (index + 1) * batch) {
                let result = Runner.run(Story(seed: first &+ UInt64(offset)))
                guard let violation = result.violation else { continue }
                broken.add(1, ordering: .relaxed)
                if count > 5000 {
                    // A long campaign reports each finding at once.
                    report(
                        "seed \(result.story.seed): \(violation.rule.rawValue) at "
                            + "\(Telling.seconds(violation.time)): \(violation.text)")
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
        let failures = failed.withLock { $0 }.sorted { $0.story.seed < $1.story.seed }
        for failure in failures.prefix(5) { Telling.explain(Runner.shrink(failure)) }
        let rate = Int(Double(count) / max(seconds, 0.001))
        print(
            "\(count) stories from seed \(first), \(broken.load(ordering: .relaxed)) broke a rule; \(rate) stories a second"
        )
        if !failures.isEmpty { throw ExitCode(1) }
    }

    private static func report(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}

/// One story for people.
enum Telling {
    static func tell(seed: UInt64, events: String?, aloud: Bool) throws {
        var story = Story(seed: seed)
        if let events {
            story = story.keeping(Set(events.split(separator: ",").compactMap { Int($0) }))
        }
        describe(story)
        let result = Runner.run(story, onWord: aloud ? { print(seconds($0), $1) } : nil)
        print("fingerprint \(String(result.fingerprint, radix: 16))")
        guard let violation = result.violation else { return print("no rule is broken") }
        print("\(violation.rule.rawValue) broken at \(seconds(violation.time)): \(violation.text)")
        throw ExitCode(1)
    }

    /// Describes the shortest story that breaks the same rule, and prints the command that repeats it.
    static func explain(_ result: StoryResult) {
        guard let violation = result.violation else { return }
        let numbers = result.story.events.map { String($0.number) }.joined(separator: ",")
        print("\n\(violation.rule.rawValue) broken at \(seconds(violation.time)): \(violation.text)")
        describe(result.story)
        let mutant = SwitchBoard.active.map { " --mutant \($0)" } ?? ""
        print(
            "again: scripts/simulate --seed \(result.story.seed) --events \(numbers.isEmpty ? "none" : numbers)\(mutant)"
        )
    }

    private static func describe(_ story: Story) {
        var rig = (story.isCheap ? "cheap" : "good") + (story.isHardware ? ", careful" : "")
        if !story.hasDeadman { rig += ", no deadman" }
        if let camera = story.camera { rig += ", \(camera.rawValue) camera" }
        print(
            "seed \(story.seed): \(rig) rig, \(story.persons) persons, \(Int(story.frameRate)) frames a second, "
                + "\(story.tracksAtFirst ? "system" : "manual"), \(seconds(story.duration))")
        for event in story.events { print("  \(event.number). \(seconds(event.at)): \(event.what)") }
    }

    static func seconds(_ value: Double) -> String { String(format: "%.3f s", value) }
}
