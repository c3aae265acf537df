public import DockTypes
internal import Files
public import Geometry
internal import Glibc

/// Where the head pointed in one frame of a chunk.
public struct FramePose: Sendable, Equatable {
    /// The number of the frame in its chunk, from 0.
    public var frame: Int
    /// When the frame was taken, in milliseconds since 1970.
    public var date: Int
    /// Pan and tilt, in radians.
    public var pose: PanTilt

    /// Creates a pose.
    public init(frame: Int, date: Int, pose: PanTilt) { (self.frame, self.date, self.pose) = (frame, date, pose) }
}

/// The poses of a chunk: `poses_START.csv` beside it, with a line for each frame whose pose is known. Pure.
///
/// ```
/// frame,time,pan,tilt
/// 0,1795551979555,-0.2154,0.0559
/// ```
///
/// Angles are in radians, with the signs of the control API. The pictures do not need this file.
public enum PoseFile {
    private static let beginning = "poses_", end = ".csv", title = "frame,time,pan,tilt"
    /// The largest file that is read, in bytes (4 MiB): ten minutes at 120 frames a second.
    static let largest = 4 << 20

    /// The name of the file of the chunk that begins at this date (milliseconds since 1970).
    public static func name(_ start: Int) -> String { beginning + String(start) + end }

    /// Returns the date of the chunk that a file belongs to, or nil if the file has no poses.
    static func start(of file: String) -> Int? {
        guard file.hasPrefix(beginning), file.hasSuffix(end) else { return nil }
        let digits = file.dropFirst(beginning.count).dropLast(end.count)
        guard let start = Int(digits), name(start) == file, (0...ChunkName.latest).contains(start) else { return nil }
        return start
    }

    /// Returns the text of a file.
    static func text(_ poses: [FramePose]) -> [UInt8] {
        var bytes = Array((title + "\n").utf8)
        bytes.reserveCapacity(poses.count * 36)
        for pose in poses {
            bytes += "\(pose.frame),\(pose.date),".utf8
            append(pose.pose.pan, to: &bytes)
            bytes.append(UInt8(ascii: ","))
            append(pose.pose.tilt, to: &bytes)
            bytes.append(0x0A)
        }
        return bytes
    }

    /// Appends an angle with four decimals (0.006 degrees).
    private static func append(_ angle: Double, to bytes: inout [UInt8]) {
        let whole = Int((angle * 10_000).rounded().clamped(to: -999_999...999_999))
        let digits = String(abs(whole) % 10_000)
        bytes += "\(whole < 0 ? "-" : "")\(abs(whole) / 10_000).".utf8
        bytes += String(repeating: "0", count: 4 - digits.utf8.count).utf8
        bytes += digits.utf8
    }

    /// Reads a file. Damaged lines are left out.
    static func read(_ bytes: [UInt8]) -> [FramePose] {
        bytes.split(separator: 0x0A).compactMap { line in
            let words = line.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 4, let frame = Int(words[0]), let date = Int(words[1]), frame >= 0,
                (0...ChunkName.latest).contains(date), let pan = Double(words[2]), let tilt = Double(words[3]),
                abs(pan) < 100, abs(tilt) < 100
            else { return nil }
            return FramePose(frame: frame, date: date, pose: PanTilt(pan: pan, tilt: tilt))
        }
    }
}

extension ChunkFolder {
    /// Returns the poses of a chunk, in order.
    /// - Throws: `cannotOpen` if it has none.
    public func poses(of name: ChunkName) throws(DockError) -> [FramePose] {
        do throws(FileTrouble) {
            return PoseFile.read(try bytes(of: PoseFile.name(name.start), most: PoseFile.largest))
        } catch {
            throw error.error(in: path)
        }
    }

    /// Writes the poses of a chunk whose file is about to get its final name.
    func write(_ poses: [FramePose], of start: Int) throws(FileTrouble) -> Int {
        let file = PoseFile.name(start), text = PoseFile.text(poses)
        try remove(file)
        let descriptor = try open(file, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(descriptor) }
        let count = Glibc.write(descriptor, text, text.count)
        guard count == text.count, fsync(descriptor) == 0 else {
            let trouble = FileTrouble("write \(file)", (0..<text.count).contains(count) ? ENOSPC : errno)
            try? remove(file)
            throw trouble
        }
        return text.count
    }

    /// Reads a file of the folder.
    func bytes(of file: String, most: Int) throws(FileTrouble) -> [UInt8] {
        let descriptor = try open(file, O_RDONLY)
        defer { close(descriptor) }
        var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < most {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return bytes
    }
}
