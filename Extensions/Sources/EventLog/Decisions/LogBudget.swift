/// How much room the files may take, as a pure value: which days are deleted, and what is still kept.
public struct LogBudget: Sendable, Equatable {
    /// What is kept. A day that fills the budget by itself keeps less and less.
    public enum Keeping: Int, Sendable, Comparable {
        /// All records.
        case all
        /// All except who was seen.
        case withoutPeople
        /// Only faults, stops, states of the dock, and the log's own records.
        case gravest
        /// None.
        case none

        /// Whether the first keeps more.
        public static func < (a: Keeping, b: Keeping) -> Bool { a.rawValue < b.rawValue }
    }

    /// The room for all files, in bytes.
    public let limit: Int
    private var days: [Day: Int]

    /// Creates the budget of files that exist.
    public init(limit: Int, days: [Day: Int] = [:]) { (self.limit, self.days) = (limit, days) }

    /// The size of all files, in bytes.
    public var total: Int { days.values.reduce(0, +) }

    /// Returns the size of a day's file, in bytes.
    public func size(of day: Day) -> Int { days[day] ?? 0 }

    /// Records that a file has grown, or shrunk if `bytes` is negative.
    public mutating func add(_ bytes: Int, to day: Day) { days[day] = max(0, size(of: day) + bytes) }

    /// Records the files as they are now, because a person may have deleted some.
    public mutating func recount(_ now: [Day: Int]) { days = now }

    /// Removes the days that must go, the oldest first, until the rest fits. Today never goes. A day in the future was
    /// written before the clock was set, and goes first.
    public mutating func removeSurplus(today: Day) -> [Day] {
        var total = total, gone: [Day] = []
        for day in Day.inOrderOfWriting(days.keys, today: today) where day != today && total > limit {
            total -= size(of: day)
            gone.append(day)
        }
        for day in gone { days[day] = nil }
        return gone
    }

    /// What is kept today, if this share of the budget is needed for something else.
    public func keeping(today: Day, reserve: Double = 0) -> Keeping {
        let share = Double(size(of: today)) / Double(max(1, limit)) + reserve
        return share < 0.8 ? .all : share < 0.9 ? .withoutPeople : share < 1 ? .gravest : .none
    }

    /// Whether a record of this kind is kept today.
    public func admits(_ kind: LogKind, today: Day) -> Bool {
        switch keeping(today: today) {
        case .all: true
        case .withoutPeople: kind.weight > .light
        case .gravest: kind.weight > .normal
        case .none: false
        }
    }
}
