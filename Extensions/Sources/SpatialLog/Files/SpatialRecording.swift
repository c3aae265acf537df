internal import DockTypes
internal import Geometry
internal import JPEGCodec

/// One file from its beginning to its end. It belongs to one thread.
final class SpatialRecording {
    /// A chunk ends after this time, in seconds, or when it has so many bytes: what a kill costs.
    static let chunkTime: Seconds = 1, chunkBytes = 4 << 20
    /// The most chunks: about a day. The summary of each stays in memory.
    static let mostChunks = 100_000

    private let settings: SpatialSettings
    private let file: LogFile
    private var writer: MCAPWriter
    private let encoder = JPEGEncoder()
    /// The system's time of CLOCK_MONOTONIC 0. It stays, so that the times of a file never jump.
    private let start: Double
    private var chunkBegan: Seconds?
    private(set) var ending: SpatialEnding?

    init(_ settings: SpatialSettings, now: Seconds, unix: Double) throws(DockError) {
        self.settings = settings
        start = unix - now
        file = try LogFile(settings.path, replaces: settings.replaces)
        writer = MCAPWriter(library: settings.library, channels: SpatialChannel.allCases.map(\.channel))
        try file.append(writer.begin(settings.facts))
    }

    /// The bytes of the file so far.
    var length: Int { file.length }
    /// When `tick` must be called, or nil.
    var deadline: Seconds? { chunkBegan.map { $0 + Self.chunkTime } }

    func put(_ entry: SpatialEntry, now: Seconds) {
        guard ending == nil else { return }
        switch entry {
        case .picture(let picture): put(picture, now)
        case .people(let people, let source, let time):
            let stamp = nanoseconds(time)
            put(source == .robot ? .people : .room, stamp, now, SceneMessage.encode(people, at: stamp))
        }
        if writer.waiting >= Self.chunkBytes { close(now) }
    }

    private func put(_ picture: LoggedPicture, _ now: Seconds) {
        let stamp = nanoseconds(picture.exposure)
        for frame in HeadFrame.allCases {
            guard let parent = frame.parent, let place = picture.frames?.place(of: frame),
                let channel = SpatialChannel(frame)
            else { continue }
            put(channel, stamp, now, LogMessages.transform(frame, in: parent, place, at: stamp))
        }
        if let lens = picture.lens { put(.calibration, stamp, now, LogMessages.calibration(lens, at: stamp)) }
        guard let pixels = picture.pixels, let jpeg = encoder?.encode(pixels, quality: settings.quality) else { return }
        put(.image, stamp, now, LogMessages.image(jpeg, at: stamp))
    }

    private func put(_ channel: SpatialChannel, _ stamp: UInt64, _ now: Seconds, _ data: [UInt8]) {
        chunkBegan = chunkBegan ?? now
        writer.put(channel.rawValue, time: stamp, published: nanoseconds(now), data)
    }

    private func nanoseconds(_ time: Seconds) -> UInt64 { UInt64(max(0, (time + start) * 1e9)) }

    /// Writes the chunk that is due.
    func tick(now: Seconds) { if let deadline, now >= deadline { close(now) } }

    private func close(_ now: Seconds) {
        chunkBegan = nil
        do throws(DockError) {
            if let free = file.free, free < settings.leastFree {
                throw DockError(
                    .cannotOpen, "the disk of \(file.path) has less than \(settings.leastFree >> 20) MB left",
                    hint: "free some space on that disk")
            }
            // The writer counts a chunk only if it was written.
            var next = writer
            if let bytes = next.chunk() { try file.append(bytes) }
            writer = next
            guard writer.chunks < Self.mostChunks else {
                throw DockError(.limitReached, "\(file.path) is a day long", hint: "start another file")
            }
        } catch {
            writer.drop()
            end(error)
        }
    }

    /// Completes the file.
    func finish(now: Seconds) {
        guard ending == nil else { return }
        close(now)
        guard ending == nil else { return }
        end(nil)
    }

    /// Ends the file. One without any message is removed.
    private func end(_ error: DockError?) {
        do throws(DockError) {
            try file.append(writer.end())
            ending = SpatialEnding(error: error, isComplete: true)
        } catch let second {
            ending = SpatialEnding(error: error ?? second, isComplete: false)
        }
        guard writer.chunks > 0 else { return file.remove() }
        file.synchronise()
    }
}
