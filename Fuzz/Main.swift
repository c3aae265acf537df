import Glibc

/// `fuzz [--runs N] [--seed S] [--target NAME]`, `fuzz --replay NAME HEX`, `fuzz --corpus FOLDER VECTORS`.
@main enum Fuzz {
    static func main() {
        let words = CommandLine.arguments
        switch words.dropFirst().first {
        case "--replay" where words.count == 4: exit(replay(words[2], words[3]))
        case "--shrink" where words.count == 4: exit(shrinkTrap(words[2], words[3]))
        case "--corpus" where words.count == 4: exit(writeCorpus(words[2], vectors: words[3]))
        default: exit(run(words))
        }
    }

    private static func run(_ words: [String]) -> Int32 {
        var runs = 200_000, seed: UInt64 = 1, only: (any Target.Type)?
        var index = 1
        while index + 1 < words.count {
            let value = words[index + 1]
            switch words[index] {
            case "--runs": runs = Int(value) ?? -1
            case "--seed": seed = UInt64(value) ?? 1
            case "--target": only = Targets.named(value)
            default: return usage()
            }
            if words[index] == "--target", only == nil { return usage() }
            index += 2
        }
        guard index == words.count, runs > 0 else { return usage() }
        Runner.catchTraps(program: words[0], path: words[0] + ".trapped")
        var bytes = 0, counts: [String: Int] = [:], early = 0
        let began = seconds()
        for number in 0..<runs {
            let target = only ?? Targets.at(number)
            // Each input has its own seed, so number and seed reproduce it.
            var random = Random(seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number))
            let input = target.make(&random)
            Runner.begin(target)
            bytes += input.count
            counts[target.name, default: 0] += 1
            if let wrong = Runner.check(target, input) { return fail(target, input, wrong, number: number, seed: seed) }
            if number == runs / 4 { early = Runner.residentMemory }
        }
        let taken = max(seconds() - began, 1e-6), memory = Runner.residentMemory
        let each = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("\(runs) inputs, \(bytes) bytes, 0 failures (\(each))")
        print(
            "\(Int(Double(runs) / taken)) inputs a second; resident memory \(early) KiB after a quarter, \(memory) KiB at the end"
        )
        guard memory - early < 8192 else {
            print("error: memory grows with the number of inputs")
            return 1
        }
        return 0
    }

    private static func usage() -> Int32 {
        let names = Targets.all.map { $0.name }.joined(separator: "|")
        print("usage: fuzz [--runs N] [--seed S] [--target \(names)] | --replay NAME HEX | --corpus FOLDER VECTORS")
        return 64
    }

    private static func fail(
        _ target: any Target.Type, _ input: [UInt8], _ wrong: String, number: Int, seed: UInt64
    ) -> Int32 {
        print("error: \(target.name), input \(number) of seed \(seed): \(wrong)")
        let small = Shrink.smallest(input) { Runner.check(target, $0) != nil }
        tell(target.name, small, was: input.count)
        if let wrong = Runner.check(target, small) { print("result: \(wrong)") }
        return 1
    }

    private static func tell(_ target: String, _ input: [UInt8], was count: Int) {
        print("reduced from \(count) to \(input.count) bytes: \(Shrink.hex(input))")
        print("replay: scripts/fuzz --replay \(target) \(Shrink.hex(input))")
    }

    private static func replay(_ name: String, _ hex: String) -> Int32 {
        guard let target = Targets.named(name), let input = Shrink.bytes(hex: hex) else { return usage() }
        guard let wrong = Runner.check(target, input) else {
            print("\(name): \(input.count) bytes, no failure")
            return 0
        }
        print("error: \(name): \(wrong)")
        return 1
    }

    /// Reduces the input of a trap in child processes, which may crash.
    private static func shrinkTrap(_ name: String, _ path: String) -> Int32 {
        guard let input = contents(path) else { return 70 }
        print("error: \(name): trapped")
        tell(
            name, Shrink.smallest(input) { Shrink.failsElsewhere(CommandLine.arguments[0], name, $0) }, was: input.count
        )
        return 1
    }

    /// Writes seeds for libFuzzer: the golden vectors, and a few inputs of every target. The first byte selects the
    /// target.
    private static func writeCorpus(_ folder: String, vectors: String) -> Int32 {
        var seeds: [(String, [UInt8])] = []
        for line in String(decoding: contents(vectors) ?? [], as: UTF8.self).split(separator: "\n")
        where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            let bytes = words.dropFirst(2).compactMap { UInt8($0, radix: 16) }
            for target in 0..<3 { seeds.append(("\(words[1])-\(target)", [UInt8(target)] + bytes)) }
        }
        for (place, target) in Targets.all.enumerated() {
            for number in 0..<100 {
                var random = Random(UInt64(number))
                seeds.append(("\(target.name)-\(number)", [UInt8(place)] + target.make(&random).prefix(4000)))
            }
        }
        for (name, bytes) in seeds {
            guard let file = fopen("\(folder)/\(name)", "w") else { return 73 }
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        }
        print("\(seeds.count) seeds in \(folder)")
        return 0
    }

    private static func contents(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var all: [UInt8] = [], part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&part, 1, part.count, file)
            if count <= 0 { return all }
            all += part.prefix(count)
        }
    }

    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
