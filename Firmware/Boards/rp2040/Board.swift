internal import DockWire
internal import Support

typealias ThisBoard = Rp2040

/// Raspberry Pi Pico. Experimental: it builds and links, but was never flashed. For the pins see Firmware/README.md.
///
/// It stores nothing without power: SAVE is rejected, and the counter of boots only survives resets.
enum Rp2040: Board {
    static var model: WireText { "rp2040 servos" }
    static var capabilities: DockCapabilities { [.battery, .zoom, .trackingButton, .buttons, .emergencyInput] }
    /// The chip has none. Its flash has one, but it is not read.
    static var uniqueID: UInt64 { 0x5250_3230_3430_0001 }

    static func start() {
        let megahertz = PicoClocks.start()
        Self.startPins(megahertz: megahertz)
        // Derived from the crystal, whatever the processor's clock: 12 MHz / 16 / 115200 = 6 and 33/64.
        Uart.whole.value = 6
        Uart.part.value = 33
        Uart.format.value = 3 << 5 | 1 << 4
        Uart.control.value = 1 << 9 | 1 << 8 | 1
        Uart.mask.value = 1 << 6 | 1 << 4
        interrupt_enable(20)
        clock_start(megahertz)
    }

    /// Counts the crystal's microseconds, two at a time (erratum RP2040-E1): 100 ms.
    static func startWatchdog() {
        Register(0x4005_802C).value = 1 << 9 | 12
        Register(0x4001_0008).value = 0x1_FFFC
        feedWatchdog()
        Register(0x4005_8000).value = 1 << 30
    }

    static func feedWatchdog() { Register(0x4005_8004).value = 200_000 }

    static func interrupt(_ number: Int32) {
        while Uart.flags.value & 1 << 4 == 0 { received_put(UInt8(truncatingIfNeeded: Uart.data.value)) }
        Uart.clear.value = 1 << 6 | 1 << 4
    }

    static func send(_ byte: UInt8) -> Bool {
        guard Uart.flags.value & 1 << 5 == 0 else { return false }
        Uart.data.value = UInt32(byte)
        return true
    }

    static var isSent: Bool { Uart.flags.value & 1 << 3 == 0 }

    /// UART0.
    private enum Uart {
        static var data: Register { Register(0x4003_4000) }
        static var flags: Register { Register(0x4003_4018) }
        static var whole: Register { Register(0x4003_4024) }
        static var part: Register { Register(0x4003_4028) }
        static var format: Register { Register(0x4003_402C) }
        static var control: Register { Register(0x4003_4030) }
        static var mask: Register { Register(0x4003_4038) }
        static var clear: Register { Register(0x4003_4044) }
    }
}
