internal import ArgumentParser
internal import DaemonSimulation
internal import DockControl

/// The deliberate bugs, where they are compiled in.
enum SwitchBoard {
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
            throw ValidationError("there is no mutant \"\(name)\"; there are \(names)")
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

/// How many stories it takes to find each of them.
enum MutantTable {
    static func print(first: UInt64, most: Int) throws {
        Swift.print("| deliberate bug | caught after so many stories | by the rule |\n| --- | --- | --- |")
        var escaped: [SafetyMutant] = []
        for mutant in SafetyMutant.allCases {
            try SwitchBoard.use(mutant)
            var row = "not in \(most)"
            var rule = "-"
            for offset in 0..<most {
                guard let violation = Runner.run(Story(seed: first &+ UInt64(offset))).violation else { continue }
                row = "\(offset + 1)"
                rule = violation.rule.rawValue
                break
            }
            if rule == "-" { escaped.append(mutant) }
            Swift.print("| `\(mutant.rawValue)` | \(row) | `\(rule)` |")
        }
        try SwitchBoard.use(nil)
        guard escaped.isEmpty else {
            Swift.print("not caught: \(escaped.map(\.rawValue).joined(separator: ", "))")
            throw ExitCode(1)
        }
    }
}
