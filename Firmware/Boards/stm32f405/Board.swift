internal import DockWire
internal import Support

typealias ThisBoard = Stm32F405

/// STM32F405 and related chips on a Nucleo (F401, F411, F446). Uses only registers that all of them have. For the pins
/// see Firmware/README.md.
enum Stm32F405: Board {
    static var model: WireText { "stm32f405 servos" }
    static var capabilities: DockCapabilities { [.battery, .zoom, .trackingButton, .buttons, .emergencyInput] }

    /// An emulator has no clock tree, and then no pins, ADC or flash controller either: all of them read as zero.
    static var isEmulated: Bool { Clocks.isEmulated }

    /// The 96-bit id of the chip, folded to 64 bits.
    static var uniqueID: UInt64 {
        guard !isEmulated else { return 0x514D_4555_F405_0001 }
        let low = Register(0x1FFF_7A10).value, middle = Register(0x1FFF_7A14).value
        let high = Register(0x1FFF_7A18).value
        return UInt64(low ^ high &* 0x9E37_79B1) << 32 | UInt64(middle ^ high)
    }

    static var storage: Stm32Flash? { isEmulated ? nil : Stm32Flash() }

    static func start() {
        let megahertz = Clocks.start()
        Self.startPins()
        Self.startServos(megahertz: megahertz)
        // 16 times oversampled. If the PLL runs, APB1 has half the clock.
        let bus = megahertz == 84 ? 42_000_000 : megahertz * 1_000_000
        Usart.rate.value = (bus + 57_600) / 115_200
        Usart.control.value = 1 << 13 | 1 << 5 | 1 << 3 | 1 << 2
        interrupt_enable(38)
        clock_start(isEmulated ? 168 : megahertz)
    }

    /// 8 kHz from the chip's slow oscillator (32 kHz nominal, 17...47 kHz): 100 ms, in the worst case 68 to 190 ms.
    static func startWatchdog() {
        // Start its oscillator first, because that takes over the settings.
        Watchdog.key.value = 0xCCCC
        Watchdog.key.value = 0x5555
        Watchdog.prescaler.value = 0
        Watchdog.reload.value = 800
        _ = Watchdog.status.waitUntilClear(3)
        feedWatchdog()
    }

    static func feedWatchdog() { Watchdog.key.value = 0xAAAA }

    static func interrupt(_ number: Int32) {
        // Reading the data register also clears an overrun.
        let status = Usart.status.value
        guard status & (1 << 5 | 1 << 3) != 0 else { return }
        let byte = UInt8(truncatingIfNeeded: Usart.data.value)
        if status & 1 << 5 != 0 { received_put(byte) }
    }

    static func send(_ byte: UInt8) -> Bool {
        guard Usart.status.value & 1 << 7 != 0 else { return false }
        Usart.data.value = UInt32(byte)
        return true
    }

    static var isSent: Bool { Usart.status.value & 1 << 6 != 0 }

    /// USART2.
    private enum Usart {
        static var status: Register { Register(0x4000_4400) }
        static var data: Register { Register(0x4000_4404) }
        static var rate: Register { Register(0x4000_4408) }
        static var control: Register { Register(0x4000_440C) }
    }

    /// IWDG.
    private enum Watchdog {
        static var key: Register { Register(0x4000_3000) }
        static var prescaler: Register { Register(0x4000_3004) }
        static var reload: Register { Register(0x4000_3008) }
        static var status: Register { Register(0x4000_300C) }
    }
}
