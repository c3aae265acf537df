public import DockTypes
internal import Processes

extension ChunkFolder {
    /// Returns when each picture of a chunk was taken, in milliseconds since 1970, in order.
    /// - Parameter program: ffprobe, as a path or a name in PATH.
    /// - Throws: `cannotOpen` if the chunk cannot be read.
    public func frameTimes(of name: ChunkName, program: String = "ffprobe") throws(DockError) -> [Int] {
        let words = [
            program, "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
            "file:" + path(of: name.file),
        ]
        let run: ChildRun
        do throws(ChildProcess.Failure) {
            run = try ChildRun.run(words, patience: 60, most: Self.mostTimes)
        } catch {
            throw DockError(.cannotOpen, error.description, hint: "install ffmpeg")
        }
        guard run.ending == .exited(0) else {
            throw DockError(
                .cannotOpen, "\(name.file) cannot be read: \(run.complaint ?? "\(run.ending)")",
                hint: "check it with `dockface record verify`")
        }
        return FrameTimes.read(run.output, start: name.start)
    }

    /// Lines of ten minutes at 60 pictures a second, in bytes.
    private static var mostTimes: Int { 1 << 20 }
}

/// The times of pictures as ffprobe prints them. Pure.
enum FrameTimes {
    /// Reads lines such as `0.033333`, and adds the start. Lines that are no time are left out.
    static func read(_ output: [UInt8], start: Int) -> [Int] {
        let times = output.split(separator: 0x0A).compactMap { line -> Int? in
            let digits = line.prefix { $0 != UInt8(ascii: ",") && $0 != 0x0D }
            guard digits.count <= 32, let seconds = Double(String(decoding: digits, as: UTF8.self)) else { return nil }
            // A chunk has at most a day.
            guard seconds.isFinite, (0...86_400).contains(seconds) else { return nil }
            return start + Int((seconds * 1000).rounded())
        }
        // Pictures are stored in the order in which they are decoded.
        return times.sorted()
    }
}
