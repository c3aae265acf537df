extension Expression {
    /// Returns how much two silhouettes at 40x12 differ without colour: 0 means not at all, and 1 completely. Below 0.2
    /// they are hard to distinguish.
    public func difference(from other: Expression) -> Double {
        var both = 0, any = 0
        for (p, q) in zip(silhouette, other.silhouette) {
            if p && q { both += 1 }
            if p || q { any += 1 }
        }
        return any == 0 ? 0 : 1 - Double(both) / Double(any)
    }

    /// Whether any part of it is visible.
    public var isLit: Bool { silhouette.contains(true) }

    private var silhouette: [Bool] {
        var painter = HalfBlockPainter(CellFrame(columns: 40, rows: 12, aspect: 2))
        return painter.mask(FaceState(self))
    }
}
