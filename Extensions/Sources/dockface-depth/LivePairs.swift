import Codecs
import ControlProtocol
import DepthCodec
import DepthStream
import DockClient
import DockTypes
import ExtensionKit
import Geometry
import JPEGCodec
import PictureShare
import Synchronization

/// Makes packets of the pictures of the dock's camera, and of the depth of another camera at this machine. What belongs
/// together is decided by the times of the exposures; only the newest pair is packed.
final class LivePairs: Sendable {
    /// What a person has chosen.
    struct Choice: Sendable {
        /// The device of the depth.
        var path: String
        /// Its unit, and the unit on the way.
        var unit: DepthUnit, sent: DepthUnit
        /// The most pairs in a second.
        var rate: Double
    }

    private typealias Matcher = PairMatcher<RGBPicture, DepthPicture>

    private struct State {
        var matcher: Matcher
        var meter = RateMeter()
        /// How much later the depth of the last pair was exposed, in seconds.
        var skew: Seconds = 0
        /// How the daemon has turned its pictures.
        var rotate = 0, isMirrored = false
        /// How the depth camera lays out its pictures, once it was open.
        var shape: DepthShape?
        /// Why there are no pictures, and why there is no depth.
        var noPictures: String? = "waiting for pictures", noDepth: String? = "waiting for depth"
    }

    private let choice: Choice
    private let feed: DepthCameraFeed
    private let shared: Mutex<State>
    private let pairs: AsyncStream<Matcher.Pair>
    private let put: AsyncStream<Matcher.Pair>.Continuation

    /// The quality of the JPEG pictures, on the scale of the library.
    private static let quality = 85

    /// - Parameter open: opens the camera; nil for the device that the person has chosen.
    init(_ choice: Choice, open: DepthCameraFeed.Opening? = nil) {
        self.choice = choice
        let device: DepthCameraFeed.Opening = { () throws(DepthCameraTrouble) -> any DepthSource in
            try DepthCamera(path: choice.path, rate: choice.rate)
        }
        feed = DepthCameraFeed(open ?? device)
        shared = Mutex(State(matcher: Matcher(rate: choice.rate)))
        (pairs, put) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Works until the task is cancelled. `send` gets the packets.
    /// - Parameter places: the receivers, for people at the robot; at most 70 bytes.
    /// - Throws: `notSupported` if the daemon has no camera; `cannotOpen`.
    func run(
        _ session: ExtensionSession, places: String, _ send: @escaping @Sendable ([UInt8]) -> Void
    ) async throws {
        let dock = try await session.connect()
        // Before the first byte. It ends with the connection.
        try await dock.setIndicator("live", .on, text: "depth to \(places)")
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.pack(session.log, send) }
            group.addTask { try await self.watchPictures(dock, session.log) }
            group.addTask { await self.feed.run { self.handle($0, session.log) } }
            group.addTask { await self.report(session) }
            try await group.next()
            group.cancelAll()
        }
    }

    // MARK: pictures

    private func watchPictures(_ dock: Dock, _ log: ExtensionLog) async throws {
        var pause = BackOff()
        while !Task.isCancelled {
            do throws(DockError) {
                learn(try await dock.status().rig)
                let pictures = try await dock.pictures(format: .rgb24)
                pause.succeeded()
                try await pass(pictures)
            } catch {
                guard error.code != .notSupported else { throw error }
                let isNew = shared.withLock { state in
                    defer { state.noPictures = error.message }
                    return state.noPictures != error.message
                }
                if isNew { log.note("waiting for pictures: \(error.message)") }
            }
            try? await Task.sleep(for: .seconds(pause.failed()))
        }
    }

    private func learn(_ rig: RigReading?) {
        let camera = rig?.cameras.first
        shared.withLock { ($0.rotate, $0.isMirrored) = (camera?.rotate ?? 0, camera?.isMirrored ?? false) }
    }

    private func pass(_ pictures: sending DockPictures) async throws(DockError) {
        let reader = pictures.reader, (width, height) = (reader.layout.width, reader.layout.height)
        var iterator = pictures.makeAsyncIterator()
        while let picture = try await iterator.next() {
            let copy = reader.read(picture) { RGBPicture(width: width, height: height, copying: $0) }
            guard let pixels = copy ?? nil else { continue }
            offer(
                shared.withLock { state in
                    state.noPictures = nil
                    return state.matcher.add(picture: pixels, at: picture.facts.exposure)
                })
        }
    }

    // MARK: depth

    /// Handles what has happened to the camera, on its thread.
    private func handle(_ news: DepthCameraFeed.News, _ log: ExtensionLog) {
        switch news {
        case .opened(let shape):
            let isNew = shared.withLock { state in
                defer { state.shape = shape }
                return state.shape != shape
            }
            guard isNew else { return }
            log.note("\(choice.path) is open: depth of \(shape.width)x\(shape.height), unit \(choice.unit.text)")
        case .picture(let taken):
            let (rotate, isMirrored) = shared.withLock { ($0.rotate, $0.isMirrored) }
            let depth = taken.picture.upright(rotate: rotate, isMirrored: isMirrored)
            offer(
                shared.withLock { state in
                    state.noDepth = nil
                    return state.matcher.add(depth: depth, at: taken.exposure)
                })
        case .back: log.note("\(choice.path) delivers again")
        case .lost(let trouble):
            let error = trouble.error(choice.path)
            shared.withLock { $0.noDepth = error.message }
            log.warning("\(error.message); \(error.hint); trying again every \(Int(DepthCameraWatch.pause)) s")
        }
    }

    // MARK: pairs

    private func offer(_ new: [Matcher.Pair]) { for pair in new { put.yield(pair) } }

    private func pack(_ log: ExtensionLog, _ send: @Sendable ([UInt8]) -> Void) async throws {
        guard let encoder = JPEGEncoder(), let writer = DepthPNGWriter() else {
            throw DockError(.cannotOpen, "there is no memory to pack pictures", hint: "end other programs")
        }
        var sequence = 0
        for await pair in pairs {
            guard let jpeg = encoder.encode(pair.picture, quality: Self.quality) else { continue }
            let depth = DepthMap(pair.depth, unit: choice.unit).samples(in: choice.sent)
            let packed = PackedPair(jpeg: jpeg, depth: writer.pack(depth), unit: choice.sent)
            send(packed.packet(sequence: sequence, time: pair.exposure, skew: pair.skew))
            shared.withLock { state in
                state.meter.record(SystemTime.monotonic)
                state.skew = pair.skew
            }
            if sequence == 0 { log.note("the first picture with its depth: \(Self.words(pair.skew))") }
            sequence += 1
        }
    }

    private func report(_ session: ExtensionSession) async {
        repeat {
            session.beat()
            let words = shared.withLock { Self.words($0, now: SystemTime.monotonic) }
            session.report(words.isLive ? .ready : .trying, words.text)
        } while (try? await Task.sleep(for: .seconds(1))) != nil
    }

    private static func words(_ state: State, now: Seconds) -> (isLive: Bool, text: String) {
        if let problem = state.noPictures ?? state.noDepth { return (false, problem) }
        let rate = state.meter.rate(at: now)
        if rate > 0 { return (true, "\((rate * 10).rounded() / 10) pairs/s, \(words(state.skew))") }
        return (false, "no pair: pictures and depth are exposed at different times")
    }

    /// How much later depth was exposed.
    private static func words(_ skew: Seconds) -> String {
        let milliseconds = Int((abs(skew) * 1000).rounded())
        return milliseconds == 0
            ? "exposed together" : "depth \(milliseconds) ms \(skew > 0 ? "later" : "earlier")"
    }
}
