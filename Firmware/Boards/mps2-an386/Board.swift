internal import DockWire
internal import Support

typealias ThisBoard = Mps2

/// Arm's MPS2 with a Cortex-M4 (AN386), as in QEMU: serial port, LED and a working watchdog. It has no servos, inputs,
/// battery or flash.
enum Mps2: Board {
    static var model: WireText { "mps2-an386" }
    static var capabilities: DockCapabilities { [] }
    static var uniqueID: UInt64 { 0x514D_4555_0386_0001 }

    static func start() {
        // The smallest divider, because QEMU's line has no speed.
        Uart.divider.value = 16
        Uart.control.value = 1 << 3 | 1 << 1 | 1
        interrupt_enable(0)
        clock_start(25)
    }

    /// It interrupts after 50 ms, which is a fault here, and resets the board after another 50 ms.
    static func startWatchdog() {
        Watchdog.lock.value = 0x1ACC_E551
        Watchdog.load.value = 50 * 25_000
        Watchdog.control.value = 3
    }

    static func feedWatchdog() { Watchdog.clear.value = 1 }

    static func interrupt(_ number: Int32) {
        Uart.pending.value = 1 << 1
        while Uart.state.value & 1 << 1 != 0 { received_put(UInt8(truncatingIfNeeded: Uart.data.value)) }
    }

    static func send(_ byte: UInt8) -> Bool {
        guard Uart.state.value & 1 == 0 else { return false }
        Uart.data.value = UInt32(byte)
        return true
    }

    static func light(_ isOn: Bool) { Register(0x4002_8000).value = isOn ? 1 : 0 }

    private enum Uart {
        static var data: Register { Register(0x4000_4000) }
        static var state: Register { Register(0x4000_4004) }
        static var control: Register { Register(0x4000_4008) }
        static var pending: Register { Register(0x4000_400C) }
        static var divider: Register { Register(0x4000_4010) }
    }
    private enum Watchdog {
        static var load: Register { Register(0x4000_8000) }
        static var control: Register { Register(0x4000_8008) }
        static var clear: Register { Register(0x4000_800C) }
        static var lock: Register { Register(0x4000_8C00) }
    }
}
