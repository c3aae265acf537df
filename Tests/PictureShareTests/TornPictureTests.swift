import Geometry
import Glibc
import Processes
import Synchronization
import Testing

@testable import PictureShare

/// Other processes read while the daemon overwrites: what they believe is one whole picture.
@Suite struct TornPictureTests {
    /// The daemon's side of a reader process, as the Python client opens it.
    private struct Peer {
        let process: ChildProcess
        private let output: Int32
        private let bell: PictureBell

        /// - Parameter pause: seconds that it sleeps in the middle of each picture.
        init(_ writer: PictureWriter, pause: Double) throws {
            let script = """
                import sys, time
                from dockface import PictureLost
                from dockface.pictures import Pictures
                class Life:
                    def beat(self): pass
                whole = torn = lost = 0
                with Pictures(lambda: (1, 3, 4), lambda number: None, lambda: None, None, Life()) as pictures:
                    try:
                        while True:
                            picture = pictures.next()
                            expected = picture.sequence & 0xFF
                            try:
                                with picture.pixels() as pixels:
                                    first = bytes(memoryview(pixels).cast("B")[:4608])
                                    time.sleep(\(pause))
                                    second = bytes(memoryview(pixels).cast("B")[4608:])
                                same = first + second == bytes([expected]) * 9216
                                whole, torn = whole + same, torn + (not same)
                            except PictureLost:
                                lost += 1
                    except BaseException as end:
                        pass
                print(whole, torn, lost, flush=True)
                """
            let folder = Self.root + "/clients/python"
            var pipe: [Int32] = [0, 0]
            try #require(Glibc.pipe(&pipe) == 0)
            bell = try #require(PictureBell())
            let bellEnd = bell.readEnd
            process = try ChildProcess(
                ["env", "PYTHONPATH=" + folder, "python3", "-c", script],
                descriptors: [1: pipe[1], 2: 2, 3: writer.descriptor, 4: bellEnd])
            close(pipe[1])
            close(bellEnd)
            output = pipe[0]
        }

        private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

        func ring() { bell.ring() }

        /// Ends it. Returns how many pictures it found whole, torn without a notice, and lost.
        func counts() throws -> [Int] {
            process.signal(SIGCONT)
            process.signal(SIGINT)
            var text: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 256)
            while case let count = read(output, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
            close(output)
            process.end()
            process.close()
            return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        }
    }

    private static let isThorough = getenv("DOCKFACE_THOROUGH") != nil

    @Test(.timeLimit(.minutes(10)))
    func `two slow processes believe no torn picture`() throws {
        let writer = try PictureWriter(try #require(ShareLayout(format: .rgb24, width: 64, height: 48, slots: 4)))
        let sleeper = try Peer(writer, pause: 0.0002), stopped = try Peer(writer, pause: 0)
        // A thousand pictures for each time that the second one is stopped in the middle of whatever it does.
        let most = Self.isThorough ? 1_000_000 : 60_000
        for number in 1...most {
            let slot = try #require(writer.take())
            _ = writer.pixels(of: slot).initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: number))
            writer.publish(
                slot, PictureFacts(sequence: number, exposure: 0, arrival: 0, isEstimated: false, pose: nil))
            writer.release(slot)
            if number % 8 == 0 {
                sleeper.ring()
                stopped.ring()
            }
            // A camera leaves its readers some time, which is most of a picture's.
            if number % 16 == 0 { sched_yield() }
            if number % 2000 == 1000 { stopped.process.signal(SIGSTOP) }
            if number % 2000 == 0 { stopped.process.signal(SIGCONT) }
        }
        let first = try sleeper.counts(), second = try stopped.counts()
        #expect(first.count == 3 && first[1] == 0 && second.count == 3 && second[1] == 0, "\(first) \(second)")
        // Both were overtaken, and both had pictures that they could use.
        let both = zip(first, second).map(+)
        #expect(both[0] > 0 && both[2] > 0, "\(first) \(second)")
    }
}
