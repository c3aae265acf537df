internal import Geometry

/// What is still to happen: the events of the scenario, and the ends of faults.
struct Script {
    private let events: [(number: Int, at: Seconds, what: ScenarioEvent)]
    private var nextEvent = 0
    private var repairs: [(at: Seconds, what: World.Repair)] = []

    init(_ scenario: Scenario) { events = scenario.events }

    /// When the next event or repair is due; infinity: none is left.
    var next: Seconds {
        var next = nextEvent < events.count ? events[nextEvent].at : .infinity
        for repair in repairs { next = min(next, repair.at) }
        return next
    }

    /// The next event that is due by `time`; nil: none is.
    mutating func event(at time: Seconds) -> ScenarioEvent? {
        guard nextEvent < events.count, events[nextEvent].at <= time else { return nil }
        defer { nextEvent += 1 }
        return events[nextEvent].what
    }

    /// A fault ends at this time.
    mutating func repair(_ what: World.Repair, at time: Seconds) { repairs.append((time, what)) }

    /// The repairs that are due by `time`, in the order of their faults; each is returned once.
    mutating func drainRepairs(at time: Seconds) -> [World.Repair] {
        guard repairs.contains(where: { $0.at <= time }) else { return [] }
        defer { repairs.removeAll { $0.at <= time } }
        return repairs.filter { $0.at <= time }.map(\.what)
    }
}
