import Codecs
import DepthStream
import ExtensionKit
import Geometry
import PictureShare

/// Reads the depth that `serve` or `camera` receives in another process.
struct DepthPreview: Sendable {
    private let path: String

    /// The oldest picture by which a share counts as alive, and the time between two looks, in seconds.
    private static let oldest: Seconds = 2, pause: Seconds = 0.02

    /// Finds a share. The result is nil if no program shows depth now.
    init?(control: String?) {
        path = DepthShare.path(control: control)
        guard let reader = try? DepthReader(path: path), !reader.hasEnded, let newest = reader.newest(),
            SystemTime.monotonic - newest.facts.arrival < Self.oldest
        else { return nil }
    }

    /// Passes on pictures, the newest each time, until the task is cancelled, the other program has ended, or `show` returns
    /// false.
    func run(_ show: @Sendable (DepthMap, Seconds) -> Bool) async throws {
        var reader: DepthReader?, last = 0, heard = SystemTime.monotonic
        repeat {
            let now = SystemTime.monotonic
            // Pictures of another size are in other memory, and the link leads to it.
            if reader == nil || reader?.hasEnded == true { (reader, last) = (try? DepthReader(path: path), 0) }
            if let picture = reader?.newest(after: last) {
                (last, heard) = (picture.number, now)
                if let map = Self.map(picture, reader), !show(map, now) { return }
            }
            guard now - heard < Self.oldest else { return }
        } while (try? await Task.sleep(for: .seconds(Self.pause))) != nil
    }

    private static func map(_ picture: SharedDepth, _ reader: DepthReader?) -> DepthMap? {
        guard let reader, let unit = DepthUnit(metres: picture.facts.unit) else { return nil }
        return DepthPicture(width: reader.width, height: reader.height, samples: picture.samples)
            .map { DepthMap($0, unit: unit) }
    }
}
