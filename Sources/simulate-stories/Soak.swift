internal import ArgumentParser
internal import DaemonSimulation
internal import Foundation
internal import Glibc

/// One long story, with the resources of the process.
enum Soak {
    /// More growth than this after the first eighth is a leak, kB. The simulation's oracle itself needs less.
    private static let most = 4096

    static func run(hours: Double, seed: UInt64) throws {
        let scenario = Scenario.soak(hours: hours, seed: seed)
        let began = Date()
        var next = scenario.duration / 8, looks: [(hours: Double, kilobytes: Int, descriptors: Int)] = []
        func look(_ time: Double) {
            let kilobytes = resident()
            looks.append((time / 3600, kilobytes, descriptors()))
            print(
                String(format: "%5.1f h: %d kB, %d descriptors", time / 3600, kilobytes, looks.last?.descriptors ?? 0))
        }
        let result = Runner.run(scenario) { time, _ in
            guard time >= next else { return }
            next += scenario.duration / 8
            look(time)
        }
        look(scenario.duration)
        let seconds = Date().timeIntervalSince(began)
        print(String(format: "%.1f hours with %d events in %.0f s", hours, scenario.events.count, seconds))
        if let violation = result.violation {
            print("\(violation.rule.rawValue) broken at \(StoryReport.seconds(violation.time)): \(violation.text)")
            throw ExitCode(1)
        }
        guard let first = looks.first, let last = looks.last else { return }
        if last.kilobytes - first.kilobytes > most || last.descriptors != first.descriptors {
            print("memory or descriptors grew after the first eighth")
            throw ExitCode(1)
        }
    }

    private static func resident() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize()) / 1024
    }

    private static func descriptors() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
