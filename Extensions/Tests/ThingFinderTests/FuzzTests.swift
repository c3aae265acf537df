import Geometry
import Testing

@testable import ThingFinder

/// Events in any order, with any numbers.
@Suite struct FuzzTests {
    private static func number(_ dice: inout ChaosTests.Dice) -> Double {
        switch Int.random(in: 0..<12, using: &dice) {
        case 0: .nan
        case 1: .infinity
        case 2: -1e300
        case 3: 1e300
        default: .random(in: -2...2, using: &dice)
        }
    }

    private static func event(_ now: Seconds, _ dice: inout ChaosTests.Dice) -> FinderEvent {
        switch Int.random(in: 0..<10, using: &dice) {
        case 0...2:
            let isWild = Int.random(in: 0..<20, using: &dice) == 0
            let pose = PanTilt(pan: number(&dice), tilt: number(&dice) / 2)
            let rate = isWild ? number(&dice) : 0
            return .head(HeadPose(time: isWild ? number(&dice) : now, pose: pose, rate: rate))
        case 3...6:
            let boxes = (0..<Int.random(in: 0..<80, using: &dice)).map { _ in
                let rect = Rect(
                    x: number(&dice), y: number(&dice), width: number(&dice), height: number(&dice))
                let label = ["cup", "cat", ""].randomElement(using: &dice) ?? ""
                return SeenBox(label: label, rect: rect, score: number(&dice))
            }
            let isLate = Int.random(in: 0..<8, using: &dice) == 0
            return .view(FinderView(time: isLate ? number(&dice) : now, boxes: boxes))
        case 7:
            let id = Int.random(in: -1...8, using: &dice)
            let word = VerifierWord.allCases.randomElement(using: &dice) ?? .match
            return .answer(.verdict(request: id, picture: number(&dice), word, confidence: number(&dice)))
        case 8:
            let id = Int.random(in: -1...8, using: &dice)
            return .answer(.failure(request: id, "\u{1B}", retryAfter: number(&dice)))
        default: return Int.random(in: 0..<30, using: &dice) == 0 ? .interrupted("hand") : .resume
        }
    }

    @Test(arguments: 0..<40)
    func `no event breaks the finder, and it stays within its bounds`(seed: Int) throws {
        var dice = ChaosTests.Dice(seed + 7)
        var settings = FinderSettings(eye: RoomRecording.roomA.eye, range: RoomRecording.roomA.range)
        (settings.hasVerifier, settings.stays, settings.mostRequests) = (seed % 2 == 0, seed % 3 == 0, 1000)
        var finder = Finder(try Wish("cup"), settings, now: 0), now = 0.0, ends = 0
        for _ in 0..<1500 {
            now += .random(in: 0...0.1, using: &dice)
            for action in finder.handle(Self.event(now, &dice), now: now) {
                switch action {
                case .look(let pose): #expect(settings.range.contains(pose))
                case .ask(let request): #expect(request.rect.area > 0 && request.deadline > now)
                case .end: ends += 1
                case .drop, .mood, .say, .remember, .missed: break
                }
            }
            #expect(finder.things.all.count <= ThingList.most && finder.desk.book.open.count <= RequestBook.mostOpen)
            #expect(finder.things.all.allSatisfy { $0.box.map { $0.rect.area > 0 } ?? true })
            let progress = finder.progress(now: now)
            #expect((0...1).contains(progress.share) && !progress.reason.isEmpty)
        }
        #expect(ends <= 1)
    }
}
