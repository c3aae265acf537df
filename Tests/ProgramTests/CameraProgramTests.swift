import DockClient
import Foundation
import PictureShare
import TestSupport
import Testing

extension ProgramTests {
    /// A program that writes video to its standard output, as a camera.
    @Suite(.timeLimit(.minutes(10))) struct CameraProgramTests {
        private static func daemon(_ command: String) throws -> ControlledDaemon {
            try ControlledDaemon(["--open-loop", "--detector", "exec:cat > /dev/null", "--camera", "exec:" + command])
        }

        /// A command that writes pictures for a while: blue ones, or a pattern.
        private static func film(_ form: String, of source: String = "color=blue:", seconds: Double = 60) -> String {
            "ffmpeg -hide_banner -loglevel error -re -f lavfi -i \(source)size=320x240:rate=30:duration=\(seconds) \(form) -"
        }

        private static func next(_ pictures: Pictures) throws -> (facts: PictureFacts, pixels: [UInt8])? {
            for _ in 0..<100 {
                guard let picture = try pictures.next(timeout: 20) else { return nil }
                if let pixels = pictures.reader.copy(picture) { return (picture.facts, pixels) }
            }
            return nil
        }

        @Test func `its pictures have the exposures that it states on the machine's clock`() throws {
            // The time since the start of the machine is the clock of exposures.
            let daemon = try Self.daemon(
                Self.film("-c:v mjpeg -f matroska -output_ts_offset $(cut -d' ' -f1 /proc/uptime)"))
            let pictures = try ControlClient(path: daemon.socket).openPictures()
            #expect(pictures.reader.layout.width == 320 && pictures.reader.layout.height == 240)
            let first = try #require(try Self.next(pictures)), second = try #require(try Self.next(pictures))
            #expect(first.pixels[2] > 200 && first.pixels[0] < 60, "blue")
            #expect(!first.facts.isEstimated && !second.facts.isEstimated)
            let step = (second.facts.exposure - first.facts.exposure) * 30
            #expect(abs(step - step.rounded()) < 0.05 && step > 0.9, "the program's own intervals")
            let own = try ControlClient(path: daemon.socket).openPictures(format: .yuv420p)
            #expect(own.reader.layout.width == 320, "recorders get its pictures, too")
        }

        @Test func `a video without times is taken as exposed before it arrived`() throws {
            // Pictures of one colour are too small for ffmpeg to recognise their form soon.
            let daemon = try Self.daemon(Self.film("-c:v mjpeg -f mjpeg", of: "testsrc2="))
            let picture = try #require(
                try Self.next(try ControlClient(path: daemon.socket).openPictures()))
            #expect(picture.facts.isEstimated && abs(picture.facts.arrival - picture.facts.exposure - 0.045) < 1e-6)
        }

        @Test func `it is started again when it has ended, and ends with the daemon`() throws {
            let token = "token-\(UInt32.random(in: 0 ... .max))"
            func isThere() -> Bool {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
                return names.contains { name in
                    guard Int(name) != nil, let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline"),
                        let status = try? String(contentsOfFile: "/proc/\(name)/status", encoding: .utf8)
                    else { return false }
                    return words.range(of: Data(token.utf8)) != nil && !status.contains("State:\tZ")
                        && words.range(of: Data("--camera".utf8)) == nil
                }
            }
            let daemon = try Self.daemon(Self.film("-metadata title=\(token) -c:v mjpeg -f matroska", seconds: 0.5))
            let peer = try daemon.peer()
            let pictures = try ControlClient(path: daemon.socket).openPictures()
            #expect(
                try peer.wait {
                    let camera = try peer.result("status")["detector"]["camera"]
                    return (camera["restarts"].int ?? 0) >= 2
                })
            #expect(try Self.next(pictures) != nil)
            _ = daemon.wait { isThere() }
            daemon.program.signal(SIGKILL)
            #expect(eventually { !isThere() })
        }

        @Test func `a program that says that it waits is not taken for hung`() throws {
            // Longer than the 10 s until the first picture, and the 3 s between two, after which it would end.
            let film = Self.film("-c:v mjpeg -f matroska", seconds: 3)
            let waits = "echo 'waiting: no sender' >&2; sleep 11; \(film); sleep 1.5; echo 'waiting: it is gone' >&2"
            let daemon = try Self.daemon(waits + "; sleep 5; echo 'waiting: still' >&2; sleep 60")
            let peer = try daemon.peer()
            let steps: [(state: String, problem: String?)] = [
                ("starting", "no sender"), ("running", nil), ("starting", "it is gone"), ("starting", "still"),
            ]
            for (state, problem) in steps {
                #expect(
                    try peer.wait(20) {
                        let camera = try peer.result("status")["detector"]["camera"]
                        return camera["state"].string == state && camera["problem"].string == problem
                    }, "\(problem ?? state)")
            }
            #expect(try peer.result("status")["detector"]["camera"]["restarts"].int == 0)
        }

        @Test func `a program that writes no video is named, and the dock goes on`() throws {
            let daemon = try Self.daemon("echo nothing to see"), peer = try daemon.peer()
            #expect(
                try peer.wait {
                    let problem = try peer.result("status")["detector"]["camera"]["problem"].string ?? ""
                    return problem.contains("it wrote no video")
                })
            try peer.result("home")
        }
    }
}
