import DockTypes
import Foundation
import Geometry
import Testing

@testable import VideoRecorder

@Suite struct PoseTests: DiskSuite {
    let temporary = TemporaryFolder()
    private let poses = [
        FramePose(frame: 0, date: 1000, pose: PanTilt(pan: -0.21543, tilt: 0.00004)),
        FramePose(frame: 2, date: 1067, pose: PanTilt(pan: 1.5, tilt: -0.0051)),
    ]

    /// Writes a chunk with poses.
    private func write(_ id: Int, date: Int, poses: [FramePose], to desk: DiskDesk) -> [DiskReport] {
        var facts = facts()
        facts.poses = poses
        var reports = desk.carryOut(.begin(id, date: date, verdict: .covered), now: 0)
        reports += desk.carryOut(.append(id, Box.film), now: 0)
        return reports + desk.carryOut(.finish(id, facts), now: 0)
    }

    @Test func `a file of poses has a line for each frame whose pose is known`() throws {
        let text = "frame,time,pan,tilt\n0,1000,-0.2154,0.0000\n2,1067,1.5000,-0.0051\n"
        #expect(String(decoding: PoseFile.text(poses), as: UTF8.self) == text)
        let read = PoseFile.read(Array(text.utf8))
        #expect(read.map(\.frame) == [0, 2] && read.map(\.date) == [1000, 1067])
        #expect(zip(read, poses).allSatisfy { abs($0.pose.pan - $1.pose.pan) <= 0.00005 })
        #expect(zip(read, poses).allSatisfy { abs($0.pose.tilt - $1.pose.tilt) <= 0.00005 })
        #expect(PoseFile.read(PoseFile.text([])).isEmpty)
    }

    @Test(arguments: [
        "", "frame,time,pan,tilt", "0,1000,0.1", "0,1000,0.1,0.2,3", "-1,1000,0,0", "0,-5,0,0", "0,1000,nan,0",
        "0,1000,0,inf", "0,1000,1e9,0", "0,99999999999999999999,0,0", "\u{1B}[2J,1,2,3",
    ])
    func `a damaged line is left out`(line: String) {
        #expect(PoseFile.read(Array("\(line)\n7,1000,0.5,0.25\n".utf8)).map(\.frame) == [7])
    }

    @Test func `a name of a file is that of one chunk`() {
        #expect(PoseFile.start(of: PoseFile.name(1_795_551_979_555)) == 1_795_551_979_555)
        for file in [
            "poses_.csv", "poses_01.csv", "poses_-1.csv", "poses_+1.csv", "poses_1.csv.csv", "poses_1", "1.csv",
        ] {
            #expect(PoseFile.start(of: file) == nil, "\(file)")
        }
    }

    @Test func `poses are beside their chunk, count as room, and go with it`() throws {
        var limits = RingLimits(), news: [DiskReport] = []
        (limits.budget, limits.age) = (1 << 20, nil)
        let folder = try temporary.chunks(), desk = try desk(folder, limits, news: &news)
        let record = try #require(stored(write(1, date: 1000, poses: poses, to: desk)).first)
        #expect(record.hasPoses && ChunkRecord(line: record.line) == record)
        #expect(try folder.poses(of: record.name).map(\.frame) == [0, 2])
        var status = stat()
        #expect(stat(folder.path + "/poses_1000.csv", &status) == 0 && status.st_mode & 0o777 == 0o600)
        let size = Int(status.st_size)
        #expect(desk.ring.used == Box.film.count + size)
        #expect(try folder.list().chunks.map(\.poseBytes) == [size])
        // The next run finds the same.
        #expect(try self.desk(folder, limits, news: &news).ring.used == Box.film.count + size && news.isEmpty)
        #expect(try FolderSummary(folder).chunks.map(\.record.hasPoses) == [true])

        limits.budget = 1
        _ = desk.carryOut(.limits(limits), now: 0)
        guard case .deleted(let gone)? = desk.carryOut(.makeRoom(now: nil), now: 0).first else {
            Issue.record("nothing was deleted")
            return
        }
        #expect(gone.map(\.name.start) == [1000] && desk.ring.used == 0)
        #expect(!temporary.names().contains("poses_1000.csv"))
    }

    @Test func `a person deletes poses together with their chunk, whether it is finished or not`() throws {
        var news: [DiskReport] = []
        let folder = try temporary.chunks(), desk = try desk(folder, news: &news)
        for id in 1...2 { _ = write(id, date: id * 10_000, poses: poses, to: desk) }
        #expect(try folder.delete(DateRange(from: 0, to: 15_000)).count == 1)
        #expect(temporary.names().filter { $0.hasPrefix("poses") } == ["poses_20000.csv"])
        _ = desk.carryOut(.begin(3, date: 30_000, verdict: .covered), now: 0)
        _ = desk.carryOut(.append(3, Box.film), now: 0)
        _ = try folder.delete(.all)
        var facts = facts()
        facts.poses = poses
        #expect(desk.carryOut(.finish(3, facts), now: 0) == [.gone(3)])
        #expect(!temporary.names().contains { $0.hasPrefix("poses") || $0.hasPrefix("chunk") })
    }

    @Test func `poses without a chunk are deleted at the next start, those of an open one are kept`() throws {
        let folder = try temporary.chunks()
        for file in ["poses_1000.csv", "poses_2000.csv"] {
            try temporary.write(PoseFile.text(poses), "recordings/" + file)
        }
        try temporary.write(Box.film, "recordings/chunk_2000_covered.part")
        var news: [DiskReport] = []
        _ = try desk(folder, news: &news)
        let files = temporary.names().filter { $0.hasSuffix(".csv") || $0.hasSuffix(".mp4") }
        #expect(files.count == 2 && files.contains("poses_2000.csv"))
        #expect(try FolderSummary(folder).chunks.map(\.record.hasPoses) == [true])
    }

    @Test func `poses that cannot be written cost the chunk nothing`() throws {
        var news: [DiskReport] = []
        let folder = try temporary.chunks(), desk = try desk(folder, news: &news)
        mkdir(folder.path + "/poses_1000.csv", 0o700)
        let reports = write(1, date: 1000, poses: poses, to: desk)
        #expect(stored(reports).map(\.hasPoses) == [false])
        guard case .note(let text, true)? = reports.last else {
            Issue.record("nothing was said")
            return
        }
        #expect(text.hasPrefix("a chunk has no poses: "))
    }

    @Test(.enabled(if: Film.hasTools, "ffmpeg is not installed"))
    func `a pose that is no number is left out`() throws {
        let shop = try Workshop(temporary)
        try #require(shop.start())
        shop.film(40, from: 0, pose: { PanTilt(pan: $0 % 2 == 0 ? .nan : 0.5, tilt: $0 % 3 == 0 ? .infinity : 0) })
        shop.finish()
        let poses = try shop.folder.poses(of: try #require(shop.stored.first).name)
        #expect((10...15).contains(poses.count) && poses.allSatisfy { $0.pose.pan == 0.5 && $0.pose.tilt == 0 })
    }

    @Test(.enabled(if: Film.hasTools, "ffmpeg is not installed"), arguments: [true, false])
    func `each recorded frame has the pose of its exposure, unless that is not wanted`(isWanted: Bool) throws {
        let shop = try Workshop(temporary) { $0.keepsPoses = isWanted }
        try #require(shop.start())
        shop.film(100, from: 0, pose: { PanTilt(pan: Double($0) / 100, tilt: -0.1) })
        shop.finish()
        try #require(shop.stored.count == 2 && shop.stored.allSatisfy { $0.hasPoses == isWanted })
        guard isWanted else { return }
        var pans: [Double] = []
        for record in shop.stored {
            let poses = try shop.folder.poses(of: record.name), times = try shop.folder.frameTimes(of: record.name)
            #expect(poses.map(\.frame) == Array(0..<record.tally.frames))
            #expect(zip(poses, times).allSatisfy { abs($0.date - $1) <= 1 } && poses.count == times.count)
            #expect(poses.allSatisfy { abs($0.pose.tilt + 0.1) < 0.0001 })
            pans += poses.map(\.pose.pan)
        }
        // Without a gap, also across the border.
        #expect(zip(pans, pans.dropFirst()).allSatisfy { abs($1 - $0 - 0.01) < 0.0001 } && pans.count > 90)
    }
}
