/// Counts the pictures of a camera that never arrived, by their numbers. Pure.
struct FrameGaps: Sendable, Equatable {
    /// A camera whose number grows by more than this (ten seconds at 60 a second) has begun again.
    static let most = 600

    private var last: Int?

    /// Returns how many pictures are missing between this one and the one before. A frame without a number says
    /// nothing.
    mutating func missed(before sequence: Int?) -> Int {
        guard let sequence else { return 0 }
        defer { last = sequence }
        guard let last, sequence > last, sequence - last <= Self.most else { return 0 }
        return sequence - last - 1
    }
}
