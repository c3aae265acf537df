import Codecs
import DepthCodec
import DepthStream
import DockTypes
import Files
import Glibc

/// A picture with its depth, ready to be sent.
struct PackedPair: Sendable {
    let jpeg: [UInt8]
    let depth: PackedDepth
    /// The unit in which the depth was packed.
    let unit: DepthUnit

    /// Creates a pair from its parts.
    init(jpeg: [UInt8], depth: PackedDepth, unit: DepthUnit) {
        (self.jpeg, self.depth, self.unit) = (jpeg, depth, unit)
    }

    /// Reads two files. The unit of the depth is what its note says, else millimetres.
    /// - Throws: `cannotOpen` if a file cannot be read, `configuration` if it is no such picture.
    init(picture: String, depth: String, unit: DepthUnit) throws(DockError) {
        jpeg = try Self.bytes(of: picture)
        let bytes = try Self.bytes(of: depth)
        guard let reader = DepthPNGReader(), let writer = DepthPNGWriter() else {
            throw DockError(.cannotOpen, "there is no memory to read \(depth)", hint: "end other programs")
        }
        guard jpeg.starts(with: [0xFF, 0xD8, 0xFF]) else {
            throw DockError(.configuration, "\(picture) is not a JPEG", hint: "name a JPEG file")
        }
        let file: DepthFile
        do throws(PictureProblem) {
            file = try reader.read(bytes)
        } catch {
            throw DockError(.configuration, "\(depth): \(error)", hint: "name a 16-bit grey PNG")
        }
        let named = file.note.flatMap { SenderNote($0) }?.unit.flatMap { DepthUnit(metres: $0) }
        let map = DepthMap(file.picture, unit: named ?? .millimetres)
        (self.depth, self.unit) = (writer.pack(map.samples(in: unit)), unit)
    }

    /// The most pairs of a folder, and their most bytes, because all of them are kept in memory.
    private static let most = 1000, mostBytes = 256 << 20

    /// Reads all pairs of a folder as `save` names them, in the order of their numbers.
    /// - Throws: `configuration` if there are none or too many; the errors of single files.
    static func all(in folder: String, unit: DepthUnit) throws(DockError) -> [PackedPair] {
        let names = Set(try StoredFile.names(in: folder))
        let ends = names.filter { $0.hasPrefix("picture") && $0.hasSuffix(".jpg") }
            .map { String($0.dropFirst("picture".count).dropLast(".jpg".count)) }
            .filter { names.contains("depth\($0).png") }
            .sorted { (Int($0.dropFirst()) ?? 0, $0) < (Int($1.dropFirst()) ?? 0, $1) }
        var pairs: [PackedPair] = [], bytes = 0
        for end in ends {
            let pair = try PackedPair(
                picture: "\(folder)/picture\(end).jpg", depth: "\(folder)/depth\(end).png", unit: unit)
            bytes += pair.packet(sequence: 0, time: 0).count
            guard pairs.count < most, bytes <= mostBytes else {
                throw DockError(
                    .configuration, "\(folder) has more than \(most) pairs or 256 MiB", hint: "remove some of them")
            }
            pairs.append(pair)
        }
        guard !pairs.isEmpty else {
            throw DockError(
                .configuration, "\(folder) has no picture.jpg with a depth.png",
                hint: "name a folder that `dockface depth save` has written")
        }
        return pairs
    }

    /// The packet of a picture that is exposed at a time. `skew`: how much later its depth is, in seconds, or nil if that is
    /// not known.
    func packet(sequence: Int, time: Double, skew: Double? = nil) -> [UInt8] {
        var note = SenderNote()
        (note.sequence, note.time, note.isMonotonic, note.unit) = (sequence, time, true, unit.metres)
        note.skew = skew
        let png = depth.file(note: note.bytes)
        return [jpeg.count, png.count].flatMap { size in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
        } + jpeg + png
    }

    private static func bytes(of path: String) throws(DockError) -> [UInt8] {
        guard let file = fopen(path, "re") else {
            throw DockError(
                .cannotOpen, "\(path) cannot be read: \(String(cString: strerror(errno)))", hint: "check the path")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
            bytes += chunk[..<count]
            guard bytes.count <= PictureLimits.bytes else {
                throw DockError(.configuration, "\(path) is larger than 8 MiB", hint: "name a smaller file")
            }
        }
        return bytes
    }
}
