import Foundation

/// Programs that only write down how they were started, in a folder that is the whole PATH.
struct FakePrograms {
    let folder: String

    /// Makes these programs. `lasts`: how long each of them takes, in seconds.
    init(in place: String, _ names: [String], lasts: Double = 0, status: Int = 0) throws {
        folder = place + "/fakes"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in names { try make(name, lasts: lasts, status: status) }
    }

    /// Makes one program. A speech program keeps its standard input, a player the file that it is to play.
    func make(_ name: String, lasts: Double = 0, status: Int = 0, error: String? = nil) throws {
        let complaint = error ?? (status == 0 ? nil : "no such device")
        let file = name == "espeak-ng" ? "/dev/stdin" : "\"$last\""
        let script = """
            #!/bin/bash
            PATH=/usr/bin:/bin
            for last; do printf '%s\\n' "$last"; done > '\(folder)/\(name).words.'$$
            cat \(file) > '\(folder)/\(name).input.'$$
            mv '\(folder)/\(name).input.'$$ "\(folder)/\(name).$(date +%s%N).heard"
            \(complaint.map { "echo '\($0)' >&2" } ?? "")
            sleep \(lasts)
            touch '\(folder)/\(name).ended.'$$
            exit \(status)
            """
        try script.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/" + name)
    }

    private func files(_ name: String, _ kind: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return all.filter { $0.hasPrefix(name + ".") && $0.contains(kind) }.sorted().map { folder + "/" + $0 }
    }

    /// What a program was given to speak or to play, in order.
    func heard(_ name: String) -> [Data] {
        files(name, ".heard").compactMap { FileManager.default.contents(atPath: $0) }
    }

    /// What a speech program was given to speak, in order.
    var sentences: [String] { heard("espeak-ng").map { String(decoding: $0, as: UTF8.self) } }

    /// The words with which a program was started.
    func words(_ name: String) -> [[String]] {
        files(name, ".words.").compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
            .map { $0.split(separator: "\n").map(String.init) }
    }

    /// How many run now.
    var running: Int {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.count { process in
            let words = Int(process).flatMap { FileManager.default.contents(atPath: "/proc/\($0)/cmdline") }
            return words.map { String(decoding: $0, as: UTF8.self).contains(folder + "/") } ?? false
        }
    }

    /// How many have ended by themselves.
    func ended(_ name: String) -> Int { files(name, ".ended.").count }
}
