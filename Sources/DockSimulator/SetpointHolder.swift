internal import DockFirmware
internal import DockWire
internal import Geometry

/// Makes a firmware with a deadman timer behave like a foreign rig without one, which repeats its last command
/// indefinitely.
///
/// It is placed between link and firmware, passes the host's bytes on in whole runs, and removes deadman time and age
/// from the set-points. It sends the newest one to the firmware repeatedly. The real firmware therefore needs no switch
/// to disable its deadman timer. Such a switch could one day be on in a real dock.
struct SetpointHolder: Sendable {
    private var run: [UInt8] = []
    private var decoder = FrameDecoder()
    private var held: (setpoint: Setpoint, sequence: UInt8)?
    private var due: Seconds = .infinity
    /// Number of repeated set-points, modulo 2^32.
    private(set) var repeated: UInt32 = 0

    /// Interval of the repetitions, seconds. The dock's longest deadman time is 1 s.
    private static let period: Seconds = 0.25
    private static let longestDeadman: UInt8 = 100

    /// Takes a byte from the host.
    mutating func receive(_ byte: UInt8, _ firmware: inout DockFirmware, time: Seconds, now: UInt32) {
        run.append(byte)
        guard byte == 0 || run.count > FrameDecoder.longestRun else { return }
        defer { run.removeAll(keepingCapacity: true) }
        var message: HostMessage?
        var sequence: UInt8 = 0
        for byte in run {
            do throws(WireError) {
                guard let frame = try decoder.push(byte) else { continue }
                sequence = frame.sequence
                message = try HostMessage(frame)
            } catch { continue }  // the firmware finds the same error
        }
        guard case .setpoint(var setpoint) = message else {
            for byte in run { firmware.receive(byte, now: now) }
            if let message, Self.ends(message) { forget() }
            return
        }
        setpoint.deadman = Self.longestDeadman
        setpoint.sentMicroseconds = 0
        if give(setpoint, sequence, &firmware, now: now) {
            held = setpoint.mode == .idle ? nil : (setpoint, sequence)
            due = held == nil ? .infinity : time + Self.period
        }
    }

    /// Repeats the set-point when it is due. A latched dock accepts none.
    mutating func tick(_ firmware: inout DockFirmware, time: Seconds, now: UInt32) {
        guard time >= due, let held else { return }
        due = time + Self.period
        guard !firmware.isEmergencyStopped, firmware.fault == FaultCode.none else { return }
        if give(held.setpoint, held.sequence, &firmware, now: now) { repeated &+= 1 }
    }

    /// Sends a set-point. Returns whether the firmware accepted it.
    private func give(
        _ setpoint: Setpoint, _ sequence: UInt8, _ firmware: inout DockFirmware, now: UInt32
    ) -> Bool {
        var encoder = FrameEncoder(firstSequence: sequence)
        let before = firmware.counters.setpoints
        for byte in encoder.encode(.setpoint(setpoint)).array { firmware.receive(byte, now: now) }
        return firmware.counters.setpoints != before
    }

    private mutating func forget() {
        held = nil
        due = .infinity
    }

    /// Messages after which the dock stands or moves by itself.
    private static func ends(_ message: HostMessage) -> Bool {
        switch message {
        case .hello, .torque, .home, .emergencyStop, .reboot: true
        default: false
        }
    }
}
