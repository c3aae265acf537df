internal import DockWire

/// What a board must bring. What it lacks it leaves out: nothing is pretended.
///
/// All of it is `static`: there is one board, and its state is its registers.
protocol Board {
    /// Name of the model, at most 16 bytes.
    static var model: WireText { get }
    /// What of ``DockCapabilities`` its hardware has.
    static var capabilities: DockCapabilities { get }
    /// The chip's own number; 0: it has none.
    static var uniqueID: UInt64 { get }
    associatedtype Storage: Flash = NoFlash
    /// Where settings and the counter of boots are kept without power; nil: nowhere.
    static var storage: Storage? { get }

    /// Clocks, pins, serial port, timers, and at the end `clock_start`; whatever it waits for has a time-out.
    static func start()
    /// From here on ``feedWatchdog()`` must be called every 100 ms.
    static func startWatchdog()
    static func feedWatchdog()
    static func interrupt(_ number: Int32)

    /// Sends a byte, or returns false while there is no room.
    static func send(_ byte: UInt8) -> Bool
    /// All that was given to ``send(_:)`` is on the line.
    static var isSent: Bool { get }

    /// Widths of the servos' pulses, microseconds; 0 = no pulse, the servo is limp.
    static func pulse(pan: UInt32, tilt: UInt32)
    /// No pulse any more, by registers alone: it is called from the fault handler.
    static func cutOutputs()
    /// What is pressed now, not debounced.
    static var pins: Pins { get }
    /// Edges of the zoom's encoder, modulo 2^16.
    static var edges: UInt16 { get }
    /// What stands at the battery's pin; nil: no battery can be measured.
    static var pinMillivolts: UInt32? { get }
    static func light(_ isOn: Bool)
}

/// What a board without the parts does.
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
