/// Sectors 2 and 3 of the chip's flash, 16 KiB each, after the firmware.
struct Stm32Flash: Flash {
    private static var keys: Register { Register(0x4002_3C04) }
    private static var status: Register { Register(0x4002_3C0C) }
    private static var control: Register { Register(0x4002_3C10) }
    private static let failures: UInt32 = 0xF2
    private static let program: UInt32 = 1, erase: UInt32 = 2, start: UInt32 = 1 << 16, lock: UInt32 = 1 << 31
    /// Word access, which needs at least 2.7 V.
    private static let words32: UInt32 = 2 << 8

    var words: Int { 4096 }

    private func place(_ index: Int, of sector: Int) -> Register {
        Register(UInt(0x0800_8000 + sector * 0x4000 + index * 4))
    }

    func word(_ index: Int, of sector: Int) -> UInt32 { place(index, of: sector).value }

    mutating func write(_ word: UInt32, at index: Int, of sector: Int) -> Bool {
        let place = place(index, of: sector)
        let isDone = change(Self.program | Self.words32) { place.value = word }
        return isDone && place.value == word
    }

    mutating func erase(_ sector: Int) -> Bool {
        let number = UInt32(sector + 2)
        return change(Self.erase | number << 3 | Self.words32) {
            Self.control.value = Self.erase | number << 3 | Self.words32 | Self.start
        }
    }

    private func change(_ mode: UInt32, _ act: () -> Void) -> Bool {
        Self.keys.value = 0x4567_0123
        Self.keys.value = 0xCDEF_89AB
        Self.status.value = Self.failures
        Self.control.value = mode
        act()
        // The processor stalls while its own flash is busy. The loop covers a flash that stays busy.
        var isDone = false
        for _ in 0..<2_000_000 where Self.status.value & 1 << 16 == 0 {
            isDone = Self.status.value & Self.failures == 0
            break
        }
        // The caches may hold the old content.
        Self.control.value = Self.lock
        let access = Register(0x4002_3C00)
        let enabled = access.value
        access.value = enabled & ~(3 << 9)
        access.value = enabled & ~(3 << 9) | 3 << 11
        access.value = enabled & ~(3 << 11)
        return isDone
    }
}
