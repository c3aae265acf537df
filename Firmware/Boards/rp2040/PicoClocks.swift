/// The crystal of 12 MHz, and the processor's 125 MHz derived from it.
enum PicoClocks {
    /// Starts the clocks. Returns the processor's, MHz: 125, or 12 if the PLL does not lock.
    static func start() -> UInt32 {
        // The crystal needs about a millisecond to start.
        Register(0x4002_400C).value = 47
        Register(0x4002_4000).value = 0xFA_BAA0
        _ = Register(0x4002_4004).waitFor(1 << 31)
        Register(0x4000_8030).value = 2
        _ = Register(0x4000_8038).waitFor(1 << 2)
        // UART and ADC use the crystal. Without a clock they would not leave reset.
        Register(0x4000_8048).value = 1 << 11 | 4 << 5
        Register(0x4000_8060).value = 1 << 11 | 3 << 5
        // Take ADC, pins, pads, PLL, PWM and UART0 out of reset.
        let parts: UInt32 = 1 << 0 | 1 << 5 | 1 << 8 | 1 << 12 | 1 << 14 | 1 << 22
        Register(0x4000_F000).value = parts
        _ = Register(0x4000_C008).waitFor(parts)
        // 12 MHz * 125 / 6 / 2.
        Register(0x4002_8000).value = 1
        Register(0x4002_8008).value = 125
        Register(0x4002_B004).value = 1 << 5 | 1
        guard Register(0x4002_8000).waitFor(1 << 31) else { return 12 }
        Register(0x4002_800C).value = 6 << 16 | 2 << 12
        Register(0x4002_B004).value = 1 << 3
        Register(0x4000_803C).value = 1
        return Register(0x4000_8044).waitFor(1 << 1) ? 125 : 12
    }
}
