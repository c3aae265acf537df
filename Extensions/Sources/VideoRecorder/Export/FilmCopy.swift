public import DockTypes
internal import Glibc
internal import Processes

extension ChunkFolder {
    /// Copies a chunk into another container, without encoding it again.
    /// - Parameter program: ffmpeg, as a path or a name in PATH.
    /// - Returns: the file, open for reading. It has no name any more.
    /// - Throws: `cannotOpen` if the chunk cannot be read, or the copy cannot be written.
    public func copy<Opened>(
        of name: ChunkName, as container: FilmContainer, program: String = "ffmpeg",
        open: (_ path: String) throws(DockError) -> Opened
    ) throws(DockError) -> Opened {
        // As a draft it counts as room, and is deleted by the next start if this program dies, and with its chunk.
        let draft = "chunk_copy-" + String(UInt64.random(in: 0 ... .max), radix: 36) + Self.draftEnd
        defer { try? remove(draft) }
        let run: ChildRun
        do throws(FileTrouble) {
            close(try self.open(draft, O_WRONLY | O_CREAT | O_EXCL))
        } catch {
            throw error.error(in: path)
        }
        do throws(ChildProcess.Failure) {
            let words = EncoderCommand.remux(
                program, from: path(of: name.file), to: path(of: draft), as: container)
            run = try ChildRun.run(words, patience: 120)
        } catch {
            throw DockError(.cannotOpen, error.description, hint: "install ffmpeg")
        }
        guard run.ending == .exited(0) else {
            throw DockError(
                .cannotOpen, "\(name.file) cannot be copied: \(run.complaint ?? "\(run.ending)")",
                hint: "check it with `dockface record verify`, and the room on the disk")
        }
        return try open(path(of: draft))
    }
}
