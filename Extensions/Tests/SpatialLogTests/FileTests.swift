import Codecs
import DockTestKit
import DockTypes
import Foundation
import Geometry
import Testing

@testable import SpatialLog

/// A real disk of 2 MB, in memory.
private final class SmallDisk {
    let path: String

    static let isPossible = SmallDisk() != nil

    init?() {
        var template = Array("/tmp/dockface-disk-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? ""
        guard geteuid() == 0, mount("tmpfs", path, "tmpfs", 0, "size=2m,mode=700") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, 2)
        rmdir(path)
    }
}

@Suite struct FileTests {
    private let place = TemporaryFolder()

    /// Noise, which JPEG cannot compress well.
    private static let picture: RGBPicture? = {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<(3 * 320 * 240)).map { _ in UInt8.random(in: 0...255, using: &random) }
        return RGBPicture(width: 320, height: 240, bytes: bytes)
    }()

    private func settings(_ path: String, leastFree: Int = 0) -> SpatialSettings {
        var settings = SpatialSettings(path: path, library: "test")
        settings.leastFree = leastFree
        return settings
    }

    private func begin(_ settings: SpatialSettings) throws -> SpatialRecording {
        try SpatialRecording(settings, now: 100, unix: 1_700_000_000)
    }

    /// Pictures at 10 a second until the file ends or so many were put.
    private func fill(_ recording: SpatialRecording, pictures: Int) {
        for number in 0..<pictures where recording.ending == nil {
            let now = 100 + Double(number) / 10
            recording.put(.picture(LoggedPicture(Self.picture, exposure: now)), now: now)
            recording.tick(now: now)
        }
    }

    @Test func `a file that is not finished has whole chunks, and a finished one is complete`() throws {
        let path = place.path + "/a.mcap", recording = try begin(settings(path))
        fill(recording, pictures: 25)
        let killed = try RecordWalk(path)
        #expect(killed.count(RecordWalk.chunk) == 2 && killed.rest == 0 && !killed.isComplete)
        recording.finish(now: 103)
        let whole = try RecordWalk(path)
        #expect(whole.isComplete && whole.count(RecordWalk.chunk) == 3 && recording.ending?.error == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a file that exists is kept, unless its owner says otherwise`() throws {
        let path = place.path + "/b.mcap"
        try "a diary".write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: DockError.self) { try begin(settings(path)) }
        #expect(error?.code == .configuration && error?.hint.contains("--replace") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a diary")
        var replacing = settings(path)
        replacing.replaces = true
        let recording = try begin(replacing)
        fill(recording, pictures: 5)
        recording.finish(now: 101)
        #expect(try RecordWalk(path).isComplete)
        // A link that points to nothing is not followed.
        let link = place.path + "/link.mcap"
        symlink(place.path + "/elsewhere", link)
        #expect(throws: DockError.self) { try begin(settings(link)) }
        #expect(!FileManager.default.fileExists(atPath: place.path + "/elsewhere"))
    }

    @Test func `a file without a message is not left behind`() throws {
        let path = place.path + "/c.mcap", recording = try begin(settings(path))
        #expect(FileManager.default.fileExists(atPath: path))
        recording.finish(now: 101)
        #expect(!FileManager.default.fileExists(atPath: path) && recording.length == 0)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount a file system"))
    func `a full disk ends the file with a word, and what was written stays readable`() throws {
        let disk = try #require(SmallDisk()), path = disk.path + "/d.mcap", recording = try begin(settings(path))
        fill(recording, pictures: 500)
        let ending = try #require(recording.ending)
        #expect(ending.error?.message == "cannot write \(path): No space left on device")
        let walk = try RecordWalk(path)
        #expect(walk.rest == 0 && walk.count(RecordWalk.chunk) >= 1 && walk.isComplete == ending.isComplete)
        // Nothing more is taken.
        let length = recording.length
        fill(recording, pictures: 20)
        recording.finish(now: 200)
        #expect(recording.length == length && recording.ending == ending)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount a file system"))
    func `room for others stays on the disk`() throws {
        let disk = try #require(SmallDisk()), path = disk.path + "/e.mcap"
        let recording = try begin(settings(path, leastFree: 1 << 20))
        fill(recording, pictures: 500)
        let ending = try #require(recording.ending)
        #expect(ending.isComplete && ending.error?.message == "the disk of \(path) has less than 1 MB left")
        #expect(try RecordWalk(path).isComplete)
    }

    @Test func `the recorder leaves pictures out that its thread is too slow for, and completes the file at its end`()
        throws
    {
        let path = place.path + "/f.mcap"
        let recorder = try SpatialRecorder(settings(path), now: 100, unix: 1_700_000_000) { ending in
            Issue.record("it has ended: \(ending)")
        }
        for number in 0..<200 {
            recorder.put(LoggedPicture(Self.picture, exposure: 100 + Double(number) / 30))
        }
        recorder.stop()
        let figures = recorder.figures
        #expect(figures.pictures + figures.dropped == 200 && figures.pictures >= SpatialRecorder.mostPictures)
        #expect(figures.ending == SpatialEnding(error: nil, isComplete: true))
        #expect(try RecordWalk(path).isComplete)
    }
}
