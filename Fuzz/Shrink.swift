import Glibc

/// Reduces a failing input: removes halves, quarters ... single bytes as long as it still fails.
enum Shrink {
    static func smallest(_ input: [UInt8], _ fails: ([UInt8]) -> Bool) -> [UInt8] {
        var best = input
        var tries = 0
        var size = max(1, best.count / 2)
        while size >= 1, tries < 3000 {
            var at = 0, hasShrunk = false
            while at < best.count, tries < 3000 {
                var candidate = best
                candidate.removeSubrange(at..<min(at + size, best.count))
                tries += 1
                if fails(candidate) {
                    best = candidate
                    hasShrunk = true
                } else {
                    at += size
                }
            }
            if !hasShrunk { size /= 2 }
        }
        return best
    }

    /// Whether a separate process fails or crashes with the input.
    static func failsElsewhere(_ program: String, _ target: String, _ input: [UInt8]) -> Bool {
        let child = fork_replay(program, target, hex(input))
        guard child > 0 else { return false }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        return status != 0
    }

    static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    static func bytes(hex: String) -> [UInt8]? {
        let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == hex.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func fork_replay(_ program: String, _ target: String, _ hex: String) -> pid_t {
        // Inputs that are too long for an argument go through a file.
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let texts: [String] = [program, "--replay", target, hex]
        let words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        guard posix_spawn(&child, program, &actions, nil, words + [nil], environ) == 0 else { return -1 }
        return child
    }
}
