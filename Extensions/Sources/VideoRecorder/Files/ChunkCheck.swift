internal import Processes

extension ChunkFolder {
    /// Returns what is wrong with a chunk, or nil.
    /// - Parameter decodes: whether every picture is decoded, by `program`.
    public func problem(of record: ChunkRecord, decodes: Bool, program: String = "ffmpeg") -> String? {
        let scan: FilmScan
        do throws(FileTrouble) {
            scan = try self.scan(record.name.file)
        } catch {
            return error.description
        }
        if let problem = ChunkCheck.problem(scan, record) { return problem }
        return decodes ? decodingProblem(record.name, program) : nil
    }

    private func decodingProblem(_ name: ChunkName, _ program: String) -> String? {
        let words = [
            program, "-nostdin", "-v", "error", "-i", "file:" + path(of: name.file), "-fps_mode", "passthrough",
            "-enc_time_base", "-1", "-f", "null", "-",
        ]
        guard let run = try? ChildRun.run(words) else { return "\(program) could not be started" }
        guard run.ending == .exited(0), run.complaint == nil else {
            return "it cannot be decoded: \(run.complaint ?? "\(run.ending)")"
        }
        return nil
    }
}

/// Compares what a file has with what is known of its chunk. Pure.
enum ChunkCheck {
    /// The length of a file and that in its name differ by the display of the last picture, at most a second.
    static let tolerance = 1000

    static func problem(_ scan: FilmScan, _ record: ChunkRecord) -> String? {
        if let problem = scan.problem { return problem.rawValue }
        guard scan.wholeBytes == scan.bytes else {
            return "its last \(scan.bytes - scan.wholeBytes) bytes are not a whole part"
        }
        guard scan.length.frames > 0 else { return "it has no pictures" }
        let known = record.tally.frames
        guard known == 0 || known == scan.length.frames else {
            return "it has \(scan.length.frames) pictures, and its list names \(known)"
        }
        guard scan.length.hasSound || !record.hasSound else { return "it has no sound, and its list names some" }
        let difference = abs(scan.length.milliseconds - record.name.duration)
        return difference <= tolerance
            ? nil : "it lasts \(scan.length.milliseconds) ms, and its name says \(record.name.duration) ms"
    }
}
