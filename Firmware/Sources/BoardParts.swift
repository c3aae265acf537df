internal import DockWire

/// The requirements for a board. It omits the parts that it lacks.
///
/// All members are `static`: there is one board, and its state is in its registers.
protocol Board {
    /// Name of the model, at most 16 bytes.
    static var model: WireText { get }
    /// The ``DockCapabilities`` of its hardware.
    static var capabilities: DockCapabilities { get }
    /// The chip's unique number; 0 if it has none.
    static var uniqueID: UInt64 { get }
    associatedtype Storage: Flash = NoFlash
    /// Persistent storage for settings and the counter of boots; nil if there is none.
    static var storage: Storage? { get }

    /// Starts clocks, pins, serial port and timers, and finally calls `clock_start`. Every wait in it has a timeout.
    static func start()
    /// After this, ``feedWatchdog()`` must be called every 100 ms.
    static func startWatchdog()
    static func feedWatchdog()
    static func interrupt(_ number: Int32)

    /// Sends a byte, or returns false if there is no room.
    static func send(_ byte: UInt8) -> Bool
    /// Whether everything passed to ``send(_:)`` is on the line.
    static var isSent: Bool { get }

    /// Sets the widths of the servos' pulses, microseconds; 0 = no pulse, and the servo is limp.
    static func pulse(pan: UInt32, tilt: UInt32)
    /// Ends all pulses by register access only, because the fault handler calls it.
    static func cutOutputs()
    /// The inputs that are pressed now, not debounced.
    static var pins: Pins { get }
    /// Edges of the zoom encoder, modulo 2^16.
    static var edges: UInt16 { get }
    /// Voltage at the battery's pin; nil if no battery can be measured.
    static var pinMillivolts: UInt32? { get }
    static func light(_ isOn: Bool)
}

/// Defaults for a board without these parts.
extension Board {
    static var storage: Storage? { nil }
    static func startWatchdog() {}
    static func feedWatchdog() {}
    static var isSent: Bool { true }
    static func pulse(pan: UInt32, tilt: UInt32) {}
    static func cutOutputs() {}
    static var pins: Pins { [] }
    static var edges: UInt16 { 0 }
    static var pinMillivolts: UInt32? { nil }
    static func light(_ isOn: Bool) {}
}

@c(board_interrupt) func boardInterrupt(_ number: Int32) { ThisBoard.interrupt(number) }
@c(board_cut_outputs) func boardCutOutputs() { ThisBoard.cutOutputs() }
