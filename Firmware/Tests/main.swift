// Tests the board-independent parts of the firmware on the host. Prints failed expectations; the exit status is 0 if
// there are none.

nonisolated(unsafe) var failures = 0
func expect(_ holds: Bool, _ what: String, line: Int = #line) {
    guard !holds else { return }
    failures += 1
    print("line \(line): \(what)")
}

/// Flash that loses power after this number of changes and leaves the last one half done.
struct FailingFlash: Flash {
    var sectors: [[UInt32]] = [[UInt32](repeating: .max, count: 600), [UInt32](repeating: .max, count: 600)]
    var changesLeft = Int.max
    var erasures = 0
    var words: Int { 600 }

    func word(_ index: Int, of sector: Int) -> UInt32 { sectors[sector][index] }

    mutating func write(_ word: UInt32, at index: Int, of sector: Int) -> Bool {
        guard changesLeft > 0 else { return false }
        changesLeft -= 1
        // Bits only change from one to zero. A power loss leaves some of them.
        sectors[sector][index] &= changesLeft == 0 ? word | 0x00FF_0F0F : word
        return changesLeft > 0 && sectors[sector][index] == word
    }

    mutating func erase(_ sector: Int) -> Bool {
        guard changesLeft > 0 else { return false }
        changesLeft -= 1
        erasures += 1
        for index in 0..<(changesLeft == 0 ? 250 : 600) { sectors[sector][index] = .max }
        return changesLeft > 0
    }
}

func record(_ value: UInt32) -> InlineArray<13, UInt32> {
    var record = InlineArray<13, UInt32>(repeating: value &* 3)
    record[0] = value
    return record
}

/// Boots and saves with a power loss after every possible change. The next read returns the last accepted record, or
/// the one that was being written.
func recordsSurvive() {
    var flash = FailingFlash()
    var last: UInt32 = 0
    for round in 1...3000 {
        flash.changesLeft = round % 61
        var log = RecordLog(flash)
        expect(log.newest.map { $0[0] == last && $0[12] == last &* 3 } ?? (last == 0), "round \(round): not \(last)")
        var tried = last
        for step in 0..<3 {
            tried += 1
            if !(step == 0 ? log.begin(with: record(tried)) : log.append(record(tried))) { break }
            last = tried
        }
        flash = log.memory
        flash.changesLeft = .max
        // A record whose last word was written during the power loss also counts.
        if let found = RecordLog(flash).newest, found[0] == last + 1 { last += 1 }
    }
    expect(last > 2000, "only \(last) records")
    expect(flash.erasures > 100, "only \(flash.erasures) erasures")
}

func servosKeepToTheirPulses() {
    let shape = ServoShape(centre: 1500, perQuarter: 1000, shortest: 500, longest: 2500)
    let known = [(0, 1500), (90_000, 2500), (-90_000, 500), (45, 1501), (44, 1500), (-45, 1499), (400_000, 2500)]
    for (place, pulse) in known {
        expect(shape.pulse(Int32(place)) == UInt32(pulse), "\(place) gives \(shape.pulse(Int32(place)))")
    }
    let turned = ServoShape(centre: 1480, perQuarter: -900, shortest: 900, longest: 2000)
    expect([10_000, -90_000, 90_000].map { turned.pulse($0) } == [1380, 2000, 900], "reversed")
    var output = ServoOutput(shape, slew: 180, lag: 60, place: 0)
    expect(output.follow(90_000, isOn: false) == 0 && output.place == 0, "no pulse while off")
    for _ in 0..<100 { _ = output.follow(90_000, isOn: true) }
    expect(output.place == 18_000, "stays within its slew limit: \(output.place)")
    // Commanded to turn at 180 degrees a second: 60 ms behind, minus what it has not caught up with yet.
    expect((8_000...10_800).contains(output.place - output.position), "lags behind its pulse: \(output.position)")
    for _ in 0..<600 { _ = output.follow(18_000, isOn: true) }
    expect(
        abs(output.position - 18_000) < 5 && abs(output.rate) < 100, "reaches the goal in the end: \(output.position)")
}

func handsAreRead() {
    var contact = Contact(patience: 10, atBoot: true)
    expect(!(0..<50).contains { _ in contact.sample(true) }, "a press at boot is no event")
    expect(!(0..<50).contains { _ in contact.sample(false) }, "the release of a press at boot is no event")
    expect(!(0..<40).contains { contact.sample($0 % 10 != 9) }, "a bounce is no event")
    expect(
        (0..<10).map { _ in contact.sample(true) } == [Bool](repeating: false, count: 9) + [true],
        "a stable press is an event")
    var input = EmergencyInput()
    expect(input.sample(true) && input.isActive, "one sample stops")
    expect(
        !(0..<249).contains { _ in input.sample(false) } && input.sample(false) && !input.isActive,
        "the release takes 250 ms")
    var wheel = Wheel(edges: 65_534)
    expect([0, 2, 5, 1, 65_533].map { wheel.steps(UInt16($0)) } == [0, 1, 0, 0, -1], "steps over the wrap")
    var quadrature = Quadrature()
    for pins: UInt8 in [1, 3, 2, 0, 1, 3, 3, 1, 0, 3] { quadrature.sample(pins) }
    expect(quadrature.edges == 4, "\(quadrature.edges) edges")
}

recordsSurvive()
servosKeepToTheirPulses()
handsAreRead()
if failures > 0 { fatalError("\(failures) do not hold") }
