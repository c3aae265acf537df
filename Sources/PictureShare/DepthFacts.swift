public import Geometry

/// What is known about a depth picture besides its samples.
public struct DepthFacts: Sendable, Equatable {
    /// A lens, in pixels of the depth picture: focal lengths, and where its axis meets the picture.
    public struct Lens: Sendable, Equatable {
        /// The focal lengths.
        public var fx: Double, fy: Double
        /// The middle.
        public var cx: Double, cy: Double

        /// Creates a lens from pixels.
        public init(fx: Double, fy: Double, cx: Double, cy: Double) {
            (self.fx, self.fy, self.cx, self.cy) = (fx, fy, cx, cy)
        }
    }

    /// The number of the picture, from 0.
    public var sequence: Int
    /// When the depth was exposed, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// When it arrived, CLOCK_MONOTONIC.
    public var arrival: Seconds
    /// Whether `exposure` is estimated from `arrival`.
    public var isEstimated: Bool
    /// Metres per count of the samples.
    public var unit: Double
    /// The lens, or nil if the sender does not say it.
    public var lens: Lens?

    /// Creates facts.
    public init(
        sequence: Int, exposure: Seconds, arrival: Seconds, isEstimated: Bool = false, unit: Double, lens: Lens? = nil
    ) {
        (self.sequence, self.exposure, self.arrival) = (sequence, exposure, arrival)
        (self.isEstimated, self.unit, self.lens) = (isEstimated, unit, lens)
    }
}

/// The places of everything in a share of depth pictures: as in a share of pictures, a page of facts, then slots, each a page
/// of facts and the samples of one picture. docs/DEPTH.md has the same as a table.
struct DepthLayout: Sendable, Equatable {
    let width: Int, height: Int, slots: Int

    /// The largest width and height, in pixels.
    static let largest = 4096
    /// Two bytes for each sample, in the byte order of the machine.
    static let format: UInt32 = 16
    static let magic: UInt64 = 0x4854_5044_4B43_4F44  // "DOCKDPTH" in memory
    static let version: UInt32 = 1

    /// Creates a layout. The result is nil if a number is out of range.
    init?(width: Int, height: Int, slots: Int = 8) {
        guard (1...Self.largest).contains(width), (1...Self.largest).contains(height),
            (3...ShareLayout.mostSlots).contains(slots)
        else { return nil }
        (self.width, self.height, self.slots) = (width, height, slots)
    }

    var byteCount: Int { 2 * width * height }
    var stride: Int {
        ShareLayout.page + (byteCount + ShareLayout.page - 1) / ShareLayout.page * ShareLayout.page
    }
    var size: Int { ShareLayout.page + slots * stride }

    func place(of slot: Int) -> Int { ShareLayout.page + slot * stride }

    // A slot's page, in bytes. The first four numbers are those of a share of pictures.
    private static let unit = 40, fx = 48, fy = 56, cx = 64, cy = 72
    /// 1: the exposure is estimated; 2: the lens is known.
    private static let flags = 80

    static func store(_ facts: DepthFacts, in memory: SharedMemory, at place: Int) {
        memory.store(UInt64(bitPattern: Int64(facts.sequence)), place + ShareField.sequence)
        memory.store(facts.exposure, place + ShareField.exposure)
        memory.store(facts.arrival, place + ShareField.arrival)
        memory.store(facts.unit, place + unit)
        let lens = facts.lens ?? DepthFacts.Lens(fx: 0, fy: 0, cx: 0, cy: 0)
        for (value, field) in [(lens.fx, fx), (lens.fy, fy), (lens.cx, cx), (lens.cy, cy)] {
            memory.store(value, place + field)
        }
        memory.store(UInt64((facts.isEstimated ? 1 : 0) | (facts.lens == nil ? 0 : 2)), place + flags)
    }

    static func facts(in memory: SharedMemory, at place: Int) -> DepthFacts {
        let flags = memory.load(place + flags)
        var facts = DepthFacts(
            sequence: Int(Int64(bitPattern: memory.load(place + ShareField.sequence))),
            exposure: memory.number(place + ShareField.exposure), arrival: memory.number(place + ShareField.arrival),
            isEstimated: flags & 1 != 0, unit: memory.number(place + unit))
        if flags & 2 != 0 {
            facts.lens = DepthFacts.Lens(
                fx: memory.number(place + fx), fy: memory.number(place + fy), cx: memory.number(place + cx),
                cy: memory.number(place + cy))
        }
        return facts
    }
}
