internal import ArgumentParser
internal import DaemonSimulation
internal import DockControl
internal import Dispatch
internal import Synchronization

/// The deliberate bugs, if they are compiled in.
enum MutantSelection {
    static var active: String? {
        #if SAFETY_MUTANTS
            SafetyMutant.active?.rawValue
        #else
            nil
        #endif
    }

    static func select(_ name: String) throws {
        guard let mutant = SafetyMutant(rawValue: name) else {
            let names = SafetyMutant.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("unknown mutant \"\(name)\"; the mutants are \(names)")
        }
        try use(mutant)
    }

    static func use(_ mutant: SafetyMutant?) throws {
        #if SAFETY_MUTANTS
            SafetyMutant.active = mutant
        #else
            throw ValidationError("no mutants in this build: use scripts/simulate")
        #endif
    }
}

/// How many stories it takes to find each bug.
enum MutantTable {
    static func print(first: UInt64, most: Int) throws {
        Swift.print("| deliberate bug | stories until caught | by the rule |\n| --- | --- | --- |")
        var escaped: [SafetyMutant] = []
        for mutant in SafetyMutant.allCases {
            try MutantSelection.use(mutant)
            let (row, rule) = firstCaught(first: first, most: most)
            if rule == "-" { escaped.append(mutant) }
            Swift.print("| `\(mutant.rawValue)` | \(row) | `\(rule)` |")
        }
        try MutantSelection.use(nil)
        guard escaped.isEmpty else {
            Swift.print("not caught: \(escaped.map(\.rawValue).joined(separator: ", "))")
            throw ExitCode(1)
        }
    }

    /// Returns the first story that catches the bug, and the rule. Runs one batch at a time on all cores.
    private static func firstCaught(first: UInt64, most: Int) -> (row: String, rule: String) {
        let batch = 16
        for start in stride(from: 0, to: most, by: batch) {
            let caught = Mutex<(offset: Int, rule: String)?>(nil)
            DispatchQueue.concurrentPerform(iterations: min(batch, most - start)) { index in
                let offset = start + index
                guard caught.withLock({ $0.map { $0.offset > offset } ?? true }),
                    let violation = Runner.run(Scenario(seed: first &+ UInt64(offset))).violation
                else { return }
                caught.withLock { known in
                    if known.map({ $0.offset > offset }) ?? true { known = (offset, violation.rule.rawValue) }
                }
            }
            if let (offset, rule) = caught.withLock({ $0 }) { return ("\(offset + 1)", rule) }
        }
        return ("not in \(most)", "-")
    }
}
