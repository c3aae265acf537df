public import Codecs
public import Geometry
public import SpatialModel

/// Takes the distortion of the lens out of pictures before they are sent (`undistort`). It keeps a table for each of
/// the few sizes that pictures have.
public struct LensStraightener: Sendable {
    /// How a picture is sent.
    public enum Outcome: Sendable, Equatable {
        /// It is straight now, and this is its lens.
        case straight(RGBPicture, PictureLens)
        /// It stays as it is, because it is unknown how the lens bends lines.
        case unknown
        /// It stays as it is, because the lens bends lines too much.
        case impossible
        /// It stays as it is, because the lens changes faster than tables may be made: it zooms.
        case changing
    }

    /// The most tables. The network decides between a few sizes.
    static let most = 3
    /// The least time between two tables, in seconds: a table costs as much as a few pictures.
    static let every: Seconds = 0.25
    /// A lens that differs by less is the same, in picture widths and heights: 0.06 pixels of 640. Tracking corrects the
    /// focal length by little and often.
    static let tolerance = 1e-4

    private struct Entry: Sendable {
        var width: Int, height: Int
        var lens: PictureLens
        /// nil if the lens bends lines too much.
        var table: StraightTable?
    }

    /// The one that was used last is the last one.
    private var entries: [Entry] = []
    private var made: Seconds = -.infinity

    /// Creates one without tables.
    public init() {}

    /// Returns a picture without the distortion of its lens.
    /// - Parameter now: the time, in seconds on a clock that no one sets.
    public mutating func straighten(_ picture: RGBPicture, _ lens: PictureLens, now: Seconds) -> Outcome {
        guard lens.distortion != .none else { return .unknown }
        let size = (picture.width, picture.height)
        if let index = entries.firstIndex(where: { ($0.width, $0.height) == size && Self.isSame($0.lens, lens) }) {
            entries.append(entries.remove(at: index))
        } else {
            guard now - made >= Self.every else { return .changing }
            made = now
            entries.removeAll { ($0.width, $0.height) == size }
            if entries.count >= Self.most { entries.removeFirst() }
            let table = StraightTable(
                width: size.0, height: size.1, focal: lens.focal, principal: lens.principal,
                distortion: lens.distortion)
            entries.append(Entry(width: size.0, height: size.1, lens: lens, table: table))
        }
        guard let entry = entries.last, let table = entry.table, let straight = table.straighten(picture) else {
            return .impossible
        }
        return .straight(straight, PictureLens(focal: table.focal, principal: entry.lens.principal))
    }

    private static func isSame(_ a: PictureLens, _ b: PictureLens) -> Bool {
        let differences = [
            a.focal.x - b.focal.x, a.focal.y - b.focal.y, a.principal.x - b.principal.x, a.principal.y - b.principal.y,
        ]
        return a.distortion == b.distortion && differences.allSatisfy { abs($0) < tolerance }
    }
}
