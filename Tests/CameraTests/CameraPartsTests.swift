import Geometry
import Testing

@testable import Camera

/// The values of `--camera`.
@Suite struct CameraSourceTests {
    @Test(arguments: [
        ("/dev/video0", CameraSource.device(path: "/dev/video0")), ("video2", .device(path: "/dev/video2")),
        ("0", .device(path: "/dev/video0")), ("/dev/v4l/by-id/x", .device(path: "/dev/v4l/by-id/x")), ("test", .test),
        ("file:a.mp4", .file(path: "a.mp4", loops: false)), ("file:a,b.mp4", .file(path: "a,b.mp4", loops: false)),
        ("file:/x/a.mp4,loop=again", .file(path: "/x/a.mp4", loops: true)),
        ("rtsp://10.0.0.2/live", .network(address: "rtsp://10.0.0.2/live")),
        ("rtsp:10.0.0.2/live", .network(address: "rtsp://10.0.0.2/live")),
        ("exec:rpicam-vid -o -", .program(command: "rpicam-vid -o -")), ("exec: cat a", .program(command: "cat a")),
        ("http://cam/stream.mjpg", .network(address: "http://cam/stream.mjpg")),
        ("phone:5000", .program(command: "dockface depth camera --port 5000")),
        ("phone:0.0.0.0:5001", .program(command: "dockface depth camera --listen '0.0.0.0:5001'")),
        ("phone:[fe80::1]:5001", .program(command: "dockface depth camera --listen '[fe80::1]:5001'")),
    ])
    func `a camera is named by its path or address`(text: String, source: CameraSource) throws {
        #expect(try CameraSource(text) == source)
    }

    @Test(arguments: [
        "", "webcam", "file:", "file:a,loop=backward", "rtsp:", "exec:", "exec: ", "ftp://x/y", "video", "phone:",
        "phone:0", "phone:65536", "phone::5000", "phone:host", "phone:a;b:5000", "phone:$(x):5000", "phone:-1",
    ])
    func `the error for an invalid camera names the valid forms`(text: String) {
        #expect(throws: CameraSource.Failure.self) { try CameraSource(text) }
    }

    @Test func `no log contains a password`() throws {
        #expect(try CameraSource("rtsp://me:secret@10.0.0.2/live").name == "rtsp://...@10.0.0.2/live")
        let said = "[rtsp] rtsp://me:se/c@ret@10.0.0.2/live: refused, tried http://cam/a and rtsp://x:y@z"
        #expect(
            CameraSource.withoutSecrets(said)
                == "[rtsp] rtsp://...@10.0.0.2/live: refused, tried http://cam/a and rtsp://...@z")
        #expect(try CameraSource("http://cam/video?user=me&password=secret").name == "http://cam/video?...")
        let blank = try CameraSource("rtsp://me:se cret@10.0.0.2/live")
        #expect(blank.withoutSecrets(in: "rtsp://me:se cret@10.0.0.2/live: no route") == "\(blank.name): no route")
        #expect(!blank.name.contains("cret"))
        #expect(try CameraSource("exec:curl http://me:secret@cam/x").name == "exec:curl http://...@cam/x")
        // A line that was cut off before the @.
        let long = "rtsp://me:secret" + String(repeating: "x", count: 500)
        #expect(CameraSource.withoutSecrets(String(long.prefix(400))) == "rtsp://...")
        for text in ["rtps://me:secret@cam/x", "ftp://me:secret@cam"] {
            #expect { try CameraSource(text) } throws: { !"\($0)".contains("secret") }
        }
    }
}

/// The lines with the times of frames.
@Suite struct FrameTimesTests {
    private func feed(_ times: inout FrameTimes, _ text: String) throws {
        let bytes = Array(text.utf8)
        try bytes.withUnsafeBytes { try times.feed($0) }
    }

    private static let head =
        "#software: x\n#tb 0: 1/90000\n#media_type 0: video\n#codec_id 0: wrapped_avframe\n#dimensions 0: 640x360\n#sar 0: 1/1\n"

    @Test func `the header gives size and clock, each line the time of a frame`() throws {
        var times = FrameTimes()
        try feed(&times, Self.head)
        #expect(times.size?.width == 640)
        #expect(times.size?.height == 360)
        #expect(times.next() == nil)
        try feed(&times, "0,          0,       4500,     3000,      472, 0x9e9309d2\n0,  7500, 7500")
        #expect(times.waiting == [0.05])
        try feed(&times, ",  3000, 472, 0x1\n")
        #expect(times.next() == 0.05)
        #expect(abs((times.next() ?? 0) - 7500.0 / 90000) < 1e-9)
        #expect(times.next() == nil)
    }

    @Test func `the time of a dropped frame is discarded when it arrives`() throws {
        var times = FrameTimes()
        try feed(&times, Self.head)
        times.skip()
        try feed(&times, "0, 0, 4500, 3000, 472, 0x1\n0, 0, 9000, 3000, 472, 0x1\n")
        #expect(times.waiting == [0.1])
        times.skip()
        #expect(times.next() == nil)
    }

    @Test(arguments: [
        "0, 1, 1, 1, 472, 0x0\n", head + "0, 1\n", head + "0, 1, x, 1, 472, 0x0\n", "#dimensions 0: 0x10\n",
        "#dimensions 0: 99999x10\n", "#tb 0: 0/1\n", "#tb 0: 1\n", String(repeating: "#", count: 600),
    ])
    func `an invalid line is reported`(text: String) {
        var times = FrameTimes()
        #expect(throws: FrameTimes.Failure.self) { try feed(&times, text) }
    }
}

/// When a frame was taken.
@Suite struct ExposureClockTests {
    @Test func `a device's timestamp is used if it comes from our clock`() {
        var clock = ExposureClock(.device, latency: 0.04)
        #expect(clock.isEstimated == nil)
        #expect(clock.exposure(time: 99.97, arrival: 100) == 99.97)
        #expect(clock.isEstimated == false)
        #expect(clock.exposure(time: 100.003, arrival: 100.05) == 100.003)
    }

    @Test func `a device with another clock is estimated from its quickest frame`() {
        var clock = ExposureClock(.device, latency: 0.04)
        #expect(abs(clock.exposure(time: 5, arrival: 100) - 99.96) < 1e-9)
        #expect(clock.isEstimated == true)
        // Late by 20 ms; its own time gives the exposure.
        #expect(abs(clock.exposure(time: 5.033, arrival: 100.053) - 99.993) < 1e-9)
    }

    @Test func `a frame is never older than the one before nor newer than now`() {
        var clock = ExposureClock(.device, latency: 0)
        let first = clock.exposure(time: 100, arrival: 100.01)
        let second = clock.exposure(time: 99.99, arrival: 100.02)
        #expect(second > first)
        #expect(clock.exposure(time: 100.034, arrival: 100.03) <= 100.03)
    }

    @Test func `a network stream that falls behind counts as another clock`() {
        var clock = ExposureClock(.network, latency: 0.1)
        _ = clock.exposure(time: 0, arrival: 100)
        #expect(abs(clock.exposure(time: 1, arrival: 101.3) - 100.9) < 1e-9)
        // The stream was interrupted and continues five seconds later at its old position.
        #expect(abs(clock.exposure(time: 1.1, arrival: 106.1) - 106) < 1e-9)
        #expect(clock.isEstimated == true)
    }

    @Test func `a program's times count only where they can be ours`() {
        var clock = ExposureClock(.program, latency: 0.1)
        #expect(clock.exposure(time: 998, arrival: 1000) == 998, "the pictures have waited")
        #expect(clock.isEstimated == false)
        #expect(abs(clock.exposure(time: 0.04, arrival: 1000.2) - 1000.1) < 1e-9)
        #expect(clock.isEstimated == true)
        #expect(abs(clock.exposure(time: 1001, arrival: 1000.5) - 1000.4) < 1e-9, "the future")
    }

    @Test func `a recording that is not played in real time keeps its times`() {
        var clock = ExposureClock(.recorded, latency: 0.1)
        #expect(clock.exposure(time: 0.25, arrival: 1000) == 0.25)
        #expect(clock.isEstimated == false)
    }
}

/// Which reader gets which frame.
@Suite struct FrameHubTests {
    private let pool = FramePool(size: 12)

    private func frame(_ number: Int) -> CameraFrame {
        CameraFrame(
            .own(pool.take(), pool), sequence: number, exposure: Double(number), arrival: Double(number),
            isEstimated: false, width: 2, height: 2)
    }

    @Test func `a detector gets the newest frame, a recorder the last ones, a video reader all`() {
        let hub = FrameHub()
        let detector = hub.tap(.newest), recorder = hub.tap(.bounded(3)), reader = hub.tap(.every(5))
        for number in 0..<5 { hub.publish(frame(number)) }
        #expect(!hub.hasRoom)
        #expect(detector.take()?.sequence == 4)
        #expect(detector.take() == nil)
        #expect(detector.dropped == 4)
        #expect((0..<4).map { _ in recorder.take()?.sequence } == [2, 3, 4, nil])
        #expect(recorder.dropped == 2)
        #expect((0..<6).map { _ in reader.take()?.sequence } == [0, 1, 2, 3, 4, nil])
        #expect(reader.dropped == 0)
        #expect(hub.hasRoom)
        hub.finish()
        #expect(detector.isOver && recorder.isOver && reader.isOver)
        #expect(hub.tap(.newest).isOver, "a late reader sees the end")
    }

    @Test func `a reader that has gone delays no other`() {
        let hub = FrameHub()
        let reader = hub.tap(.every(1))
        hub.publish(frame(0))
        #expect(!hub.hasRoom)
        hub.remove(reader)
        #expect(hub.hasRoom)
    }

    @Test func `memory is reused when no reader holds the frame`() {
        let first = pool.take()
        pool.give(first)
        let again = pool.take()
        #expect(again.baseAddress == first.baseAddress)
        let held = frame(0)
        #expect(held.bytes.baseAddress != UnsafeRawPointer(again.baseAddress))
        pool.give(again)
    }
}
