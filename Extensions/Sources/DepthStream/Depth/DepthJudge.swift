public import Codecs
public import Geometry

/// A face in a depth picture, which says how far away it must be about.
public struct FaceHint: Sendable, Equatable {
    /// Where it is.
    public var box: Rect
    /// The focal length of the lens in widths of the picture; 0.87 is a field of 60 degrees.
    public var focal: Double

    /// The usual width of a face as detectors draw it, in metres.
    static let usualWidth = 0.15

    /// Creates a hint.
    public init(box: Rect, focal: Double = 0.87) { (self.box, self.focal) = (box, focal) }

    /// Its usual distance for this width, in metres; nil for a box without a width.
    var distance: Double? {
        guard box.width > 0.005, box.width.isFinite, focal.isFinite, focal > 0 else { return nil }
        return focal * Self.usualWidth / box.width
    }
}

/// Decides what the samples of one sender mean: which byte is first, and how far a count is. It decides over the first
/// pictures of a connection, and keeps that until the connection ends.
public struct DepthJudge: Sendable {
    /// What a person has decided instead.
    public struct Choice: Sendable, Equatable {
        /// The unit and the order, each nil for a decision by the pictures.
        public var unit: DepthUnit?, order: SampleOrder?

        /// Creates a choice.
        public init(unit: DepthUnit? = nil, order: SampleOrder? = nil) { (self.unit, self.order) = (unit, order) }
    }

    /// The number of pictures that decide.
    public static let pictures = 10
    /// A real picture is this many times smoother in the right order, at least.
    static let smoother = 2.0
    /// Everything is nearer than this, in metres: then the unit is in doubt.
    static let suspicious = 0.55

    private let choice: Choice
    private var looks = 0, orderLooks = 0
    private var roughness = (asSent: 0.0, swapped: 0.0)
    private var named: DepthUnit?
    private var faceErrors: [DepthUnit: Double] = [:]
    private var farthest: UInt16 = 0

    /// Creates a judge at the beginning of a connection.
    public init(_ choice: Choice = Choice()) { self.choice = choice }

    /// Whether the decision is final.
    public var isSettled: Bool { looks >= Self.pictures }

    /// The order of the bytes.
    public var order: SampleOrder {
        choice.order ?? (roughness.swapped * Self.smoother < roughness.asSent ? .little : .big)
    }

    /// The unit, and why.
    public var unit: UnitDecision {
        if let unit = choice.unit { return UnitDecision(unit: unit, reason: .setting) }
        let sent = named ?? .fiveMetres
        guard let best = faceErrors.min(by: { ($0.value, $0.key.metres) < ($1.value, $1.key.metres) }) else {
            return UnitDecision(unit: sent, reason: named == nil ? .usual : .sender)
        }
        // Where faces permit several, the sender's word counts.
        guard faceErrors[sent] == best.value else { return UnitDecision(unit: best.key, reason: .face) }
        return UnitDecision(unit: sent, reason: named == nil ? .face : .sender)
    }

    /// Whether the pictures make the unit doubtful: with the usual one, nothing in them is farther than half a metre.
    public var isDoubtful: Bool {
        unit.reason == .usual && farthest > 0 && Double(farthest) * DepthUnit.fiveMetres.metres < Self.suspicious
    }

    /// Looks at a picture as it was sent.
    public mutating func look(_ picture: DepthPicture, note: SenderNote? = nil, face: FaceHint? = nil) {
        if orderLooks < Self.pictures, choice.order == nil {
            let (asSent, swapped) = Self.roughness(of: picture)
            // An even picture shows no order.
            if asSent > 0 || swapped > 0 {
                orderLooks += 1
                roughness = (roughness.asSent + asSent, roughness.swapped + swapped)
            }
        }
        guard !isSettled else { return }
        looks += 1
        named = named ?? note?.unit.flatMap { DepthUnit(metres: $0) }
        farthest = max(farthest, measured(picture))
        if let face { compare(picture, face) }
    }

    /// Returns a picture with what is decided.
    public func map(_ picture: DepthPicture) -> DepthMap {
        DepthMap(order == .big ? picture : picture.swapped, unit: unit.unit)
    }

    // MARK: evidence

    /// The mean difference of neighbours in a row, for the samples and for the samples with their bytes exchanged. Holes
    /// count, because leaving them out makes some pictures look smoother in the wrong order.
    static func roughness(of picture: DepthPicture) -> (asSent: Double, swapped: Double) {
        guard picture.width > 1 else { return (0, 0) }
        var asSent = 0, swapped = 0
        picture.samples.withUnsafeBufferPointer { samples in
            for y in 0..<picture.height {
                let start = y * picture.width
                // A row is at most 4096 differences of 16 bits.
                var one: UInt32 = 0, other: UInt32 = 0
                for at in start + 1..<start + picture.width {
                    one &+= difference(samples[at - 1], samples[at])
                    other &+= difference(samples[at - 1].byteSwapped, samples[at].byteSwapped)
                }
                asSent += Int(one)
                swapped += Int(other)
            }
        }
        let count = Double((picture.width - 1) * picture.height)
        return (Double(asSent) / count, Double(swapped) / count)
    }

    @inline(__always)
    private static func difference(_ a: UInt16, _ b: UInt16) -> UInt32 { UInt32(a > b ? a &- b : b &- a) }

    /// The farthest sample that is a distance, without the farthest hundredth, which may be noise.
    private func measured(_ picture: DepthPicture) -> UInt16 {
        let step = max(1, picture.samples.count / 4096)
        var some = stride(from: 0, to: picture.samples.count, by: step).map { picture.samples[$0] }
        if order == .little { some = some.map(\.byteSwapped) }
        some = some.filter { $0 != DepthMap.unmeasured }.sorted()
        return some.isEmpty ? 0 : some[some.count - 1 - some.count / 100]
    }

    private mutating func compare(_ picture: DepthPicture, _ face: FaceHint) {
        guard let expected = face.distance else { return }
        for unit in Set([named ?? .fiveMetres, .millimetres, .fiveMetres]) {
            let map = DepthMap(order == .big ? picture : picture.swapped, unit: unit)
            guard let distance = FaceDistance(in: map, box: face.box).metres else { return }
            let ratio = distance / expected
            // A factor beyond any error of the width speaks against a unit, and a smaller one speaks for none: without
            // this, a hand or a child would choose between units that are near each other.
            faceErrors[unit, default: 0] += max(ratio, 1 / ratio) < 2.5 ? 0 : 1
        }
    }
}
