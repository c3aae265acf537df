/// The chip's own 16 MHz oscillator, multiplied by 21 and divided by 4 with the PLL: 84 MHz, which the whole family
/// supports.
///
/// No crystal is needed. At room temperature the oscillator is accurate to 1 %, and a serial port tolerates 3 %.
enum Clocks {
    private static var control: Register { Register(0x4002_3800) }
    private static var pll: Register { Register(0x4002_3804) }
    private static var configuration: Register { Register(0x4002_3808) }
    private static var flash: Register { Register(0x4002_3C00) }

    /// A real chip never reads zero here, because its oscillator must run.
    static var isEmulated: Bool { control.value == 0 }

    /// Starts the clocks. Returns the processor's, MHz: 84, or 16 if the PLL does not start.
    static func start() -> UInt32 {
        let megahertz: UInt32 = isEmulated || !startPLL() ? 16 : 84
        Register(0x4002_3830).change(0x7, to: 0x7)  // GPIOA, B, C
        Register(0x4002_3840).change(1 << 17 | 1 << 2 | 1 << 1, to: 1 << 17 | 1 << 2 | 1 << 1)  // USART2, TIM4, TIM3
        Register(0x4002_3844).change(1 << 8, to: 1 << 8)  // ADC1
        return megahertz
    }

    private static func startPLL() -> Bool {
        // The regulator's lower scale is enough for 84 MHz, and an F401 requires it.
        Register(0x4002_3840).change(1 << 28, to: 1 << 28)
        Register(0x4000_7000).change(3 << 14, to: 2 << 14)
        // M 16, N 336, P 4, Q 7. The other bits keep their reset values, because an F446 has a fourth divider there
        // that must not be 0.
        pll.change(0x3F | 0x1FF << 6 | 3 << 16 | 1 << 22 | 0xF << 24, to: 16 | 336 << 6 | 1 << 16 | 7 << 24)
        control.change(1 << 24, to: 1 << 24)
        guard control.waitFor(1 << 25) else { return false }
        // Two wait states and the caches before the faster clock; APB1 divided by two.
        flash.value = 2 | 1 << 8 | 1 << 9 | 1 << 10
        configuration.change(7 << 10, to: 4 << 10)
        configuration.change(3, to: 2)
        return configuration.waitFor(2 << 2)
    }
}
