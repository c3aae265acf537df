import Geometry
import Glibc
import PictureShare
import Synchronization
import Testing

@testable import Camera

@Suite struct PictureOutletTests {
    /// What the outlet has answered.
    private final class Answers: Sendable {
        private let all = Mutex<[Result<PictureOpening, PictureOutlet.Refusal>]>([])
        var count: Int { all.withLock { $0.count } }
        func add(_ answer: Result<PictureOpening, PictureOutlet.Refusal>) { all.withLock { $0.append(answer) } }
        func take() throws -> PictureOpening { try all.withLock { $0.removeFirst() }.get() }
    }

    /// One picture of the camera's thread.
    private static func show(_ outlet: PictureOutlet, _ sequence: Int, width: Int = 4, height: Int = 2) {
        guard let writer = outlet.writer(width: width, height: height), let slot = writer.take() else { return }
        writer.pixels(of: slot).initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: sequence))
        let time = Double(sequence)
        outlet.publish(slot, of: writer, PictureFacts(sequence: sequence, exposure: time, arrival: time))
        writer.release(slot)
    }

    private static func isRung(_ opening: PictureOpening) -> Bool {
        var number: UInt64 = 0
        return read(opening.bell, &number, 8) == 8
    }

    @Test func `a reader waits for the first picture, and sees it`() throws {
        let outlet = PictureOutlet(poses: PoseRing()), answers = Answers()
        outlet.open(reader: 1) { answers.add($0) }
        #expect(answers.count == 0 && outlet.readers == 1)
        Self.show(outlet, 5)
        let opening = try answers.take(), reader = try PictureReader(opening.memory)
        #expect(opening.layout.width == 4 && Self.isRung(opening))
        let picture = try #require(reader.newest())
        #expect(picture.facts.sequence == 5 && reader.copy(picture) == Array(repeating: 5, count: 24))
        #expect(picture.facts.pose == nil)
    }

    @Test func `a reader that gives up waiting is answered, and a second opening replaces the first`() throws {
        let outlet = PictureOutlet(poses: PoseRing()), answers = Answers()
        outlet.open(reader: 1) { answers.add($0) }
        outlet.open(reader: 1) { answers.add($0) }
        #expect(throws: PictureOutlet.Refusal.replaced) { try answers.take() }
        outlet.close(reader: 1)
        #expect(throws: PictureOutlet.Refusal.replaced) { try answers.take() }
        #expect(outlet.readers == 0)
    }

    @Test func `a program that opens again and again gets the same memory`() throws {
        let tally = ReaderTally(), outlet = PictureOutlet(poses: PoseRing(), tally: tally), answers = Answers()
        _ = outlet.writer(width: 4, height: 2)
        var files: Set<UInt> = []
        for _ in 0..<20 {
            outlet.open(reader: 1) { answers.add($0) }
            let opening = try answers.take()
            var facts = stat()
            fstat(opening.memory, &facts)
            files.insert(facts.st_ino)
            #expect(tally.total == 1)
            outlet.close(reader: 1)
            #expect(tally.total == 0)
        }
        #expect(files.count == 1)
    }

    @Test func `a program that opens again sees no picture from before`() throws {
        let outlet = PictureOutlet(poses: PoseRing()), answers = Answers()
        outlet.open(reader: 1) { answers.add($0) }
        for sequence in 1...9 { Self.show(outlet, sequence) }
        let first = try answers.take()
        // Beside a reader, another one sees the newest picture at once.
        outlet.open(reader: 2) { answers.add($0) }
        let second = try answers.take()
        #expect(try PictureReader(second.memory).newest()?.facts.sequence == 9 && Self.isRung(first))
        outlet.close(reader: 1)
        outlet.close(reader: 2)
        outlet.open(reader: 1) { answers.add($0) }
        let opening = try answers.take(), reader = try PictureReader(opening.memory)
        #expect(reader.newest() == nil && reader.next(after: 0) == nil)
        for sequence in 20...29 {
            Self.show(outlet, sequence)
            let picture = try #require(reader.newest())
            #expect(picture.facts.sequence == sequence)
            #expect(reader.copy(picture) == Array(repeating: UInt8(sequence), count: 24))
            #expect(try #require(reader.next(after: 0)).facts.sequence >= 20 && Self.isRung(opening))
        }
    }

    @Test func `pictures that are too wide are refused`() throws {
        let outlet = PictureOutlet(poses: PoseRing()), answers = Answers()
        outlet.open(reader: 1, most: 3) { answers.add($0) }
        _ = outlet.writer(width: 4, height: 2)
        #expect(throws: PictureOutlet.Refusal.tooWide(4)) { try answers.take() }
        #expect(outlet.readers == 0)
    }

    @Test func `without readers there is no share`() throws {
        let outlet = PictureOutlet(poses: PoseRing()), answers = Answers()
        #expect(outlet.writer(width: 4, height: 2) == nil)
        outlet.open(reader: 1) { answers.add($0) }
        outlet.open(reader: 2) { answers.add($0) }
        #expect(outlet.writer(width: 4, height: 2) != nil && outlet.readers == 2)
        outlet.close(reader: 1)
        #expect(outlet.writer(width: 4, height: 2) != nil)
        outlet.close(reader: 2)
        #expect(outlet.writer(width: 4, height: 2) == nil && outlet.readers == 0)
    }

    @Test func `a picture has the pose of its exposure`() throws {
        let poses = PoseRing(), outlet = PictureOutlet(poses: poses), answers = Answers()
        for step in 0...10 {
            let time = 4.9 + Double(step) * 0.02
            poses.append(
                time: time, PicturePose(pose: PanTilt(pan: time, tilt: 0), rate: PanTilt(pan: 1, tilt: 0)))
        }
        outlet.open(reader: 1) { answers.add($0) }
        Self.show(outlet, 5)
        let opening = try answers.take(), reader = try PictureReader(opening.memory)
        let pose = try #require(reader.newest()?.facts.pose)
        #expect(abs(pose.pose.pan - 5) < 1e-9)
    }

    @Test func `a camera that changes its size ends the share, and the reader opens another`() throws {
        let outlet = PictureOutlet(poses: PoseRing()), answers = Answers()
        outlet.open(reader: 1) { answers.add($0) }
        Self.show(outlet, 1)
        let opening = try answers.take(), reader = try PictureReader(opening.memory)
        _ = Self.isRung(opening)
        Self.show(outlet, 2, width: 8, height: 4)
        #expect(reader.hasEnded && Self.isRung(opening) && outlet.readers == 0)
        outlet.open(reader: 1) { answers.add($0) }
        Self.show(outlet, 3, width: 8, height: 4)
        let next = try answers.take()
        #expect(next.layout.width == 8)
        #expect(try PictureReader(next.memory).newest()?.facts.sequence == 3)
    }

    @Test func `the end of the camera ends everything`() throws {
        let outlet = PictureOutlet(poses: PoseRing()), answers = Answers()
        outlet.open(reader: 1) { answers.add($0) }
        Self.show(outlet, 1)
        let opening = try answers.take()
        outlet.finish()
        #expect(try PictureReader(opening.memory).hasEnded)
        outlet.open(reader: 2) { answers.add($0) }
        #expect(throws: PictureOutlet.Refusal.over) { try answers.take() }
        let early = PictureOutlet(poses: PoseRing())
        early.open(reader: 1) { answers.add($0) }
        early.finish()
        #expect(throws: PictureOutlet.Refusal.over) { try answers.take() }
    }

    @Test func `there is room for 64 readers, and a dead one makes room`() throws {
        signal(SIGPIPE, SIG_IGN)
        let outlet = PictureOutlet(poses: PoseRing()), answers = Answers()
        _ = outlet.writer(width: 4, height: 2)
        var openings: [PictureOpening] = []
        for number in 0..<64 {
            outlet.open(reader: number) { answers.add($0) }
            openings.append(try answers.take())
        }
        outlet.open(reader: 64) { answers.add($0) }
        #expect(throws: PictureOutlet.Refusal.tooManyReaders) { try answers.take() }
        openings.removeLast()
        Self.show(outlet, 1)
        #expect(outlet.readers == 63)
        outlet.open(reader: 64) { answers.add($0) }
        #expect(try answers.take().layout.width == 4)
    }

    /// The readers are as slow as ones in other processes: they look, wait, and look again.
    @Test func `a slow reader believes no torn picture`() throws {
        let outlet = PictureOutlet(poses: PoseRing()), answers = Answers()
        outlet.open(reader: 1) { answers.add($0) }
        outlet.open(reader: 2) { answers.add($0) }
        Self.show(outlet, 0)
        let openings = try [answers.take(), answers.take()]
        let readers = try openings.map { try PictureReader($0.memory) }
        var torn = 0, rejected = 0, good = 0
        var held: [SharedPicture?] = [nil, nil]
        for sequence in 1...20_000 {
            Self.show(outlet, sequence)
            for (index, reader) in readers.enumerated() where sequence % (7 + 4 * index) == 0 {
                if let picture = held[index] {
                    let pixels = reader.copy(picture), value = UInt8(truncatingIfNeeded: picture.facts.sequence)
                    if let pixels {
                        if pixels.allSatisfy({ $0 == value }) { good += 1 } else { torn += 1 }
                    } else {
                        rejected += 1
                    }
                }
                held[index] = reader.newest()
            }
        }
        #expect(torn == 0 && rejected > 100 && good > 100, "\(torn), \(rejected), \(good)")
    }
}
