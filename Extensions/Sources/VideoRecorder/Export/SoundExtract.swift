public import DockTypes
internal import Processes

extension ChunkFolder {
    /// Returns the sound of a chunk as a file of its own: 16-bit mono at 44.1 kHz, or AAC mono with 128 kbit/s in MP4.
    /// - Parameters:
    ///   - isWave: whether it is WAV; otherwise it is M4A.
    ///   - program: ffmpeg, as a path or a name in PATH.
    /// - Throws: `cannotOpen` if the chunk cannot be read, or has no sound.
    public func sound(of name: ChunkName, asWave isWave: Bool, program: String = "ffmpeg") throws(DockError) -> [UInt8]
    {
        let form =
            isWave
            ? ["-c:a", "pcm_s16le", "-f", "wav"]
            : ["-c:a", "aac", "-b:a", "128k", "-movflags", "frag_keyframe+empty_moov", "-f", "mp4"]
        let words =
            [
                program, "-nostdin", "-v", "error", "-i", "file:" + path(of: name.file), "-vn", "-ac", "1", "-ar",
                "44100",
            ]
            + ["-bitexact"] + form + ["pipe:1"]
        let run: ChildRun
        do throws(ChildProcess.Failure) {
            run = try ChildRun.run(words, patience: 60, most: Self.mostSound)
        } catch {
            throw DockError(.cannotOpen, error.description, hint: "install ffmpeg")
        }
        guard run.ending == .exited(0), run.output.count < Self.mostSound else {
            throw DockError(
                .cannotOpen, "the sound of \(name.file) cannot be read: \(run.complaint ?? "\(run.ending)")",
                hint: "check it with `dockface record verify`")
        }
        return isWave ? WaveHeader.completed(run.output) : run.output
    }

    /// Ten minutes of WAV, and a little more, in bytes.
    private static var mostSound: Int { 60 << 20 }
}

/// The sizes in the header of a WAV file. A program that writes into a pipe does not know them. Pure.
enum WaveHeader {
    /// Returns the file with the sizes that it has. Bytes that are no such file are returned as they are.
    static func completed(_ file: [UInt8]) -> [UInt8] {
        guard file.count >= 12, file.starts(with: "RIFF".utf8), file[8..<12].elementsEqual("WAVE".utf8) else {
            return file
        }
        var file = file
        put(file.count - 8, at: 4, in: &file)
        var place = 12
        while place + 8 <= file.count {
            if file[place..<(place + 4)].elementsEqual("data".utf8) {
                put(file.count - place - 8, at: place + 4, in: &file)
                break
            }
            let size = (0..<4).reduce(0) { $0 | Int(file[place + 4 + $1]) << (8 * $1) }
            // Parts begin at even places.
            place += 8 + size + size % 2
        }
        return file
    }

    private static func put(_ size: Int, at place: Int, in file: inout [UInt8]) {
        for byte in 0..<4 { file[place + byte] = UInt8(truncatingIfNeeded: size >> (8 * byte)) }
    }
}
