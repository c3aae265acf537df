import Codecs
import DockClient
import DockTypes
import ExtensionKit
import Geometry
import PictureShare
import Synchronization
import ThingFinder

/// The camera's pictures of the last seconds, because a detector's answer is about an earlier one.
final class PictureBoard: Sendable {
    private struct Page {
        var sequence: Int, exposure: Seconds
        var picture: RGBPicture
    }

    private let pages = Mutex<[Page]>([])
    private let log: ExtensionLog

    /// The width of the pictures, in pixels. Letters and patterns need more than detectors get.
    private static let width = 1280
    /// How long pictures are kept, in seconds, and in how many bytes at most.
    private static let age: Seconds = 3, most = 96 << 20
    /// Pictures of a head that turns faster are blurred, in rad/s.
    private static let still = Double.degrees(6)
    /// The margin round the thing, as a share of its size: it shows what boxes cut off.
    private static let margin = 0.15
    /// A detector and the camera name the same time for the same picture, within this, in seconds. A picture of a head that
    /// stands shows the same this much earlier or later.
    private static let same: Seconds = 0.02, near: Seconds = 0.15
    /// ... and so many numbers.
    private static let steps = 32

    init(log: ExtensionLog) { self.log = log }

    /// Keeps pictures until the task is cancelled.
    /// - Parameter never: called if this daemon will never have pictures, with the reason.
    func run(_ dock: Dock, never: @Sendable (String) -> Void) async {
        var pause = BackOff(), problem: String?
        while !Task.isCancelled {
            do throws(DockError) {
                let pictures = try await dock.pictures(maximumWidth: Self.width, format: .rgb24)
                pause.succeeded()
                problem = nil
                try await keep(pictures)
            } catch {
                if error.code == .notSupported { return never(error.message) }
                if error.message != problem { log.note("waiting for pictures: \(error.message)") }
                problem = error.message
            }
            try? await Task.sleep(for: .seconds(pause.failed()))
        }
    }

    private func keep(_ pictures: sending DockPictures) async throws(DockError) {
        let reader = pictures.reader, (width, height) = (reader.layout.width, reader.layout.height)
        var iterator = pictures.makeAsyncIterator(), kept: Seconds = -.infinity
        while let shared = try await iterator.next() {
            let facts = shared.facts
            if let rate = facts.pose?.rate, rate.magnitude > Self.still { continue }
            // Of many large pictures only some fit.
            let count = max(1, Self.most / reader.layout.byteCount)
            guard facts.exposure - kept >= Self.age / Double(count) else { continue }
            kept = facts.exposure
            let copy = reader.read(shared) { RGBPicture(width: width, height: height, copying: $0) }
            guard let picture = copy ?? nil else { continue }
            add(picture, sequence: facts.sequence, exposure: facts.exposure)
        }
    }

    /// Adds a picture. Old ones go, and those for which there is no room.
    func add(_ picture: RGBPicture, sequence: Int, exposure: Seconds) {
        pages.withLock { pages in
            pages.removeAll { exposure - $0.exposure > Self.age || $0.sequence >= sequence }
            pages.append(Page(sequence: sequence, exposure: exposure, picture: picture))
            let count = max(1, Self.most / picture.bytes.count)
            if pages.count > count { pages.removeFirst(pages.count - count) }
        }
    }

    /// Returns what a rectangle of a picture shows, with a margin, and where in that the rectangle is; nil if the picture
    /// is not there any more.
    func part(_ rect: Rect, time: Seconds, sequence: Int?, side: Int) -> (picture: RGBPicture, rect: Rect)? {
        guard let sequence else { return nil }
        let page = pages.withLock { pages in
            // A detector with a camera of its own has other numbers and other times.
            pages.filter { page in
                let (steps, way) = (page.sequence - sequence, page.exposure - time)
                guard steps != 0 else { return abs(way) < Self.same }
                return abs(steps) <= Self.steps && abs(way) < Self.near && (steps > 0) == (way > 0)
            }.min { abs($0.sequence - sequence) < abs($1.sequence - sequence) }
        }
        return page.flatMap { $0.picture.part(rect, margin: Self.margin, side: side) }
    }
}

extension RGBPicture {
    /// Returns the part that a rectangle covers, with a margin round it, at most so many pixels wide and high, and where
    /// in that part the rectangle is, normalised. The result is nil if the rectangle is not in the picture.
    func part(_ rect: Rect, margin: Double, side: Int) -> (picture: RGBPicture, rect: Rect)? {
        guard let inside = rect.intersection(.full), inside.width > 0, inside.height > 0 else { return nil }
        let (across, along) = (inside.width * margin, inside.height * margin)
        let wide = Rect(
            x: inside.x - across, y: inside.y - along, width: inside.width + 2 * across,
            height: inside.height + 2 * along)
        guard let whole = wide.intersection(.full) else { return nil }
        let pixels = PixelRect(covering: whole, width: width, height: height)
        let (right, bottom) = (min(pixels.right, width), min(pixels.bottom, height))
        let size = (x: right - pixels.left, y: bottom - pixels.top)
        guard size.x > 0, size.y > 0 else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: 3 * size.x * size.y) { room, count in
            for y in pixels.top..<bottom {
                let start = 3 * (y * width + pixels.left)
                for at in start..<(start + 3 * size.x) {
                    room[count] = self.bytes[at]
                    count += 1
                }
            }
        }
        guard var part = RGBPicture(width: size.x, height: size.y, bytes: bytes) else { return nil }
        let limit = size.x >= size.y ? side : max(1, side * size.x / size.y)
        part = part.scaled(toWidth: limit)
        let (left, top) = (Double(pixels.left) / Double(width), Double(pixels.top) / Double(height))
        let share = (x: Double(width) / Double(size.x), y: Double(height) / Double(size.y))
        let place = Rect(
            x: (inside.x - left) * share.x, y: (inside.y - top) * share.y, width: inside.width * share.x,
            height: inside.height * share.y)
        return (part, place.intersection(.full) ?? .full)
    }
}
