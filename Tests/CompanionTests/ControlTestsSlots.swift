import Geometry
import Testing

@testable import Companion

/// Which connection gets a slot at the control socket, and which one it displaces.
@Suite struct ControlTestsSlots {
    private typealias Slot = ConnectionSlots.Slot

    /// The given number of connections of one process, numbered from `first`.
    private static func slots(
        _ count: Int, peer: Int32, first: Int = 1, at time: Seconds = 0, provisional: Bool = false
    ) -> [Slot] {
        (0..<count).map {
            Slot(number: first + $0, peer: peer, arrivedAt: time, heardAt: time, isProvisional: provisional)
        }
    }

    @Test func `up to 256 are admitted, and one more gets a provisional slot if no process has more than its share`() {
        let full = (0..<256).map { Slot(number: $0, peer: Int32(100 + $0 / 16), arrivedAt: 0, heardAt: 10) }
        #expect(ConnectionSlots(slots: Array(full.dropLast())).admit(7, now: 10) == .ordinary(leaves: nil))
        #expect(ConnectionSlots(slots: full).admit(7, now: 10) == .provisional(leaves: nil))
    }

    @Test func `the process with the most connections gives way to another one, and not to itself`() {
        var slots = Self.slots(250, peer: 1) + Self.slots(6, peer: 2, first: 1000)
        #expect(
            ConnectionSlots(slots: slots).admit(3, now: 1) == .ordinary(leaves: 250),
            "the newest of the largest process")
        #expect(ConnectionSlots(slots: slots).admit(2, now: 1) == .ordinary(leaves: 250))
        #expect(ConnectionSlots(slots: slots).admit(1, now: 1) == .provisional(leaves: nil))
        slots[5].isIdle = true
        #expect(ConnectionSlots(slots: slots).admit(3, now: 1) == .ordinary(leaves: 6), "an idle one first")
        slots[5].isKept = true
        #expect(
            ConnectionSlots(slots: slots).admit(3, now: 1) == .ordinary(leaves: 250),
            "but never the holder of the lease")
        slots[252].isGone = true
        #expect(ConnectionSlots(slots: slots).admit(1, now: 1) == .ordinary(leaves: 1002), "one whose process is gone")
    }

    @Test
    func `the longest silent connection leaves for a modest process, and only its own for one that forgets to close`() {
        var slots = (0..<256).map { Slot(number: $0, peer: Int32(100 + $0 / 16), arrivedAt: 0, heardAt: 10) }
        for (number, heard) in [(3, 6.9), (40, 6.5), (41, 7.5)] {
            (slots[number].isIdle, slots[number].heardAt) = (true, heard)
        }
        #expect(ConnectionSlots(slots: slots).admit(7, now: 10) == .ordinary(leaves: 40))
        #expect(ConnectionSlots(slots: slots).admit(7, now: 9.4) == .provisional(leaves: nil), "none is silent for 3 s")
        let forgetful = Self.slots(250, peer: 1).map { slot in
            var slot = slot
            (slot.isIdle, slot.heardAt) = (true, Double(slot.number))
            return slot
        }
        var idle = Slot(number: 900, peer: 2, arrivedAt: 0, heardAt: -100)
        idle.isIdle = true
        let all = forgetful + [idle] + Self.slots(5, peer: 3, first: 1000)
        #expect(ConnectionSlots(slots: all).admit(1, now: 300) == .ordinary(leaves: 1))
    }

    @Test
    func
        `if the reserve is full the oldest of the largest process leaves, and a single one only after its minimum stay`()
    {
        let full = Self.slots(256, peer: 1)
        let crowd = Self.slots(63, peer: 1, first: 500, at: 5, provisional: true)
        let other = Self.slots(1, peer: 2, first: 400, at: 5, provisional: true)
        #expect(ConnectionSlots(slots: full + other + crowd).admit(1, now: 5) == .provisional(leaves: 500))
        let forks = (0..<64).map {
            Slot(number: 500 + $0, peer: Int32(500 + $0), arrivedAt: 5, heardAt: 5, isProvisional: true)
        }
        let singles = ConnectionSlots(slots: full + forks)
        #expect(singles.admit(1, now: 5.02) == .later(5 + ConnectionSlots.stay))
        #expect(singles.admit(1, now: 5.06) == .provisional(leaves: 500))
    }

    @Test func `without descriptors the largest process gives way, then provisional connections`() {
        let mine = Self.slots(4, peer: 2, first: 100)
        let slots = ConnectionSlots(slots: Self.slots(20, peer: 1) + mine)
        #expect(slots.evictionWithoutDescriptors(now: 1) == .provisional(leaves: 20))
        #expect(slots.evictionForDescriptors(of: 2) == 20 && slots.evictionForDescriptors(of: 1) == nil)
        #expect(
            ConnectionSlots(slots: mine).evictionForDescriptors(of: 1) == nil, "four are not too many for any process")
        let provisional = Self.slots(8, peer: 3, first: 200, at: 1, provisional: true)
        #expect(
            ConnectionSlots(slots: mine + provisional).evictionWithoutDescriptors(now: 1) == .provisional(leaves: 200))
        #expect(ConnectionSlots(slots: mine).evictionWithoutDescriptors(now: 1) == .later(1 + ConnectionSlots.stay))
    }
}
