import DepthCodec
import DepthStream
import DockTypes
import Files
import Glibc

/// A folder of pictures with their depth: picture.jpg and depth.png, or picture-1.jpg and depth-1.png, and so on.
struct PairFolder: Sendable {
    let path: String

    /// Opens a folder to write into, and creates it if it is missing.
    /// - Throws: `cannotOpen`, `permission`.
    init(making path: String) throws(DockError) {
        var status = stat()
        if stat(path, &status) != 0, errno == ENOENT, mkdir(path, 0o700) != 0 {
            throw DockError(
                .cannotOpen, "\(path) cannot be created: \(String(cString: strerror(errno)))",
                hint: "create it, or name another folder")
        }
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw DockError(.cannotOpen, "\(path) is not a folder", hint: "name a folder")
        }
        self.path = path
    }

    /// Writes a picture and its depth, which only their owner may read.
    /// - Throws: `cannotOpen`, `permission`.
    func write(_ frame: DepthFrame, number: Int?) throws(DockError) {
        let suffix = number.map { "-\($0)" } ?? ""
        try OutputFile.write(frame.packet.jpeg, to: "\(path)/picture\(suffix).jpg")
        guard let depth = frame.depth, let writer = DepthPNGWriter() else { return }
        var note = SenderNote()
        note.unit = DepthUnit.millimetres.metres
        let file = writer.pack(depth.samples(in: .millimetres)).file(note: note.bytes)
        try OutputFile.write(file, to: "\(path)/depth\(suffix).png")
    }
}
