import Codecs
import DockTypes
import Geometry
import Glibc
import Testing

@testable import DepthStream

/// What is decided about a depth camera of the kernel, without one.
@Suite struct DepthCameraTests {
    // MARK: formats

    @Test func `a format is its four characters, and depth is Z16`() {
        let code = "Z16 ".utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        #expect(VideoFormat.depth == VideoFormat(code: code) && "\(VideoFormat.depth)" == "Z16")
        #expect("\(VideoFormat(code: 0x5659_5559))" == "YUYV" && "\(VideoFormat(code: 0xB032_0041))" == "A?2?")
        #expect("\(VideoFormat(code: 0x2020_2020))".isEmpty)
    }

    @Test func `a camera without depth is named with the formats that it has`() throws {
        let colour = [VideoFormat(code: 0x5659_5559), VideoFormat(code: 0x4750_4A4D)]
        try DepthCameraTrouble.check(colour + [.depth])
        let trouble = #expect(throws: DepthCameraTrouble.self) { try DepthCameraTrouble.check(colour) }
        #expect(trouble == .noDepth(colour))
        let error = try #require(trouble).error("/dev/video4")
        #expect(error.message == "/dev/video4 has no depth (Z16), only YUYV, MJPG" && error.code == .notSupported)
        #expect(DepthCameraTrouble.noDepth([]).error("/dev/video4").message.contains("names no format at all"))
    }

    // MARK: pictures

    @Test func `rows with gaps are read without them, with the lowest byte first`() throws {
        let shape = try #require(DepthShape(width: 3, height: 2, stride: 10))
        #expect(shape.byteCount == 16)
        let bytes: [UInt8] = [1, 0, 0, 1, 255, 255, 9, 9, 9, 9, 0, 0, 232, 3, 7, 0]
        let picture = bytes.withUnsafeBytes { shape.picture($0) }
        #expect(picture?.samples == [1, 256, 65_535, 0, 1000, 7] && picture?.width == 3)
        #expect(bytes.dropLast().withUnsafeBytes { shape.picture($0) } == nil, "a picture that is cut off")
        let long = try #require((bytes + [9, 9, 9, 9]).withUnsafeBytes { shape.picture($0) })
        #expect(long == picture)
    }

    @Test func `a stride of zero is none, and a layout that no picture has is refused`() {
        #expect(DepthShape(width: 640, height: 480, stride: 0)?.stride == 1280)
        for (width, height, stride) in [
            (0, 480, 0), (640, 0, 0), (640, 480, 1278), (640, 480, 1281), (640, 480, 1 << 20), (8192, 480, 0),
            (4096, 4096, 0), (-640, 480, 0),
        ] {
            #expect(DepthShape(width: width, height: height, stride: stride) == nil, "\(width) \(height) \(stride)")
        }
    }

    @Test func `the driver's time is the exposure unless it cannot be right`() throws {
        let picture = try #require(DepthPicture(width: 1, height: 1, samples: [1]))
        let rows: [(stamp: Seconds?, exposure: Seconds)] = [
            (99.97, 99.97), (100, 100), (nil, 100), (0, 100), (100.5, 100), (98.9, 100), (.nan, 100), (.infinity, 100),
        ]
        for (stamp, exposure) in rows {
            #expect(
                TakenDepth(picture, stamp: stamp, arrival: 100).exposure == exposure, "\(String(describing: stamp))")
        }
    }

    // MARK: trouble

    @Test func `every error says what is wrong in words, with the device and what to do`() {
        let rows: [(number: Int32, code: DockError.Code, words: String)] = [
            (ENOENT, .cannotOpen, "is not there"), (ENODEV, .cannotOpen, "is not there"),
            (EACCES, .permission, "may not be opened"), (EBUSY, .portBusy, "in use by another program"),
            (ENOTTY, .cannotOpen, "is not a camera"), (ENOSPC, .cannotOpen, "no room on its USB"),
            (ENOMEM, .cannotOpen, "Cannot allocate memory"),
        ]
        for (number, code, words) in rows {
            let error = DepthCameraTrouble.opening(number).error("/dev/video2")
            #expect(error.code == code && error.message.hasPrefix("/dev/video2 ") && error.message.contains(words))
            #expect(!error.hint.isEmpty)
        }
        for number in [ENODEV, ENXIO, ENOENT] { #expect(DepthCameraTrouble.streaming(number) == .unplugged) }
        #expect(DepthCameraTrouble.streaming(EIO) == .system(EIO) && DepthCameraTrouble.streaming(EBUSY) == .busy)
        for trouble in [DepthCameraTrouble.noPictures, .layout, .unplugged, .silent] {
            #expect(trouble.error("/dev/video2").message.hasPrefix("/dev/video2 "))
        }
    }

    @Test func `a camera that was unplugged is opened again every three seconds, and said once`() {
        var watch = DepthCameraWatch()
        #expect(watch.opensAt.map { $0 <= 0 } == true)
        watch.opened(now: 10)
        let isReturn = watch.delivered(now: 10.5)
        #expect(watch.opensAt == nil && !isReturn)
        let isNew = watch.failed(.unplugged, now: 20)
        #expect(isNew && watch.opensAt == 23)
        // Its device is gone first, and then it is there without being ready.
        let tries: [(DepthCameraTrouble, Seconds, Bool)] = [
            (.missing, 23, true), (.missing, 26, false), (.missing, 29, false), (.busy, 32, true), (.busy, 35, false),
        ]
        for (trouble, now, isSaid) in tries {
            let said = watch.failed(trouble, now: now)
            #expect(said == isSaid && watch.opensAt == now + 3, "\(trouble) at \(now)")
        }
        watch.opened(now: 38)
        let isBack = watch.delivered(now: 38.2), again = watch.delivered(now: 38.3)
        #expect(isBack && !again)
        // The same trouble counts again after it was over.
        let isNewAgain = watch.failed(.unplugged, now: 50)
        #expect(isNewAgain)
    }

    @Test func `a camera that delivers nothing is silent after ten seconds, and later after three`() {
        var watch = DepthCameraWatch()
        #expect(!watch.isSilent(now: 1000), "it is not open")
        watch.opened(now: 0)
        #expect(!watch.isSilent(now: 9.9) && watch.isSilent(now: 10))
        _ = watch.delivered(now: 5)
        #expect(!watch.isSilent(now: 7.9) && watch.isSilent(now: 8))
        _ = watch.failed(.silent, now: 8)
        #expect(!watch.isSilent(now: 100))
    }
}
