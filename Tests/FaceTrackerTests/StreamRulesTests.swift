import FaceTracker
import Geometry
import Glibc
import Testing

/// INTERFACES, section 1: what lines and rectangles mean.
@Suite struct StreamRulesTests {
    @Test func `the shortest legal stream is faces with a rect`() {
        var stream = Listener()
        stream.hear(#"{"faces":[{"rect":[0.4,0.2,0.1,0.2]}]}"#)
        #expect(stream.events == [.frame])
        #expect(stream.rects == [Rect(x: 0.4, y: 0.2, width: 0.1, height: 0.2)])
        #expect(stream.frames.first?.detections.first?.score == 1)
    }

    @Test func `a full frame line is understood member by member`() {
        var stream = Listener(at: 2303.15)
        stream.hear(
            #"{"type":"frame","seq":1041,"t":2303.101156,"faces":[{"rect":[0.41,0.22,0.12,0.21],"score":0.93,"#
                + #""lm":[0.44,0.29,0.49,0.29],"yaw":-0.2,"speaking":0.8,"looking":0.6,"kind":"object"}]}"#)
        let frame = stream.frames.first, face = frame?.detections.first
        #expect(frame?.sequence == 1041)
        #expect(frame?.exposure == 2303.101156)
        #expect(face?.score == 0.93)
        #expect(face?.yaw == -0.2 && face?.speaking == 0.8 && face?.looking == 0.6)
        #expect(face?.kind == .object)
        #expect(face?.landmarks.count == 2)
        #expect(isClose(face?.landmarks[1]?.x ?? 0, 0.49, 1e-6))
    }

    @Test func `confidences that are absent or null stay nil`() {
        var stream = Listener()
        stream.hear(#"{"faces":[{"rect":[0,0,0.1,0.1]},{"rect":[0,0,0.1,0.1],"yaw":null,"speaking":null}]}"#)
        for face in stream.frames.first?.detections ?? [] {
            #expect(face.yaw == nil && face.speaking == nil && face.looking == nil)
        }
        #expect(stream.frames.first?.detections.count == 2)
    }

    @Test func `hello is decoded and forwarded whole`() {
        var stream = Listener()
        stream.hear(
            hello(
                #","detector":"blazeface-full","clock":"monotonic","image":{"w":640,"h":480},"fps":10,"#
                    + #""mirrored":false,"intrinsics":{"fx":492.7,"fy":492.7,"cx":320,"cy":240},"#
                    + #""landmarks":["right_eye","left_eye"],"novelty":{"x":[1,2,{}]}"#))
        var expected = StreamHello()
        expected.detector = "blazeface-full"
        expected.clock = .monotonic
        expected.image = PictureSize(width: 640, height: 480)
        expected.framesPerSecond = 10
        expected.mirrored = false
        expected.intrinsics = CameraIntrinsics(fx: 492.7, fy: 492.7, cx: 320, cy: 240)
        expected.landmarks = ["right_eye", "left_eye"]
        #expect(stream.events == [.hello(expected)])
        #expect(stream.decoder.pictureSize == PictureSize(width: 640, height: 480))
    }

    @Test func `status and bye are forwarded, also with escapes`() {
        var stream = Listener()
        stream.hear(
            #"{"type":"status","level":"warn","code":"camera_stalled","text":"no \"picture\" \u00e4\ud83d\ude00"}"#)
        stream.hear(#"{"reason":"eof","type":"bye"}"#)
        #expect(
            stream.events == [
                .status(level: "warn", code: "camera_stalled", text: "no \"picture\" ä😀"), .bye(reason: "eof"),
            ])
    }

    @Test func `units px are pixels of the image in hello`() {
        var stream = Listener()
        stream.hear(hello(#","units":"px","image":{"w":640,"h":480}"#))
        stream.hear(#"{"faces":[{"rect":[64,48,32,24],"lm":[320,240]}]}"#)
        #expect(isClose(stream.rects.first, Rect(x: 0.1, y: 0.1, width: 0.05, height: 0.05)))
        #expect(stream.frames.first?.detections.first?.landmarks[0] == Point(x: 0.5, y: 0.5))
    }

    @Test func `a frame's own size takes precedence over the image in hello`() {
        var stream = Listener()
        stream.hear(hello(#","units":"px","image":{"w":640,"h":480}"#))
        stream.hear(#"{"faces":[{"rect":[100,100,50,50]}],"size":[1000,500]}"#)
        #expect(isClose(stream.rects.first, Rect(x: 0.1, y: 0.2, width: 0.05, height: 0.1)))
        #expect(stream.frames.first?.size == PictureSize(width: 1000, height: 500))
    }

    @Test func `pixels without any size are a bad line, and the error says what to do`() {
        var stream = Listener()
        stream.hear(hello(#","units":"px""#))
        stream.hear(#"{"faces":[{"rect":[64,48,32,24]}]}"#)
        #expect(stream.problems.first?.reason == .noPictureSize)
        #expect(stream.frames.isEmpty)
    }

    @Test(arguments: [false, true]) func `faces outside the frame are reported if none was ever inside`(
        wasInside: Bool
    ) {
        var stream = Listener()
        if wasInside { stream.hear(#"{"faces":[{"rect":[0.95,0.2,0.1,0.2]}]}"#) }
        for _ in 0..<10 {
            #expect(stream.problems.isEmpty)
            stream.now += 0.1
            stream.hear(#"{"faces":[{"rect":[1.2,0.2,0.1,0.2]}]}"#)
        }
        #expect(stream.problems.map(\.reason) == (wasInside ? [] : [.faceOutside]) && stream.rects.count == 1)
    }

    @Test func `a face far outside the frame is reported and not used`() {
        var stream = Listener()
        stream.hear(#"{"faces":[{"rect":[320,100,80,80]}]}"#)
        #expect(stream.problems.map(\.reason) == [.faceOutside] && stream.rects.isEmpty)
    }

    @Test func `origin bottom-left is flipped`() {
        var stream = Listener()
        stream.hear(hello(#","origin":"bottom-left""#))
        stream.hear(#"{"faces":[{"rect":[0.1,0.2,0.3,0.4]}]}"#)
        #expect(isClose(stream.rects.first, Rect(x: 0.1, y: 0.4, width: 0.3, height: 0.4)))
    }

    @Test func `format xyxy is two corners`() {
        var stream = Listener()
        stream.hear(hello(#","format":"xyxy""#))
        stream.hear(#"{"faces":[{"rect":[0.1,0.2,0.4,0.6]}]}"#)
        #expect(isClose(stream.rects.first, Rect(x: 0.1, y: 0.2, width: 0.3, height: 0.4)))
    }

    @Test func `mirrored images are unmirrored, yaw and landmarks too`() {
        var stream = Listener()
        stream.hear(hello(#","mirrored":true"#))
        stream.hear(#"{"faces":[{"rect":[0.1,0.2,0.3,0.4],"yaw":0.5,"lm":[0.25,0.5]}]}"#)
        #expect(isClose(stream.rects.first, Rect(x: 0.6, y: 0.2, width: 0.3, height: 0.4)))
        #expect(stream.frames.first?.detections.first?.yaw == -0.5)
        #expect(stream.frames.first?.detections.first?.landmarks[0] == Point(x: 0.75, y: 0.5))
    }

    /// Eyes 0.1 of the width apart and a nose half as far in front of them, turned, with the head tilted to its
    /// shoulder.
    private func points(yaw: Double, tilt: Double = 0, aspect: Double = 4.0 / 3) -> String {
        let eyes = 0.05 * cos(yaw), nose = (x: 0.05 * sin(yaw), y: 0.06)
        return [(-eyes, 0.0), (eyes, 0), nose].map { x, y in
            let turned = (x: x * cos(tilt) - y * sin(tilt), y: x * sin(tilt) + y * cos(tilt))
            return "\(0.5 + turned.x),\(0.5 + turned.y * aspect)"
        }.joined(separator: ",")
    }

    @Test(arguments: [-40.0, -15, 0, 25, 50], [0.0, 20, -35])
    func `eyes and nose give the yaw of a face without one`(degrees: Double, tilt: Double) throws {
        var stream = Listener()
        stream.hear(hello(#","image":{"w":640,"h":480},"landmarks":["right_eye","left_eye","nose","mouth"]"#))
        stream.hear(
            #"{"faces":[{"rect":[0.4,0.4,0.2,0.3],"lm":[\#(points(yaw: .degrees(degrees), tilt: .degrees(tilt)))]}]}"#)
        let yaw = try #require(stream.frames.first?.detections.first?.yaw)
        #expect(abs(yaw.inDegrees - degrees) < 0.1, "\(yaw.inDegrees)")
    }

    @Test func `the detector's yaw takes precedence, and points that do not form a face give no yaw`() {
        var stream = Listener()
        stream.hear(hello(#","mirrored":true,"image":{"w":640,"h":480},"landmarks":["right_eye","left_eye","nose"]"#))
        let turned = points(yaw: .degrees(20))
        stream.hear(#"{"faces":[{"rect":[0.4,0.4,0.2,0.3],"yaw":-0.1,"lm":[\#(turned)]}]}"#)
        stream.hear(#"{"faces":[{"rect":[0.4,0.4,0.2,0.3],"lm":[0.5,0.5,0.5,0.5,0.5,0.5]}]}"#)
        stream.hear(#"{"faces":[{"rect":[0.4,0.4,0.2,0.3],"lm":[0.45,0.5,0.55,0.5,0.5,0.4]}]}"#)
        stream.hear(#"{"faces":[{"rect":[0.4,0.4,0.2,0.3],"lm":[0.45,0.5,0.55,0.5]}]}"#)
        stream.hear(#"{"faces":[{"rect":[0.4,0.4,0.2,0.3],"lm":[0.55,0.5,0.45,0.5,0.52,0.6]}]}"#)
        let yaws = stream.frames.map { $0.detections.first?.yaw }
        #expect(yaws[0] == 0.1 && yaws[1] == nil && yaws[3] == nil)
        stream.hear(hello(#","image":{"w":640,"h":480},"landmarks":["a","b","c"]"#))
        stream.hear(#"{"faces":[{"rect":[0.4,0.4,0.2,0.3],"lm":[\#(turned)]}]}"#)
        #expect(stream.frames.last?.detections.first?.yaw == nil)
    }

    @Test func `all conversions together are done in the right order`() {
        var stream = Listener()
        stream.hear(
            hello(
                #","units":"px","image":{"w":100,"h":200},"origin":"bottom-left","format":"xyxy","mirrored":true"#))
        stream.hear(#"{"faces":[{"rect":[10,20,40,100]}]}"#)
        #expect(isClose(stream.rects.first, Rect(x: 0.6, y: 0.5, width: 0.3, height: 0.4)))
    }

    @Test(arguments: [
        (0, Rect(x: 0.1, y: 0.2, width: 0.3, height: 0.4)), (90, Rect(x: 0.4, y: 0.1, width: 0.4, height: 0.3)),
        (180, Rect(x: 0.6, y: 0.4, width: 0.3, height: 0.4)), (270, Rect(x: 0.2, y: 0.6, width: 0.4, height: 0.3)),
    ])
    func `the profile's rotation applies if hello has none`(rotate: Int, expected: Rect) {
        var stream = Listener { $0.rotate = rotate }
        stream.hear(hello(#","image":{"w":640,"h":480}"#))
        stream.hear(#"{"faces":[{"rect":[0.1,0.2,0.3,0.4]}]}"#)
        #expect(isClose(stream.rects.first, expected))
        #expect(stream.decoder.pictureSize?.width == (rotate % 180 == 0 ? 640 : 480))
    }

    @Test func `the profile's mirroring applies only if hello has none`() {
        for (said, isMirrored) in [("", true), (#","mirrored":false"#, false), (#","mirrored":true"#, true)] {
            var stream = Listener { $0.mirror = true }
            stream.hear(hello(said))
            stream.hear(#"{"faces":[{"rect":[0.1,0.2,0.3,0.4]}]}"#)
            #expect(isClose(stream.rects.first?.x ?? -1, isMirrored ? 0.6 : 0.1))
        }
    }

    @Test func `values a little outside of 0 to 1 are legal`() {
        var stream = Listener()
        stream.hear(#"{"faces":[{"rect":[-0.05,0.9,0.2,0.2]}]}"#)
        #expect(stream.rects == [Rect(x: -0.05, y: 0.9, width: 0.2, height: 0.2)])
    }

    @Test func `a bad face is dropped and the others stay`() {
        var stream = Listener()
        stream.hear(
            #"{"faces":[{"rect":[NaN,0,1,1]},{"rect":[0,0,0,1]},{"rect":[0,0,-1,1]},{"rect":[0,0,1]},{},7,null,"#
                + #"{"rect":"x"},{"rect":[0,0,1e400,1]},{"score":NaN,"rect":[0,0,1,1]},{"rect":[200,100,50,50]},"#
                + #"{"rect":[0.1,0.2,0.3,0.4]}]}"#)
        #expect(stream.rects == [Rect(x: 0.1, y: 0.2, width: 0.3, height: 0.4)])
        #expect(stream.decoder.counters.facesDropped == 11)
        #expect(stream.decoder.counters.badLines == 0)
        #expect(stream.events.first == .frame)
    }

    @Test func `a frame without faces is a sign of life`() {
        var stream = Listener()
        stream.hear(#"{"faces":[]}"#)
        stream.hear(#"{"type":"frame","faces":[]}"#)
        #expect(stream.events == [.frame, .frame])
        #expect(stream.rects.isEmpty)
    }

    @Test func `a wrong version refuses the stage until a correct hello`() {
        for version in ["2", "\"1\"", "1.5", "null"] {
            var stream = Listener()
            stream.hear(#"{"type":"hello","v":\#(version)}"#)
            stream.hear(#"{"faces":[]}"#)
            #expect(stream.events == [.refused(version: version)])
            stream.hear(hello())
            stream.hear(#"{"faces":[]}"#)
            #expect(stream.events.last == .frame)
        }
    }

    @Test func `a hello with an unknown value is reported`() {
        for key in ["clock", "units", "origin", "format"] {
            var stream = Listener()
            stream.hear(hello(",\"\(key)\":\"strange\""))
            #expect(stream.problems.first?.reason == .unknownValue(key: key))
        }
    }

    @Test func `unknown members and types are ignored`() {
        var stream = Listener()
        stream.hear(#"{"extra":{"deep":[{"a":null}]},"faces":[{"id":[1,[2]],"rect":[0,0,1,1]}],"more":"\"}"}"#)
        stream.hear(#"{"type":"telemetry","load":0.5}"#)
        #expect(stream.events == [.frame])
        #expect(stream.decoder.counters.badLines == 0)
    }
}
