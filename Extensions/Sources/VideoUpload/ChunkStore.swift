public import AllSpark
internal import ControlProtocol
public import DockTypes
internal import Geometry
public import Networking
public import VideoRecorder

/// The chunks of a folder, as a conversation with a server needs them.
public struct ChunkStore: Sendable {
    /// The folder.
    public let folder: ChunkFolder

    /// Reads from a folder.
    public init(_ folder: ChunkFolder) { self.folder = folder }

    /// Describes a chunk for a server.
    public static func reference(_ chunk: FolderSummary.Chunk) -> ChunkReference {
        let record = chunk.record, name = record.name
        let seconds = Double(name.duration) / 1000
        return ChunkReference(
            number: name.start, start: Double(name.start) / 1000, end: Double(name.end) / 1000, camera: "front",
            bytes: chunk.bytes, format: .mp4,
            rate: seconds > 0 ? (Double(record.tally.frames) / seconds * 100).rounded() / 100 : 0,
            width: record.size?.width ?? 0, height: record.size?.height ?? 0, hasSound: record.hasSound,
            hasPoses: record.hasPoses)
    }

    /// Returns the range in milliseconds. A time that no chunk can have becomes the nearest one.
    public static func dates(_ range: TimeRange) -> DateRange {
        DateRange(from: milliseconds(range.start, .down), to: milliseconds(range.end, .up))
    }

    private static func milliseconds(_ seconds: Double, _ rule: FloatingPointRoundingRule) -> Int {
        let limit = Double(ChunkName.latest)
        return Int(min(max((seconds * 1000).rounded(rule), 0), limit))
    }

    /// Returns the chunks of a time, the oldest first, at most `limit`; and whether there are no others.
    /// - Throws: `permission`, `cannotOpen`.
    public func chunks(
        in range: TimeRange, limit: Int
    ) throws(DockError) -> (chunks: [ChunkReference], isComplete: Bool) {
        let dates = Self.dates(range)
        let all = try FolderSummary(folder).chunks.filter { dates.contains($0.record.name) }.map(Self.reference)
        return (Array(all.prefix(limit)), all.count <= limit)
    }

    /// Opens a file of a chunk. A companion is made from it.
    /// - Throws: `cannotOpen` if there is no such file, with the reason.
    public func open(_ need: FileNeed) throws(DockError) -> FileSource {
        guard let entry = try folder.list().chunks.first(where: { $0.name.start == need.chunk }) else {
            throw DockError(
                .cannotOpen, "it was deleted meanwhile", hint: "see `dockface record list` for what there is")
        }
        switch need.role {
        case .video(.mp4):
            return try Self.source { () throws(TransportFailure) in
                try FileSource(path: folder.path(of: entry.name.file))
            }
        case .video(.mov):
            let copy = try folder.copy(of: entry.name, as: .mov)
            return try Self.source { () throws(TransportFailure) in
                try FileSource(descriptor: copy, name: entry.name.file)
            }
        case .timestamps:
            return FileSource(bytes: Self.timestamps(try folder.frameTimes(of: entry.name)))
        case .sound(let format):
            return FileSource(bytes: try folder.sound(of: entry.name, asWave: format == .wav))
        case .poses: return FileSource(bytes: Self.poses(try folder.poses(of: entry.name)))
        }
    }

    private static func source(
        _ open: () throws(TransportFailure) -> FileSource
    ) throws(DockError) -> FileSource {
        do throws(TransportFailure) {
            return try open()
        } catch {
            throw error.error
        }
    }

    /// An array with a member for each frame, in the form of the server's own app: `frame`, `timestampMs` and `source`,
    /// and what this source knows, the dock's pan and tilt in radians.
    static func poses(_ poses: [FramePose]) -> [UInt8] {
        JSONValue.array(
            poses.map { pose in
                .object([
                    "frame": .number(pose.frame), "timestampMs": .number(pose.date), "source": .string("dock"),
                    "pan": .number(pose.pose.pan), "tilt": .number(pose.pose.tilt),
                ])
            }
        ).bytes
    }

    /// The lines `0 : 1795551979555`, without a line end behind the last one, as the server's own app writes them.
    static func timestamps(_ times: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(times.count * 22)
        for (number, time) in times.enumerated() {
            if number > 0 { bytes.append(0x0A) }
            bytes += "\(number) : \(time)".utf8
        }
        return bytes
    }
}
