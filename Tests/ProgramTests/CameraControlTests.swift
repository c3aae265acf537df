import DockClient
import Glibc
import PictureShare
import Testing
import TestSupport

extension ProgramTests {
    /// Zoom, flip and shutter, as they reach the pictures that other programs see.
    @Suite(.timeLimit(.minutes(10))) struct CameraControlTests {
        /// A film of one colour, with a white square whose middle is 80 pixels to the right of the picture's middle.
        private static func film(_ colour: String, size: String = "640x480") throws -> TemporaryFile {
            let file = try TemporaryFile("", ".mp4")
            let status = system(
                "ffmpeg -hide_banner -loglevel error -y -f lavfi -i color=\(colour):size=\(size):rate=30:duration=10 "
                    + "-vf drawbox=x=iw/2+70:y=ih/2-10:w=20:h=20:color=white:t=fill -pix_fmt yuv420p '\(file.path)'")
            try #require(status == 0)
            return file
        }

        private static func daemon(_ more: [String]) throws -> ControlledDaemon {
            try ControlledDaemon(["--open-loop", "--detector", "exec:cat > /dev/null"] + more)
        }

        /// The first picture that fits.
        private static func picture(
            _ pictures: Pictures, where fits: (PictureFacts) -> Bool
        ) throws -> (facts: PictureFacts, pixels: [UInt8])? {
            for _ in 0..<300 {
                guard let picture = try pictures.next(timeout: 10) else { return nil }
                if fits(picture.facts), let pixels = pictures.reader.copy(picture) { return (picture.facts, pixels) }
            }
            return nil
        }

        /// The columns of the white square in a picture of 640 x 480 pixels, rgb24.
        private static func square(_ pixels: [UInt8]) -> ClosedRange<Int>? {
            let row = 240 * 640 * 3
            let white = (0..<640).filter { x in (0..<3).allSatisfy { pixels[row + 3 * x + $0] > 200 } }
            return white.first.map { $0...(white.last ?? $0) }
        }

        @Test func `zoom cuts out the middle of the pictures, exactly and at once`() throws {
            let film = try Self.film("red")
            let daemon = try Self.daemon(["--camera", "file:\(film.path),loop=again"]), peer = try daemon.peer()
            let pictures = try ControlClient(path: daemon.socket).openPictures()
            let wide = try #require(try Self.picture(pictures) { $0.optics == .usual })
            let before = try #require(Self.square(wide.pixels))
            #expect((388...392).contains(before.lowerBound) && (407...411).contains(before.upperBound), "\(before)")
            #expect(try peer.result("setZoom", #"{"factor":2}"#)["magnification"].number == 2)
            let close = try #require(try Self.picture(pictures) { $0.optics.zoom == 2 })
            let after = try #require(Self.square(close.pixels))
            #expect((457...463).contains(after.lowerBound) && (496...502).contains(after.upperBound), "\(after)")
            #expect(close.facts.sequence - wide.facts.sequence < 30, "no restart of the camera")
            #expect(try peer.result("status")["camera"]["magnification"].number == 2)
            #expect(try peer.call("setZoom", #"{"factor":9}"#).refusal == "invalidParameter")
            #expect(try peer.result("setZoom", #"{"factor":1}"#)["magnification"].number == 1)
            #expect(try Self.picture(pictures) { $0.optics.zoom == 1 } != nil)
        }

        @Test func `the camera's own size is cut out in the same way`() throws {
            let film = try Self.film("red", size: "1280x720")
            let daemon = try Self.daemon(["--camera", "file:\(film.path),loop=again"]), peer = try daemon.peer()
            let pictures = try ControlClient(path: daemon.socket).openPictures(format: .yuv420p)
            #expect(pictures.reader.layout.width == 1280)
            try peer.result("setZoom", #"{"factor":4}"#)
            let close = try #require(try Self.picture(pictures) { $0.optics.zoom == 4 })
            // The square is 320 pixels beside the middle now, and 80 wide.
            let row = close.pixels[(360 * 1280)..<(361 * 1280)]
            let white = row.indices.filter { row[$0] > 200 }.map { $0 - row.startIndex }
            #expect(abs((white.first ?? 0) - 920) < 5 && abs((white.last ?? 0) - 999) < 5, "\(white)")
        }

        @Test func `flip selects the next camera, at its lowest magnification`() throws {
            let red = try Self.film("red"), blue = try Self.film("blue")
            let daemon = try Self.daemon([
                "--camera", "file:\(red.path),loop=again", "--other-camera", "file:\(blue.path),loop=again",
            ])
            let peer = try daemon.peer(), pictures = try ControlClient(path: daemon.socket).openPictures()
            func isBlue(_ pixels: [UInt8]) -> Bool { pixels[2] > 200 && pixels[0] < 60 }
            let first = try #require(try Self.picture(pictures) { $0.optics.camera == 0 })
            #expect(!isBlue(first.pixels))
            try peer.result("setZoom", #"{"factor":3}"#)
            #expect(try peer.result("flipCamera")["device"].int == 1)
            let second = try #require(try Self.picture(pictures) { $0.optics.camera == 1 })
            #expect(isBlue(second.pixels) && second.facts.optics.zoom == 1)
            #expect(second.facts.sequence > first.facts.sequence, "the numbers go on")
            #expect(daemon.program.wait { daemon.program.errors.contains("the camera is now file:\(blue.path)") })
            #expect(try peer.result("flipCamera")["device"].int == 0)
            let third = try #require(try Self.picture(pictures) { $0.optics.camera == 0 })
            #expect(!isBlue(third.pixels))
            #expect(try peer.wait { try peer.result("status")["detector"]["camera"]["restarts"].int == 0 })
        }

        @Test func `a camera that is gone does not keep the other one from being used`() throws {
            let blue = try Self.film("blue")
            let daemon = try Self.daemon([
                "--camera", "/dev/nosuch", "--other-camera", "file:\(blue.path),loop=again",
            ])
            let peer = try daemon.peer()
            #expect(try peer.wait { try peer.result("status")["detector"]["camera"]["state"].string == "failed" })
            try peer.result("flipCamera")
            let pictures = try ControlClient(path: daemon.socket).openPictures()
            #expect(try Self.picture(pictures) { $0.optics.camera == 1 } != nil)
        }

        @Test func `a shutter without a recorder, and a flip without another camera, are refused in words`() throws {
            let film = try Self.film("red")
            let daemon = try Self.daemon(["--camera", "file:\(film.path),loop=again"]), peer = try daemon.peer()
            try peer.result("subscribe", #"{"topics":["events"]}"#)
            let shutter = try peer.call("setShutter")
            #expect(shutter.refusal == "notSupportedByDevice" && "\(shutter)".contains("no program records"))
            #expect("\(try peer.call("flipCamera"))".contains("there is only one camera"))
            for (options, error) in [
                (["--other-camera", "test"], "needs a first camera"),
                (["--camera", "test", "--camera-size", "big"], "1280x720"),
                (
                    ["--camera", "test"] + Array(repeating: ["--other-camera", "test"], count: 4).flatMap(\.self),
                    "at most 4"
                ),
            ] {
                let run = try daemon.start(["run", "--port", "sim", "--headless", "--seconds", "1"] + options)
                #expect(run.end() == .exit(64) && run.errors.contains(error), "\(run.errors)")
            }
        }
    }
}
