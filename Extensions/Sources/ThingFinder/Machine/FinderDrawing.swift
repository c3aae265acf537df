public import Geometry

/// Decides when what a search draws is sent to the screen: soon after it changes, and seldom while it does not. A layer
/// ends by itself, so that nothing stays if the program dies.
public struct FinderDrawing: Sendable {
    /// How long a layer is drawn without being sent again, and the shortest time between two, in seconds.
    public static let shown: Seconds = 0.5
    static let period: Seconds = 0.1
    /// When a layer that has not changed is sent again, in seconds: early enough that it does not flicker.
    static let renewal: Seconds = 0.3

    private var boxes: [FinderBox] = [], arrow: FinderArrow?
    private var checked: Seconds = -.infinity, sent: Seconds = -.infinity

    /// Creates the drawing of a search that begins: there is nothing on the screen.
    public init() {}

    /// Returns what to draw now, or nil if the screen shows it already.
    public mutating func next(_ finder: Finder, now: Seconds) -> (boxes: [FinderBox], arrow: FinderArrow?)? {
        guard now - checked >= Self.period else { return nil }
        checked = now
        let (boxes, arrow) = (finder.boxes(now: now), finder.arrow)
        let isSame = Self.looksSame(boxes, self.boxes) && arrow?.text == self.arrow?.text
        let isEmpty = boxes.isEmpty && arrow == nil
        guard !isSame || !isEmpty && now - sent >= Self.renewal else { return nil }
        (self.boxes, self.arrow, sent) = (boxes, arrow, now)
        return (boxes, arrow)
    }

    private static func looksSame(_ a: [FinderBox], _ b: [FinderBox]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0.looksLike($1) }
    }
}
