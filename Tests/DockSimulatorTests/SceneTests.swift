import DockControl
import DockSimulator
import FaceTracker
import Geometry
import Testing

@Suite struct SceneTests {
    static let examples = #filePath.replacing("Tests/DockSimulatorTests/SceneTests.swift", with: "Examples/faces/")

    private func scene(_ name: String, hfov: Double = 100) throws -> SceneCamera {
        SceneCamera(
            recording: try Recording(path: Self.examples + name), hfov: .degrees(hfov), loop: .pingpong,
            profile: .dlpDock)
    }

    @Test(arguments: [("two-people.jsonl", 2), ("walking-and-pause.jsonl", 3), ("man-turning-head.jsonl", 1)])
    func `the ground truth knows the number of people`(name: String, persons: Int) throws {
        #expect(try scene(name).persons == persons)
    }

    @Test func `backs of heads do not count as people`() throws {
        #expect(try scene("one-by-one.jsonl").persons == 1)
    }

    @Test func `a person straight ahead is centred, and one behind the camera is not seen`() throws {
        var camera = try scene("two-people.jsonl")
        var lines: [UInt8] = []
        camera.begin(now: 10, into: &lines)
        let first = try #require(camera.deliver(looking: { _ in HeadView(.zero) }, into: &lines))
        let target = try #require(first.subjects.first).bearing
        let second = try #require(camera.deliver(looking: { _ in HeadView(target) }, into: &lines))
        let seen = try #require(second.subjects.first { $0.person == first.subjects[0].person }).rect
        #expect(abs(seen.center.x - 0.5) < 0.05 && abs(seen.center.y - 0.5) < 0.05)
        let behind = try #require(camera.deliver(looking: { _ in HeadView(.degrees(pan: 170, tilt: 0)) }, into: &lines))
        #expect(behind.subjects.isEmpty)
    }

    @Test func `frames come at the recording's rate, one latency late`() throws {
        var camera = try scene("two-people.jsonl")
        var lines: [UInt8] = []
        #expect(camera.nextDelivery == nil)
        camera.begin(now: 10, into: &lines)
        #expect(abs((camera.nextDelivery ?? 0) - 10.045) < 1e-9)
        let picture = try #require(camera.deliver(looking: { _ in HeadView(.zero) }, into: &lines))
        #expect(picture.exposure == 10 && picture.sequence == 0)
        #expect(abs((camera.nextDelivery ?? 0) - (10.045 + 1.0 / 12)) < 0.001)
    }

    @Test func `the lines are a detection stream that the decoder understands`() throws {
        var camera = try scene("walking-and-pause.jsonl")
        var lines: [UInt8] = []
        camera.begin(now: 10, into: &lines)
        for _ in 0..<100 { _ = camera.deliver(looking: { _ in HeadView(.zero) }, into: &lines) }
        let recording = lines.withUnsafeBytes { Recording($0) }
        #expect(recording.frames.count == 100 && recording.problems.isEmpty)
        #expect(recording.hello?.clock == .monotonic)
    }

    @Test func `the judge counts followed persons, other persons and false faces`() {
        var score = SceneScore()
        let setPoint = Point(x: 0.5, y: 0.45)
        func picture(_ number: Int, _ x: Double) -> ScenePicture {
            let rect = Rect(center: Point(x: x, y: 0.45), width: 0.1, height: 0.2)
            let other = Rect(center: Point(x: 0.9, y: 0.45), width: 0.1, height: 0.2)
            return ScenePicture(
                sequence: number, exposure: Double(number) * 0.1, view: HeadView(.zero),
                subjects: [
                    SceneSubject(person: 0, rect: rect, bearing: .zero),
                    SceneSubject(person: 1, rect: other, bearing: .zero),
                ])
        }
        for number in 0..<40 {
            let x = number < 30 ? 0.5 : 0.7
            let followed = picture(number, x).subjects[number < 35 ? 0 : 1].rect
            score.judge(picture(number, x), followed: followed, setPoint: setPoint) { bearing, _ in bearing }
        }
        #expect(score.counted == 30)
        #expect(score.onTargetFrames == 20)
        #expect(score.switches == 1)
        #expect(score.falseFrames == 0)
        let nobody = Rect(center: Point(x: 0.2, y: 0.9), width: 0.05, height: 0.1)
        score.judge(picture(50, 0.5), followed: nobody, setPoint: setPoint) { bearing, _ in bearing }
        #expect(score.falseFrames == 1)
    }
}
