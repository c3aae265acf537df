/// What the log says about its budget, as a pure value: when less is kept than before, and how many records were not kept.
struct BudgetNotice: Sendable {
    /// What has changed.
    struct Change: Sendable, Equatable {
        /// How many records were not kept until now. They are counted in a record.
        var unkept = 0
        /// What to say, or nil.
        var text: String?
        /// What is kept now.
        var keeping = LogBudget.Keeping.all
    }

    /// The room that must be free before more is kept again on the same day, as a share of the budget. Otherwise a
    /// single line would change it back.
    static let reserve = 0.05

    private var said: (day: Day, keeping: LogBudget.Keeping)?
    private var unkept = 0

    /// Whether no record is kept.
    var isFull: Bool { said?.keeping == LogBudget.Keeping.none }

    /// Counts records that the budget did not allow.
    mutating func refused(_ records: Int) { unkept += records }

    /// Looks at the budget before a record is written. Within a day it only keeps less and less.
    mutating func check(_ budget: LogBudget, today: Day) -> Change {
        let before = said?.day == today ? said?.keeping ?? .all : .all
        var change = Change(keeping: max(budget.keeping(today: today), before))
        if said?.day != today { change.unkept = takeUnkept() }
        said = (today, change.keeping)
        if change.keeping > before { change.text = Self.text(of: change.keeping) }
        return change
    }

    /// Keeps more again when it is another day, or a person has made room. The result is nil if nothing changes.
    mutating func relax(_ budget: LogBudget, today: Day) -> Change? {
        guard let before = said, before.keeping > .all else { return nil }
        let keeping = budget.keeping(today: today, reserve: Self.reserve), isNewDay = today != before.day
        guard isNewDay || keeping < before.keeping else { return nil }
        said = (today, keeping)
        return Change(
            unkept: takeUnkept(), text: isNewDay ? nil : "there is room for more records again", keeping: keeping)
    }

    private mutating func takeUnkept() -> Int {
        defer { unkept = 0 }
        return unkept
    }

    private static func text(of keeping: LogBudget.Keeping) -> String {
        switch keeping {
        case .all: ""
        case .withoutPeople: "today's records fill 80 % of the budget: the log no longer keeps who was seen"
        case .gravest: "today's records fill 90 % of the budget: only faults, stops and states are kept"
        case .none: "today's records fill the budget: no more records are kept today"
        }
    }
}
