public import DockTypes
internal import Files
internal import Glibc
internal import Processes

/// Joins chunks into films without encoding their pictures again.
public struct FilmExport {
    private let folder: ChunkFolder
    private let program: String

    /// Creates an export from a folder. `program`: ffmpeg, as a path or a name in PATH.
    public init(_ folder: ChunkFolder, program: String = "ffmpeg") { (self.folder, self.program) = (folder, program) }

    /// Plans a film of a range: it reads how each of its chunks is encoded. A chunk that cannot be read is left out.
    public func plan(_ range: DateRange) throws(DockError) -> ExportPlan {
        var chunks: [(name: ChunkName, coding: UInt64)] = []
        for entry in try folder.list().chunks where range.contains(entry.name) {
            guard let scan = try? folder.scan(entry.name.file), scan.length.frames > 0 else { continue }
            chunks.append((entry.name, scan.length.coding))
        }
        return ExportPlan(chunks, range: range)
    }

    /// Returns the files of a plan: the second film of "visit.mp4" is "visit-2.mp4". A name without `.mp4` or `.mov` gets
    /// `.mp4`.
    public static func files(_ plan: ExportPlan, output: String) -> [String] {
        let end = "." + FilmContainer(file: output).rawValue
        let stem = output.hasSuffix(end) ? String(output.dropLast(end.utf8.count)) : output
        return plan.parts.indices.map { $0 == 0 ? stem + end : "\(stem)-\($0 + 1)\(end)" }
    }

    /// Writes the films. None of the files may exist.
    /// - Throws: `cannotOpen`, `permission`; `notConnected` never.
    public func write(_ plan: ExportPlan, to files: [String]) throws(DockError) {
        for file in files where access(file, F_OK) == 0 {
            throw DockError(.invalidParameter, "\(file) exists already", hint: "name another file, or move it away")
        }
        for (part, file) in zip(plan.parts, files) { try write(part, to: file) }
    }

    private func write(_ part: ExportPlan.Part, to file: String) throws(DockError) {
        let place: FilePlace
        do throws(PathFailure) {
            place = try FilePlace.find(file, followsLast: false)
        } catch {
            throw DockError(
                .cannotOpen, "cannot write \(file): \(error.text ?? String(cString: strerror(error.number)))",
                hint: "name a file in a folder that exists")
        }
        // The name is taken at once, so that no other program's file is replaced later.
        try Self.make(place.name, in: place, for: file)
        do throws(DockError) {
            try write(part, to: place, for: file)
        } catch {
            unlinkat(place.folder.descriptor, place.name, 0)
            throw error
        }
    }

    private func write(_ part: ExportPlan.Part, to place: FilePlace, for file: String) throws(DockError) {
        let draft = ".dockface-" + String(UInt64.random(in: 0 ... .max), radix: 36), folder = place.folder
        // ffmpeg writes into the file that exists. Its own would be readable by others.
        try Self.make(draft, in: place, for: file)
        do throws(DockError) {
            try join(part, into: folder.path + "/" + draft, for: file)
            guard renameat(folder.descriptor, draft, folder.descriptor, place.name) == 0 else {
                throw Self.failure(file, String(cString: strerror(errno)))
            }
        } catch {
            unlinkat(folder.descriptor, draft, 0)
            throw error
        }
    }

    /// Creates an empty file that only its owner can read.
    private static func make(_ name: String, in place: FilePlace, for file: String) throws(DockError) {
        let made = openat(
            place.folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard made >= 0 else { throw failure(file, String(cString: strerror(errno))) }
        fchmod(made, 0o600)
        close(made)
    }

    private func join(_ part: ExportPlan.Part, into draft: String, for file: String) throws(DockError) {
        let run: ChildRun
        do throws(ChildProcess.Failure) {
            let words = EncoderCommand.join(program, to: draft, as: FilmContainer(file: file))
            run = try ChildRun.run(words, input: Array(part.list(in: folder.path).utf8))
        } catch {
            throw DockError(.cannotOpen, error.description, hint: "install ffmpeg")
        }
        guard run.ending == .exited(0) else { throw Self.failure(file, run.complaint ?? "\(run.ending)") }
    }

    private static func failure(_ file: String, _ reason: String) -> DockError {
        DockError(.cannotOpen, "cannot write \(file): \(reason)", hint: "check the disk and the folder of that file")
    }
}
