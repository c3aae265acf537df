import Geometry
import Testing

@testable import Camera

@Suite struct FrameLedgerTests {
    @Test func `both sizes of a frame have one number and one exposure`() {
        let ledger = FrameLedger(clock: ExposureClock(.film, latency: 0))
        for step in 0..<200 {
            let time = 3 + Double(step) / 30
            let usual = ledger.entry(time: time, arrival: 100 + time, .usual)
            #expect(usual.sequence == step)
            // The other size is a little later, sometimes by a frame.
            let full = ledger.entry(time: time, arrival: 100.02 + time, .full)
            #expect(full.sequence == step && full.exposure == usual.exposure)
        }
        #expect(abs(ledger.position - 199.0 / 30) < 1e-9)
    }

    @Test func `two frames of one size with equal times are two frames`() {
        let ledger = FrameLedger(clock: ExposureClock(.film, latency: 0))
        let entries = (0..<3).map { ledger.entry(time: 5, arrival: 10 + Double($0), .usual) }
        #expect(entries.map(\.sequence) == [0, 1, 2])
        #expect(entries[0].exposure < entries[1].exposure && entries[1].exposure < entries[2].exposure)
        #expect((0..<3).map { _ in ledger.entry(time: 5, arrival: 20, .full).sequence } == [0, 1, 2])
    }

    @Test func `numbers and position go on over a restart`() {
        let ledger = FrameLedger(clock: ExposureClock(.film, latency: 0))
        for step in 0..<10 { _ = ledger.entry(time: 1.4 + Double(step), arrival: Double(step), .usual) }
        ledger.restart(clock: ExposureClock(.film, latency: 0))
        #expect(ledger.position == 9)
        #expect(ledger.entry(time: 11.4, arrival: 20, .full).sequence == 10 && ledger.position == 10)
    }

    @Test func `a program's output reaches ffmpeg through a pipe, whatever is in its command`() {
        let words = CaptureCommand(.program(command: "camera | tee 'a b' >&2"), .init()).words
        #expect(words[0] == "/bin/sh" && words[4] == "camera | tee 'a b' >&2" && words[5] == "ffmpeg")
        #expect(words.firstIndex(of: "-i").map { words[$0 + 1] } == "pipe:0")
    }

    @Test func `the camera's own size is written only on request, and a film goes on where it was`() {
        var request = CaptureCommand.Request()
        let film = CameraSource.file(path: "/a.mp4", loops: false)
        let usual = CaptureCommand(film, request).words
        #expect(!usual.contains("pipe:4") && !usual.contains("-ss") && usual.contains("pipe:3"))
        (request.isFull, request.begin, request.rotate) = (true, 2.5, 90)
        let full = CaptureCommand(film, request).words
        #expect(full.contains("pipe:4") && full.contains("pipe:5"))
        #expect(full.firstIndex(of: "-ss").map { full[$0 + 1] } == "2.5")
        let graph = full.first { $0.contains("split=2[a][b]") } ?? ""
        // Both sizes are upright.
        #expect(graph.ranges(of: "transpose=clock").count == 2, "\(graph)")
        #expect(graph.contains("[b]transpose=clock,format=yuv420p"))
    }
}
