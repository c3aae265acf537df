import Codecs
import Foundation
import Geometry
import Processes
import Synchronization
import Testing

@testable import VideoRecorder

/// A folder that is removed at the end of a test.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/dockface-test-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func chunks() throws -> ChunkFolder { try ChunkFolder.open(path + "/recordings", makes: true) }
    func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }
    func names() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/recordings")) ?? []).sorted()
    }
}

/// Returns a picture whose brightness says its number: 16 squares, dark or light.
func picture(_ number: Int, width: Int = 64, height: Int = 48) -> PlanarPicture {
    var luma: [UInt8] = []
    luma.reserveCapacity(width * height)
    for block in 0..<4 {
        var row: [UInt8] = []
        for column in 0..<4 {
            let isLight = number >> (block * 4 + column) & 1 == 1
            row += [UInt8](repeating: isLight ? 200 : 40, count: (column + 1) * width / 4 - column * width / 4)
        }
        for _ in (block * height / 4)..<((block + 1) * height / 4) { luma += row }
    }
    let chroma = [UInt8](repeating: 128, count: 2 * ((width + 1) / 2) * ((height + 1) / 2))
    guard let picture = PlanarPicture(width: width, height: height, bytes: luma + chroma) else {
        fatalError("a picture of this size is impossible")
    }
    return picture
}

/// Returns the number that a picture's brightness says.
func number(_ luma: some Collection<UInt8>, width: Int = 64, height: Int = 48) -> Int {
    (0..<16).reduce(0) { number, bit in
        let row = bit / 4 * height / 4 + height / 8, column = bit % 4 * width / 4 + width / 8
        let sample = luma[luma.index(luma.startIndex, offsetBy: row * width + column)]
        return sample > 120 ? number | 1 << bit : number
    }
}

/// What real programs say about a film.
enum Film {
    static var hasTools: Bool { ["ffmpeg", "ffprobe"].allSatisfy { access("/usr/bin/" + $0, X_OK) == 0 } }

    /// The times of all frames, in seconds, in their order.
    static func times(_ path: String) throws -> [Double] {
        let run = try ChildRun.run(
            [
                "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of",
                "csv=p=0", path,
            ])
        #expect(run.ending == .exited(0), "\(run.complaint ?? "")")
        return String(decoding: run.output, as: UTF8.self).split(separator: "\n").compactMap {
            Double($0.split(separator: ",").first ?? "")
        }
    }

    /// Decodes all frames, and returns their numbers; fails if the decoder complains.
    static func frames(_ path: String) throws -> [Int] {
        let bytes = 64 * 48 * 3 / 2
        let run = try ChildRun.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-fps_mode", "passthrough"]
                + ["-vf", "scale=64:48:flags=neighbor,format=yuv420p"]
                + ["-enc_time_base", "-1", "-f", "rawvideo", "pipe:1"], most: 1 << 24)
        #expect(run.ending == .exited(0) && run.complaint == nil, "\(run.complaint ?? "\(run.ending)")")
        return stride(from: 0, to: run.output.count - bytes + 1, by: bytes).map {
            number(run.output[$0..<($0 + 64 * 48)])
        }
    }

    /// Decodes all frames, and returns how many there are; fails if the decoder complains.
    static func count(_ path: String) throws -> Int {
        let run = try ChildRun.run(
            ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0"]
                + ["-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", path])
        #expect(run.ending == .exited(0) && run.complaint == nil, "\(run.complaint ?? "\(run.ending)")")
        return Int(String(decoding: run.output, as: UTF8.self).split { $0 == "\n" || $0 == "," }.first ?? "") ?? -1
    }
}

/// Drives an encoder in real time, until `isDone`. It waits for its descriptors, not for a time.
func drive(_ encoder: ChunkEncoder, until isDone: (ChunkEncoder) -> Bool) -> [FragmentStream.Whole] {
    // As in a PollThread.
    signal(SIGPIPE, SIG_IGN)
    var pieces: [FragmentStream.Whole] = []
    let end = ClockReading.now().monotonic + 60
    while !isDone(encoder), ClockReading.now().monotonic < end {
        let now = ClockReading.now().monotonic
        var waits = encoder.waits(isHeld: false, now: now)
        _ = poll(&waits, nfds_t(waits.count), 100)
        pieces += encoder.turn(isHeld: false, now: ClockReading.now().monotonic)
    }
    return pieces
}

/// Encodes pictures at these times, and returns the bytes of the film.
func film(_ times: [Double], settings: EncoderSettings = EncoderSettings(), width: Int = 64, height: Int = 48) throws
    -> [UInt8]
{
    let now = ClockReading.now().monotonic
    let encoder = try ChunkEncoder(settings, now: now)
    for (index, time) in times.enumerated() {
        let frame = ChunkFrame(
            picture: picture(index, width: width, height: height), exposure: now + time, verdict: .clear)
        #expect(encoder.put(frame, now: now))
    }
    encoder.finish(now: now)
    let pieces = drive(encoder) { $0.ending != nil }
    #expect(encoder.ending == .finished)
    return pieces.flatMap(\.bytes)
}
