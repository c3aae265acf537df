/// How many pictures left a line with each verdict.
public struct VerdictCounts: Sendable, Equatable {
    /// Pictures without a face.
    public private(set) var clear = 0
    /// Pictures in which faces were covered.
    public private(set) var faces = 0
    /// Pictures that were kept as they were, because the owner wants it so.
    public private(set) var open = 0
    /// Pictures that were covered as a whole, by reason. A reason that did not occur is absent.
    public private(set) var whole: [CoverReason: Int] = [:]

    /// Creates counts of zero.
    public init() {}

    /// Counts one picture.
    public mutating func add(_ verdict: FrameVerdict) {
        switch verdict {
        case .clear: clear += 1
        case .faces: faces += 1
        case .open: open += 1
        case .whole(let reason): whole[reason, default: 0] += 1
        }
    }

    /// Adds other counts.
    public static func += (a: inout VerdictCounts, b: VerdictCounts) {
        a.clear += b.clear
        a.faces += b.faces
        a.open += b.open
        a.whole.merge(b.whole, uniquingKeysWith: +)
    }

    /// The number of pictures that were covered as a whole.
    public var wholes: Int { whole.values.reduce(0, +) }
    /// The number of all pictures.
    public var total: Int { clear + faces + open + wholes }
    /// The most frequent reason for covering whole pictures, or nil if there was none.
    public var mainReason: CoverReason? {
        whole.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}
