import Geometry
import Testing

@testable import Companion

/// Which connection gets a place at the control socket, and which one it displaces.
@Suite struct ControlTestsPlaces {
    private typealias Seat = ControlPlaces.Seat

    /// The given number of connections of one process, numbered from `first`.
    private static func seats(
        _ count: Int, peer: Int32, first: Int = 1, at time: Seconds = 0, provisional: Bool = false
    ) -> [Seat] {
        (0..<count).map {
            Seat(number: first + $0, peer: peer, arrivedAt: time, heardAt: time, isProvisional: provisional)
        }
    }

    @Test func `up to 256 are admitted, and one more gets a provisional place if no process has more than its share`() {
        let full = (0..<256).map { Seat(number: $0, peer: Int32(100 + $0 / 16), arrivedAt: 0, heardAt: 10) }
        #expect(ControlPlaces(seats: Array(full.dropLast())).admit(7, now: 10) == .ordinary(leaves: nil))
        #expect(ControlPlaces(seats: full).admit(7, now: 10) == .provisional(leaves: nil))
    }

    @Test func `the process with the most connections gives way to another one, and not to itself`() {
        var seats = Self.seats(250, peer: 1) + Self.seats(6, peer: 2, first: 1000)
        #expect(
            ControlPlaces(seats: seats).admit(3, now: 1) == .ordinary(leaves: 250), "the newest of the largest process")
        #expect(ControlPlaces(seats: seats).admit(2, now: 1) == .ordinary(leaves: 250))
        #expect(ControlPlaces(seats: seats).admit(1, now: 1) == .provisional(leaves: nil))
        seats[5].isIdle = true
        #expect(ControlPlaces(seats: seats).admit(3, now: 1) == .ordinary(leaves: 6), "an idle one first")
        seats[5].isKept = true
        #expect(
            ControlPlaces(seats: seats).admit(3, now: 1) == .ordinary(leaves: 250), "but never the holder of the lease")
        seats[252].isGone = true
        #expect(ControlPlaces(seats: seats).admit(1, now: 1) == .ordinary(leaves: 1002), "one whose process is gone")
    }

    @Test
    func `the longest silent connection leaves for a modest process, and only its own for one that forgets to close`() {
        var seats = (0..<256).map { Seat(number: $0, peer: Int32(100 + $0 / 16), arrivedAt: 0, heardAt: 10) }
        for (number, heard) in [(3, 6.9), (40, 6.5), (41, 7.5)] {
            (seats[number].isIdle, seats[number].heardAt) = (true, heard)
        }
        #expect(ControlPlaces(seats: seats).admit(7, now: 10) == .ordinary(leaves: 40))
        #expect(ControlPlaces(seats: seats).admit(7, now: 9.4) == .provisional(leaves: nil), "none is silent for 3 s")
        let forgetful = Self.seats(250, peer: 1).map { seat in
            var seat = seat
            (seat.isIdle, seat.heardAt) = (true, Double(seat.number))
            return seat
        }
        var idle = Seat(number: 900, peer: 2, arrivedAt: 0, heardAt: -100)
        idle.isIdle = true
        let all = forgetful + [idle] + Self.seats(5, peer: 3, first: 1000)
        #expect(ControlPlaces(seats: all).admit(1, now: 300) == .ordinary(leaves: 1))
    }

    @Test
    func
        `if the reserve is full the oldest of the largest process leaves, and a single one only after its minimum stay`()
    {
        let full = Self.seats(256, peer: 1)
        let crowd = Self.seats(63, peer: 1, first: 500, at: 5, provisional: true)
        let other = Self.seats(1, peer: 2, first: 400, at: 5, provisional: true)
        #expect(ControlPlaces(seats: full + other + crowd).admit(1, now: 5) == .provisional(leaves: 500))
        let forks = (0..<64).map {
            Seat(number: 500 + $0, peer: Int32(500 + $0), arrivedAt: 5, heardAt: 5, isProvisional: true)
        }
        let singles = ControlPlaces(seats: full + forks)
        #expect(singles.admit(1, now: 5.02) == .later(5 + ControlPlaces.stay))
        #expect(singles.admit(1, now: 5.06) == .provisional(leaves: 500))
    }

    @Test func `without descriptors the largest process gives way, then provisional connections`() {
        let mine = Self.seats(4, peer: 2, first: 100)
        let places = ControlPlaces(seats: Self.seats(20, peer: 1) + mine)
        #expect(places.leaverWithoutDescriptors(now: 1) == .provisional(leaves: 20))
        #expect(places.leaverForDescriptors(of: 2) == 20 && places.leaverForDescriptors(of: 1) == nil)
        #expect(ControlPlaces(seats: mine).leaverForDescriptors(of: 1) == nil, "four are not too many for any process")
        let provisional = Self.seats(8, peer: 3, first: 200, at: 1, provisional: true)
        #expect(ControlPlaces(seats: mine + provisional).leaverWithoutDescriptors(now: 1) == .provisional(leaves: 200))
        #expect(ControlPlaces(seats: mine).leaverWithoutDescriptors(now: 1) == .later(1 + ControlPlaces.stay))
    }
}
