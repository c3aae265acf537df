internal import DockWire
internal import Support
internal import _Volatile

typealias ThisBoard = RiscvVirt

/// QEMU's RISC-V machine "virt": a serial port (NS16550A) and no other part of a dock.
enum RiscvVirt: Board {
    static var model: WireText { "riscv32-virt" }
    static var capabilities: DockCapabilities { [] }
    static var uniqueID: UInt64 { 0x514D_4555_0032_0001 }

    private static func uart(_ register: UInt) -> VolatileMappedRegister<UInt8> {
        VolatileMappedRegister(unsafeBitPattern: 0x1000_0000 + register)
    }
    private static var hasByte: Bool { uart(5).load() & 1 != 0 }

    static func start() {
        // 8N1, FIFO with an interrupt at the first byte.
        uart(3).store(3)
        uart(2).store(7)
        uart(1).store(1)
        interrupt_enable(10)
        clock_start(0)
    }

    static func interrupt(_ number: Int32) {
        while hasByte { received_put(uart(0).load()) }
    }

    static func send(_ byte: UInt8) -> Bool {
        guard uart(5).load() & 1 << 5 != 0 else { return false }
        uart(0).store(byte)
        return true
    }
}
