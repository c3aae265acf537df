import CPosix
import DockClient
import DockTypes
import Foundation
import Geometry
import Glibc
import PictureShare
import Testing
import TestSupport

extension ProgramTests {
    /// The daemon's pictures as other programs see them: the share, `snapshot`, and the Python client.
    @Suite(.timeLimit(.minutes(10))) struct PictureTests {
        /// A daemon whose camera is ffmpeg's test pattern. Its detector reads the pictures and finds no person.
        private func looking(_ more: [String] = []) throws -> ControlledDaemon {
            try ControlledDaemon(["--camera", "test", "--detector", "exec:cat > /dev/null"] + more)
        }

        @Test func `a program sees the pictures, and the daemon says that it does`() throws {
            let daemon = try looking(), peer = try daemon.peer()
            let client = try ControlClient(path: daemon.socket), pictures = try client.openPictures()
            #expect(pictures.reader.layout == ShareLayout(format: .rgb24, width: 640, height: 480))
            var last: SharedPicture?
            for _ in 0..<5 {
                let picture = try #require(try pictures.next(timeout: 5))
                #expect(picture.facts.sequence > last?.facts.sequence ?? -1)
                #expect(picture.facts.exposure <= picture.facts.arrival && picture.facts.arrival <= monotonicNow())
                // The test pattern has many colours, and moves.
                let pixels = try #require(pictures.reader.copy(picture))
                #expect(Set(pixels).count > 20)
                last = picture
            }
            #expect(try peer.wait { try peer.result("status")["detector"]["camera"]["readers"].int == 1 })
            #expect(daemon.wait { (try? pictures.next(timeout: 5))??.facts.pose != nil }, "the dock reports its pose")
            _ = try client.call("closePictures")
            #expect(try peer.wait { try peer.result("status")["detector"]["camera"]["readers"].int == 0 })
        }

        @Test func `the pose is that of the exposure`() throws {
            let daemon = try looking(), peer = try daemon.peer()
            let pictures = try ControlClient(path: daemon.socket).openPictures()
            _ = try peer.result("setAngularVelocity", #"{"pan":0.6,"tilt":0,"for":20}"#)
            // At a steady speed the pose grows with the exposure, not with the arrival.
            #expect(
                daemon.wait {
                    guard let picture = try? pictures.next(timeout: 5), let motion = picture.facts.pose else {
                        return false
                    }
                    return abs(motion.rate.pan - 0.6) < 0.05
                })
            let first = try #require(try pictures.next(timeout: 5)), start = try #require(first.facts.pose)
            for _ in 0..<10 { _ = try pictures.next(timeout: 5) }
            let next = try #require(try pictures.next(timeout: 5)), end = try #require(next.facts.pose)
            let speed = (end.pose.pan - start.pose.pan) / (next.facts.exposure - first.facts.exposure)
            #expect(abs(speed - 0.6) < 0.05, "\(speed) rad/s")
        }

        @Test func `a hundred openings leave no descriptor behind, and dead programs are not counted`() throws {
            let daemon = try looking(), peer = try daemon.peer()
            func descriptors() -> Int {
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.program.id)/fd").count) ?? 0
            }
            let client = try ControlClient(path: daemon.socket)
            var kept = try client.openPictures()
            let before = descriptors()
            for _ in 0..<100 { kept = try client.openPictures() }
            for _ in 0..<100 { _ = try ControlClient(path: daemon.socket).openPictures() }
            #expect(try peer.wait { try peer.result("status")["detector"]["camera"]["readers"].int == 1 })
            #expect(daemon.wait { descriptors() <= before }, "\(descriptors()), before: \(before)")
            #expect(try kept.next(timeout: 5) != nil)
        }

        /// It neither reads its answers nor the pictures.
        @Test func `a program that never reads costs the others nothing`() throws {
            let daemon = try looking(), peer = try daemon.peer()
            let lazy = try daemon.peer()
            for _ in 0..<600 { lazy.send(#"{"jsonrpc":"2.0","id":1,"method":"openPictures"}"#, reads: false) }
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.program.id)/fd").count
            #expect(descriptors < 100)
            let pictures = try ControlClient(path: daemon.socket).openPictures()
            for _ in 0..<30 { #expect(try pictures.next(timeout: 5) != nil) }
            #expect(try peer.wait { try peer.result("status")["detector"]["camera"]["readers"].int == 2 })
        }

        /// A film of this size at 30 frames a second.
        private func film(seconds: Int) throws -> TemporaryFile {
            let file = try TemporaryFile("", ".mp4")
            let status = system(
                "ffmpeg -hide_banner -loglevel error -y -f lavfi -i testsrc2=size=1280x720:rate=30:duration=\(seconds) "
                    + "-pix_fmt yuv420p '\(file.path)'")
            try #require(status == 0)
            return file
        }

        @Test func `the camera's own size comes when a program asks for it, with the same numbers and times`() throws {
            let film = try film(seconds: 20)
            let daemon = try ControlledDaemon([
                "--open-loop", "--camera", "file:\(film.path)", "--detector", "exec:cat > /dev/null",
            ])
            let usual = try ControlClient(path: daemon.socket).openPictures()
            var times: [Int: Double] = [:]
            func look() throws {
                guard let picture = try usual.next(timeout: 5) else { return }
                times[picture.facts.sequence] = picture.facts.exposure
            }
            try look()
            let full = try ControlClient(path: daemon.socket).openPictures(maximumWidth: 4000)
            #expect(full.reader.layout == ShareLayout(format: .yuv420p, width: 1280, height: 720))
            #expect(usual.reader.layout == ShareLayout(format: .rgb24, width: 640, height: 360))
            var same = 0
            for _ in 0..<40 {
                let picture = try #require(try full.next(timeout: 5))
                try look()
                if let time = times[picture.facts.sequence] {
                    same += 1
                    #expect(picture.facts.exposure == time)
                }
            }
            #expect(same > 10, "\(same)")
            let narrow = try ControlClient(path: daemon.socket)
            #expect(throws: DockError.self) { try narrow.openPictures(maximumWidth: 1000, format: .yuv420p) }
            // Opening and closing restarts nothing any more.
            let status = try daemon.peer().result("status")["detector"]["camera"]
            #expect(status["restarts"].int == 0 && status["state"].string == "running", "\(status)")
        }

        @Test func `a film ends for its readers, and is not begun again`() throws {
            let film = try film(seconds: 4)
            let daemon = try ControlledDaemon([
                "--open-loop", "--camera", "file:\(film.path)", "--detector", "exec:cat > /dev/null",
            ])
            let full = try ControlClient(path: daemon.socket).openPictures(format: .yuv420p)
            var last = -1
            let hasEnded = daemon.wait(15) {
                do throws(DockError) {
                    if let picture = try full.next(timeout: 1) { last = picture.facts.sequence }
                    return false
                } catch {
                    return error.code == .notConnected
                }
            }
            #expect(hasEnded && last > 90 && last < 140, "\(last)")
        }

        @Test func `what cannot be opened is refused in words`() throws {
            let blind = try ControlledDaemon(), peer = try blind.peer()
            let refused = try peer.call("openPictures")
            #expect(refused.refusal == "notSupported" && "\(refused)".contains("no camera"), "\(refused)")
            let shot = try blind.verb("snapshot", "--out", blind.folder + "/a.png")
            #expect(shot.ending == .exit(1) || shot.ending == .exit(69))
            #expect(shot.errors.contains("no camera") && shot.errors.contains("--camera"), "\(shot.errors)")
            let daemon = try looking()
            #expect(try daemon.peer().call("openPictures", #"{"maximumWidth":320}"#).refusal == "notSupported")
            #expect(try daemon.peer().call("openPictures", #"{"format":"jpeg"}"#).refusal == "invalidParameter")
            #expect(try daemon.peer().call("openPictures", #"{"maximumWidth":0}"#).refusal == "invalidParameter")
        }

        @Test(arguments: [("a.png", [0x89, 0x50, 0x4E, 0x47]), ("b.jpeg", [0xFF, 0xD8, 0xFF])])
        func `snapshot stores a picture`(name: String, magic: [UInt8]) throws {
            let daemon = try looking()
            let path = daemon.folder + "/" + name
            let shot = try daemon.verb("snapshot", "--out", path)
            #expect(shot.ending == .exit(0) && shot.output == "\(path): 640x480\n", "\(shot.errors)")
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(bytes.starts(with: magic) && bytes.count > 5000)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "people may be in it")
            let odd = try daemon.verb("snapshot", "--out", daemon.folder + "/c.gif")
            #expect(odd.ending == .exit(64) && odd.errors.contains(".png or .jpg"), "\(odd.errors)")
            let full = try daemon.verb("snapshot", "--out", "/nosuch/d.png")
            #expect(full.ending == .exit(78) && full.errors.contains("/nosuch"), "\(full.errors)")
        }

        @Test func `snapshot with faces says when there are none`() throws {
            let daemon = try looking()
            let path = daemon.folder + "/f.png"
            let shot = try daemon.verb("snapshot", "--out", path, "--faces", "--json")
            let answer = JSON(line: shot.output.utf8)
            #expect(answer["path"].string == path && answer["faces"].array.isEmpty && answer["width"].int == 640)
            #expect(shot.errors.contains("no people"), "\(shot.errors)")
        }
    }
}
