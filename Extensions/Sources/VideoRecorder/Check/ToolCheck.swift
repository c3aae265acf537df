internal import Glibc
internal import Processes

/// Tries the programs and devices that a recorder needs, for a person.
public enum ToolCheck {
    /// Encodes a second of a test pattern. Returns why that fails, or nil.
    public static func encoder(_ settings: EncoderSettings) -> String? {
        problem([
            settings.program, "-nostdin", "-hide_banner", "-loglevel", "error", "-f", "lavfi", "-i",
            "testsrc2=size=640x480:rate=30", "-frames:v", "30", "-c:v", "libx264", "-preset", settings.preset.rawValue,
            "-f", "null", "-",
        ])
    }

    /// Looks for ffprobe, which reads the times of pictures for a server. Returns why it cannot be run, or nil.
    public static func prober() -> String? { problem(["ffprobe", "-hide_banner", "-loglevel", "error", "-version"]) }

    /// Opens a microphone for a moment; nothing is kept. Returns why that fails, or nil.
    public static func sound(_ source: SoundSource, program: String) -> String? {
        problem(
            [program, "-nostdin", "-hide_banner", "-loglevel", "error"] + source.input
                + ["-t", "0.2", "-f", "null", "-"])
    }

    /// Returns why there can be no file in a folder, or nil.
    public static func folder(_ folder: ChunkFolder) -> String? {
        let draft = "chunk_check" + ChunkFolder.draftEnd
        do throws(FileTrouble) {
            try folder.remove(draft)
            close(try folder.open(draft, O_WRONLY | O_CREAT | O_EXCL))
            try folder.remove(draft)
            return nil
        } catch {
            return error.description
        }
    }

    private static func problem(_ words: [String]) -> String? {
        do throws(ChildProcess.Failure) {
            let run = try ChildRun.run(words, patience: 20)
            return run.ending == .exited(0) ? nil : run.complaint ?? "\(run.ending)"
        } catch {
            return error.description
        }
    }
}
