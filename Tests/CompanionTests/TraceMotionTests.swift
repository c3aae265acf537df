import Testing

@testable import Companion
@testable import DockControl
@testable import Geometry

/// What a trace shows of a motion.
@Suite struct TraceMotionTests {
    static let camera = RigProfile.dlpDock.camera
    static let model = CameraModel(camera: camera)

    /// A head that turns right at 0.5 rad/s, and a person at 0.2 rad, 0.1 above the middle of its path.
    static func trace(_ more: String = "") throws -> Trace {
        var text = #"{"t":10,"k":"trace","v":1,"rig":"x","driver":"dlp"}"# + "\n"
        for step in 0...50 {
            let time = 10 + 0.02 * Double(step), pan = 0.5 * (time - 10)
            text +=
                #"{"t":\#(time + 0.01),"k":"pose","at":\#(time),"pan":\#(pan),"tilt":0,"panRate":0.5,"tiltRate":0}"#
                + "\n"
            text += #"{"t":\#(time + 0.01),"k":"set","pan":0.5,"tilt":0,"owner":"tracking","reason":"moving"}"# + "\n"
            guard step % 5 == 0, step > 0 else { continue }
            let exposure = time - 0.045, view = PanTilt(pan: 0.5 * (exposure - 10), tilt: 0)
            guard let middle = model.project(PanTilt(pan: 0.2, tilt: 0.1), from: view) else { continue }
            let rect = "[\(middle.x - 0.05),\(middle.y - 0.1),0.1,0.2]"
            text +=
                #"{"t":\#(time + 0.02),"k":"rect","exposure":\#(exposure),"subjects":["#
                + #"{"id":1,"rect":\#(rect),"followed":true},{"id":2,"rect":[0.9,0.1,0.1,0.1],"coasting":true}]}"#
                + "\n"
        }
        return try Trace(Array((text + more).utf8), name: "t")
    }

    @Test func `a rectangle becomes a world direction with the pose at its exposure`() throws {
        let motion = TraceMotion(try Self.trace(), camera: Self.camera)
        #expect(motion.looks.count == 10 && motion.poses.count == 51 && motion.commands.count == 51)
        for look in motion.looks {
            let face = try #require(look.faces.first), target = try #require(look.target)
            #expect(look.faces.count == 1, "an extrapolated subject was not measured")
            #expect(abs(face.world.pan - 0.2) < 1e-9 && abs(face.world.tilt - 0.1) < 1e-9 && face.isFollowed)
            // Framing wants it a little above the centre of the image.
            #expect(
                abs(target.pan - 0.2) < 1e-9 && abs(target.tilt - (0.1 - 0.05 / Self.model.focal.y)) < 1e-4,
                "\(target)")
            #expect(abs((look.error?.pan ?? 0) - (0.2 - look.pose.pan)) < 1e-9)
        }
    }

    @Test func `without a camera there is no target, and the rest is reported`() throws {
        let motion = TraceMotion(try Self.trace(), camera: nil)
        #expect(motion.looks.isEmpty && motion.poses.count == 51)
    }

    @Test func `the pose is known between reports, and for a short time before and after them`() throws {
        let motion = TraceMotion(try Self.trace(), camera: nil)
        #expect(abs((motion.pose(at: 10.313) ?? .zero).pan - 0.1565) < 1e-9)
        #expect(motion.pose(at: 9.97) == .zero && motion.pose(at: 9.9) == nil)
        #expect(abs((motion.pose(at: 11.04) ?? .zero).pan - 0.52) < 1e-9 && motion.pose(at: 11.06) == nil)
        let later = #"{"t":13,"k":"pose","at":13,"pan":0,"tilt":0,"panRate":0,"tiltRate":0}"# + "\n"
        #expect(TraceMotion(try Self.trace(later), camera: nil).pose(at: 12) == nil, "two seconds without a report")
    }

    @Test func `a changed framing is the target from then on`() throws {
        let all = try Self.trace()
        var trace = all
        trace.records.insert(
            TraceRecord(time: 10, body: .command("setFraming", [2], text: "")), at: trace.records.startIndex)
        let shifted = TraceMotion(trace, camera: Self.camera).looks, usual = TraceMotion(all, camera: Self.camera).looks
        for (left, middle) in zip(shifted, usual) {
            // On the left third: the head looks to the right of the face.
            #expect((left.target?.pan ?? 0) > (middle.target?.pan ?? 0) + 0.15)
        }
    }

    @Test func `detections, their times and the lens come from a trace that contains them`() throws {
        let exposure = 10.3, pose = PanTilt(pan: 0.15, tilt: 0)
        let more = """
            {"t":10.31,"k":"lens","aspect":1.25,"focal":[0.9,1.125],"principal":[0.5,0.5]}
            {"t":10.34,"k":"see","exposure":10.3,"faces":[{"rect":[0.6,0.4,0.1,0.2],"score":0.7}],"continues":true}
            {"t":10.34,"k":"see","exposure":10.3,"faces":[{"rect":[0.1,0.4,0.1,0.2]},{"rect":[0,0,0.1,0.1],"object":true}]}
            {"t":10.36,"k":"rect","exposure":10.3,"subjects":[{"id":4,"rect":[0.6,0.4,0.1,0.2],"followed":true}]}

            """
        let motion = TraceMotion(try Self.trace(more), camera: Self.camera)
        let look = try #require(motion.looks.first { $0.exposure == exposure }), lens = try #require(motion.camera)
        #expect(look.came == 10.34 && look.recorded == 10.36 && motion.looks.count == 11)
        #expect(lens.focal == Point(x: 0.9, y: 1.125))
        let seen = try #require(look.seen), world = lens.world(of: Point(x: 0.65, y: 0.5), from: pose)
        #expect(seen.map(\.score) == [0.7, 1] && abs(seen[0].world.pan - world.pan) < 1e-9)
        #expect(look.faces.map(\.id) == [4] && abs((look.target?.pan ?? 0) - world.pan) < 1e-9)
        // For the others, only the tracker's results exist.
        #expect(motion.looks.filter { $0.seen == nil && $0.came == nil }.count == 10)
    }

    @Test func `a dock beside a fixed camera needs no pose`() throws {
        var camera = RigProfile.dlpDock.camera
        camera.mount = .fixed
        var trace = try Self.trace()
        trace.records.removeAll { if case .pose = $0.body { true } else { false } }
        #expect(TraceMotion(trace, camera: Self.camera).looks.isEmpty)
        let looks = TraceMotion(trace, camera: camera).looks
        #expect(looks.count == 10 && looks.allSatisfy { $0.pose == .zero })
    }
}
