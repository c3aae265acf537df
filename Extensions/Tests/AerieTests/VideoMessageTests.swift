import ControlProtocol
import SpatialModel
import Testing

@testable import Aerie

@Suite("the messages that carry a video")
struct VideoMessageTests {
    private static let frame: CameraFrame = {
        let lens = FrameLens(fx: 600, fy: 600, cx: 320, cy: 240, width: 640, height: 480)
        var frame = CameraFrame(
            sequence: 7, view: .init(time: 1_700_000_000, camera: .identity, lens: lens), picture: [])
        frame.video = .init(isKey: true, bytes: [0, 0, 0, 1, 0x67, 0xFF, 0x3F])
        return frame
    }()

    private static func members(_ change: (inout [String: JSONValue]) -> Void = { _ in }) -> [String: JSONValue] {
        var members = JSONValue(json: frame.payload())?.object ?? [:]
        change(&members)
        return members
    }

    @Test("a frame with a picture of a video is read as it was written, and the source system sees an empty picture")
    func frames() throws {
        #expect(try CameraFrame(Self.members()) == Self.frame)
        #expect(Self.members()["imageData"]?.string == "")
        let light = try CameraFrame(Self.members(), keepsPicture: false)
        #expect(light.video == .init(isKey: true, bytes: []))
    }

    @Test(
        "a video that is none is refused",
        arguments: [
            #"{"codec":"h265","key":true,"data":""}"#, #"{"codec":"h264","data":""}"#, #"{"codec":"h264","key":true}"#,
            #"{"codec":"h264","key":1,"data":""}"#, #"{"codec":"h264","key":true,"data":"?"}"#, "[]", "1",
        ])
    func flaws(_ text: String) {
        #expect(throws: CameraFrame.Flaw.video) {
            try CameraFrame(Self.members { $0["video"] = JSONValue(json: Array(text.utf8)) })
        }
    }

    @Test("request and answer name formats; what is no list of words is none")
    func accepts() throws {
        var request = AuthRequest(device: "D", token: "T", model: "M", system: "S")
        #expect(request.members["accepts"] == nil)
        request.accepts = ["h264"]
        #expect(AuthRequest(request.members)?.accepts == ["h264"])
        var answer = AuthAnswer(isSuccess: true)
        #expect(answer.members["accepts"] == nil)
        answer.accepts = ["h264", "av1"]
        #expect(AuthAnswer(answer.members)?.accepts == ["h264", "av1"])
        var members = answer.members
        members["accepts"] = .array([.number(1), .string("h264"), .string(String(repeating: "x", count: 33))])
        #expect(AuthAnswer(members)?.accepts == ["h264"])
        members["accepts"] = .string("h264")
        #expect(AuthAnswer(members)?.accepts == [])
    }
}
