import DockTestKit
import Foundation
import ProgramTestKit
import Testing

@testable import VideoRecorder

extension Running {
    /// The recorder of this build.
    static var recorder: String { program("dockface-record") }
}

/// The recordings of a test.
struct Recordings {
    let place: TemporaryFolder
    var path: String { place.path + "/data/dockface/recordings" }

    var folder: ChunkFolder { get throws { try ChunkFolder.open(path, makes: true) } }

    /// The names of the finished ones.
    var chunks: [ChunkName] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).compactMap(ChunkName.init(file:))
            .sorted { $0.start < $1.start }
    }

    /// Whether one is being written, or was left open.
    var isOpen: Bool {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).contains { $0.hasSuffix(".part") }
    }

    /// The size of the one that is being written, in bytes; 0 if there is none.
    var openBytes: Int {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
            $0.hasSuffix(".part")
        }
        var status = stat()
        return names.reduce(0) { stat(path + "/" + $1, &status) == 0 ? max($0, Int(status.st_size)) : $0 }
    }

    /// Makes a recording of two seconds.
    func make(_ start: Int, size: String = "64x48") throws {
        _ = try folder
        let name = ChunkName(start: start, duration: 2000, verdict: .clear)
        let words = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=\(size):rate=30", "-t", "2"]
        let run = try ChildRun.run(
            words + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", path + "/" + name.file])
        #expect(run.complaint == nil)
    }
}
