public import DockTypes
internal import Glibc
internal import Processes

/// Makes one picture of many recordings: the middle of each, in rows.
public struct ContactSheet {
    /// The maximum number of recordings in a sheet. Each is opened at the same time.
    public static let most = 48
    /// The size of one picture in it, in pixels.
    static let width = 240, height = 180

    private let folder: ChunkFolder
    private let program: String

    /// Creates sheets of a folder. `program`: ffmpeg, as a path or a name in PATH.
    public init(_ folder: ChunkFolder, program: String = "ffmpeg") { (self.folder, self.program) = (folder, program) }

    /// Returns at most `most` of the names, as evenly spread as possible, with the first and the last.
    public static func choose(_ names: [ChunkName]) -> [ChunkName] {
        guard names.count > most else { return names }
        return (0..<most).map { names[$0 * (names.count - 1) / (most - 1)] }
    }

    /// Returns how many pictures a row of a sheet has.
    public static func columns(of count: Int) -> Int { count <= 4 ? max(1, count) : count <= 16 ? 4 : 6 }

    /// Returns a sheet of these recordings as a JPEG file, the oldest first.
    /// - Throws: `cannotOpen` if one of them cannot be read, or ffmpeg is missing.
    public func picture(of names: [ChunkName]) throws(DockError) -> [UInt8] {
        let run: ChildRun
        do throws(ChildProcess.Failure) {
            run = try ChildRun.run(words(names), patience: 120, most: 16 << 20)
        } catch {
            throw DockError(.cannotOpen, error.description, hint: "install ffmpeg")
        }
        guard run.ending == .exited(0), !run.output.isEmpty else {
            throw DockError(
                .cannotOpen, "no sheet could be made: \(run.complaint ?? "\(run.ending)")",
                hint: "check the recordings with `dockface record verify`")
        }
        return run.output
    }

    /// The command. Pictures of other shapes get black margins.
    func words(_ names: [ChunkName]) -> [String] {
        let columns = Self.columns(of: names.count), rows = (names.count + columns - 1) / columns
        let inputs = names.flatMap { name in
            ["-ss", Self.seconds(name.duration / 2), "-i", "file:" + folder.path(of: name.file)]
        }
        let size = "\(Self.width):\(Self.height)"
        let pictures = names.indices.map { place in
            "[\(place):v:0]trim=end_frame=1,setpts=PTS-STARTPTS,scale=\(size):force_original_aspect_ratio=decrease,"
                + "pad=\(size):-1:-1,setsar=1[p\(place)];"
        }
        let all = names.indices.map { "[p\($0)]" }.joined()
        let filter = pictures.joined() + all + "concat=n=\(names.count):v=1:a=0,tile=\(columns)x\(rows)"
        return [program, "-nostdin", "-v", "error"] + inputs
            + ["-filter_complex", filter, "-frames:v", "1", "-q:v", "4", "-f", "image2pipe", "-c:v", "mjpeg", "pipe:1"]
    }

    private static func seconds(_ milliseconds: Int) -> String {
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
