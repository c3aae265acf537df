import Codecs
import FacePrivacy
import Foundation
import Geometry
import Synchronization
import Testing

@testable import VideoRecorder

/// The work of a recorder's thread in virtual time, with real encoders and a real folder.
final class Workshop {
    let folder: ChunkFolder
    let work: RecorderWork
    private let mailbox = Mailbox<RecorderMessage>(most: 10_000)
    private let shared: Shared

    final class Shared: Sendable {
        let now = Mutex(5000.0)
        let orders = Mutex<[RecorderOrder]>([])
        let status = Mutex(RecorderStatus())
    }

    init(_ temporary: TemporaryFolder, _ change: (inout RecorderSettings) -> Void = { _ in }) throws {
        // As in a PollThread.
        signal(SIGPIPE, SIG_IGN)
        var settings = RecorderSettings()
        (settings.length, settings.privacy.mode, settings.copies) = (2, .none, false)
        change(&settings)
        folder = try temporary.chunks()
        let shared = Shared(), mailbox = mailbox
        self.shared = shared
        var news: [DiskReport] = []
        let desk = try DiskDesk(folder, settings.limits, length: settings.length, news: &news)
        let disk = try DiskThread(desk, copies: settings.copies, program: "ffmpeg") { report in
            _ = mailbox.put(.disk(report))
        }
        work = RecorderWork(
            settings, mailbox, disk, order: { order in shared.orders.withLock { $0.append(order) } },
            publish: { status in shared.status.withLock { $0 = status } },
            clock: {
                let now = shared.now.withLock { $0 }
                return ClockReading(wall: 1_795_000_000 + now, monotonic: now, boot: now)
            })
    }

    var now: Double { shared.now.withLock { $0 } }
    var orders: [RecorderOrder] { shared.orders.withLock { $0 } }
    var status: RecorderStatus { shared.status.withLock { $0 } }
    var stored: [ChunkRecord] {
        orders.compactMap { if case .stored(let record, _) = $0 { record } else { nil } }
            .sorted { $0.name.start < $1.name.start }
    }

    func send(_ message: RecorderMessage) { _ = mailbox.put(message) }

    /// One turn. Signs are shown at once. It waits a moment for descriptors, not for time.
    @discardableResult
    func turn(wait: Int32 = 0) -> Bool {
        var waits = work.waits
        _ = poll(&waits, nfds_t(waits.count), wait)
        let before = orders.count, isGoing = work.turn()
        for case .show(let sign) in orders[before...] { send(.shown(sign, problem: nil)) }
        return isGoing
    }

    /// Lets a camera take pictures, 30 a second in virtual time; `number` is the first one's.
    func film(
        _ count: Int, from number: Int, faces: [Rect]? = nil, width: Int = 64, shows: (Int) -> Int = { $0 },
        pose: (Int) -> PanTilt? = { _ in nil }, misses: Set<Int> = [], waits: Bool = true
    ) {
        for index in number..<(number + count) {
            shared.now.withLock { $0 += 1.0 / 30 }
            if misses.contains(index) { continue }
            let picture = picture(shows(index), width: width, height: width * 3 / 4)
            let stamp = FrameStamp(
                sequence: index, exposure: now - 0.02, width: picture.width, height: picture.height,
                rate: PanTilt(pan: 0, tilt: 0), pose: pose(index))
            send(.picture(picture, stamp))
            if let faces, index.isMultiple(of: 3) {
                send(
                    .look(FaceLook(source: "yunet", sequence: index, exposure: now - 0.02, arrival: now, faces: faces)))
            }
            turn()
            // Encoders work in real time. One that falls behind by 5 s of virtual time would count as hanging.
            for _ in 0..<3000 where waits && work.encoderCount > 1 { turn(wait: 20) }
            // So does the program that captures sound.
            for _ in 0..<3000 where isSoundBehind { turn(wait: 20) }
        }
    }

    /// Whether sound of now is still to be expected.
    private var isSoundBehind: Bool {
        guard let sound = work.sound, sound.isHopeful else { return false }
        return sound.ring.end.map { $0 < SoundRing.index(now) } ?? true
    }

    /// Turns until something is true. The limit is generous for a busy machine.
    func wait(_ isTrue: (Workshop) -> Bool) -> Bool {
        for _ in 0..<3000 {
            if isTrue(self) { return true }
            turn(wait: 20)
        }
        return isTrue(self)
    }

    /// Starts a recording, and waits for the answers of the disk.
    func start() -> Bool {
        send(.start(.person, seconds: nil))
        for _ in 0..<3000 {
            turn(wait: 1)
            if work.isRoomKnown { return true }
        }
        return false
    }

    /// Ends the recording, and waits until all is on the disk.
    func finish() {
        send(.finish)
        for step in 0..<3000 {
            shared.now.withLock { $0 += step < 100 ? 0.03 : 0 }
            if !turn(wait: 20) { break }
        }
        work.end()
    }
}
