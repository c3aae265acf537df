import ControlProtocol
import Geometry
import Testing

@testable import Aerie
@testable import Uplink

@Suite("a server that accepts video")
struct VideoTests {
    private static func connected(accepts: [String], sendsVideo: Bool = true) -> Bench {
        var bench = Bench { $0.sendsVideo = sendsVideo }
        bench.server.accepts = accepts
        bench.handle(.start)
        bench.run(0.5)
        bench.shoot(for: 5)
        bench.run(2)
        return bench
    }

    @Test(
        "only a server that names H.264 gets it, and only if its owner wants that",
        arguments: [
            (["h264"], true, true), (["av1", "h264"], true, true), ([], true, false), (["h265"], true, false),
            (["h264"], false, false),
        ])
    func negotiation(_ accepts: [String], _ sendsVideo: Bool, _ isVideo: Bool) {
        let bench = Self.connected(accepts: accepts, sendsVideo: sendsVideo)
        #expect(bench.shapes.count > 50 && bench.shapes.allSatisfy { $0.isVideo == isVideo })
        #expect(bench.keyFrames.count == (isVideo ? 1 : 0))
        #expect(bench.machine.readout(at: bench.moment).shape.isVideo == isVideo)
    }

    @Test("each connection begins with a key frame, and a server gets one a second at most when it asks")
    func keyFrames() {
        var bench = Self.connected(accepts: ["h264"])
        for _ in 0..<100 {
            bench.say(.keyFrame, [:])
            bench.run(0.02)
        }
        #expect((3...4).contains(bench.keyFrames.count), "\(bench.keyFrames)")
        let before = bench.keyFrames.count
        bench.drop()
        bench.run(3)
        #expect(bench.connections == 2 && bench.keyFrames.count == before + 1)
    }

    @Test("a server without video is not asked for, and one that is not trusted gets no key frame")
    func strangers() {
        var bench = Self.connected(accepts: [])
        bench.say(.keyFrame, [:])
        bench.run(0.1)
        #expect(bench.keyFrames.isEmpty)
        var stranger = Bench { $0.sendsVideo = true }
        stranger.server.accepts = ["h264"]
        stranger.server.answersRequests = false
        stranger.handle(.start)
        stranger.run(0.5)
        stranger.say(.keyFrame, [:])
        stranger.run(0.1)
        #expect(stranger.keyFrames.isEmpty)
    }
}
