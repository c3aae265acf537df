public import DockTypes
internal import Glibc
internal import Processes

extension ChunkFolder {
    /// Copies a chunk into another container, without encoding it again.
    ///
    /// The copy never has a name, so nothing is left of it when it is closed, also if this program dies.
    /// - Parameter program: ffmpeg, as a path or a name in PATH.
    /// - Returns: a descriptor of the copy, open for reading, which the caller closes.
    /// - Throws: `cannotOpen` if the chunk cannot be read, was deleted meanwhile, or if there is no room.
    public func copy(
        of name: ChunkName, as container: FilmContainer, program: String = "ffmpeg"
    ) throws(DockError) -> Int32 {
        let copy = try place(for: name)
        do throws(DockError) {
            try fill(copy, from: name, container, program)
            try mustExist(name)
        } catch {
            close(copy)
            throw error
        }
        return copy
    }

    /// Creates a file without a name, if there is room for a copy.
    private func place(for name: ChunkName) throws(DockError) -> Int32 {
        do throws(FileTrouble) {
            let bytes = try size(of: name.file), space = try space()
            guard space.free - bytes >= ChunkRing(RingLimits(), length: 30).reserve(of: space) else {
                throw FileTrouble("copy \(name.file)", ENOSPC)
            }
            let file = "chunk_copy-" + String(UInt64.random(in: 0 ... .max), radix: 36) + Self.draftEnd
            let descriptor = try open(file, O_RDWR | O_CREAT | O_EXCL)
            do throws(FileTrouble) {
                try remove(file)
            } catch {
                close(descriptor)
                throw error
            }
            return descriptor
        } catch {
            throw error.error(in: path)
        }
    }

    private func fill(
        _ copy: Int32, from name: ChunkName, _ container: FilmContainer, _ program: String
    ) throws(DockError) {
        let run: ChildRun
        do throws(ChildProcess.Failure) {
            let words = EncoderCommand.remux(
                program, from: path(of: name.file), to: "/dev/fd/\(Self.copyPlace)", as: container)
            run = try ChildRun.run(words, patience: 120, also: [Self.copyPlace: copy])
        } catch {
            throw DockError(.cannotOpen, error.description, hint: "install ffmpeg")
        }
        guard run.ending == .exited(0) else {
            throw DockError(
                .cannotOpen, "\(name.file) cannot be copied: \(run.complaint ?? "\(run.ending)")",
                hint: "check it with `dockface record verify`")
        }
    }

    /// A person may have deleted the chunk while it was copied.
    private func mustExist(_ name: ChunkName) throws(DockError) {
        do throws(FileTrouble) {
            try changing { () throws(FileTrouble) in _ = try size(of: name.file) }
        } catch {
            throw error.error(in: path)
        }
    }

    /// The child's number of the file that it fills.
    private static var copyPlace: Int32 { 3 }
}
