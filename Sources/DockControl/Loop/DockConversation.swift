internal import Geometry

/// The conversation with the dock: its driver, the reports that were read, and the bytes to be written.
///
/// Each message is appended to `bytes`. The loop writes them, at the end of the turn or at once.
struct DockConversation {
    /// The abilities of the driver and its dock.
    let abilities: DriverAbilities
    /// The reports of the last read that have not been handled yet.
    private(set) var reports: [DockReport] = []
    /// The messages of this turn.
    private(set) var bytes: [UInt8] = []
    private var driver: any DockDriver

    /// Creates a conversation that has not begun.
    init(driver: any DockDriver) {
        self.driver = driver
        abilities = driver.abilities
        reports.reserveCapacity(64)
        bytes.reserveCapacity(512)
    }

    /// The bytes so far that no message of the protocol contains.
    var invalidBytes: Int { driver.invalidBytes }

    /// What is wrong with the dock as it is set up.
    var findings: [String] { driver.findings }

    // MARK: From the dock

    /// Decodes received bytes into `reports`.
    mutating func receive(_ received: UnsafeRawBufferPointer, now: Seconds) {
        driver.receive(received, now: now, into: &reports)
    }

    /// Records that the reports were handled.
    mutating func endReports() { reports.removeAll(keepingCapacity: true) }

    // MARK: The driver's own messages

    /// Begins a greeting. A motionless one does not switch the torque on.
    mutating func begin(now: Seconds, motionless: Bool) { driver.begin(now: now, motionless: motionless) }

    /// Continues the driver's own messages.
    /// - Returns: when to call this again.
    mutating func service(now: Seconds) -> Seconds { driver.service(now: now, into: &bytes) }

    /// Records that the port accepted only a part of the driver's last messages.
    mutating func wasCut() { driver.wasCut() }

    /// Polls the dock at a high rate, or at the rate for a dock at rest.
    mutating func setActive(_ active: Bool) { driver.setActive(active, into: &bytes) }

    /// Records the magnification of the rig's camera.
    mutating func zoom(to magnification: Double) { driver.zoom(to: magnification) }

    // MARK: To the dock

    /// Appends a set-point.
    mutating func setpoint(_ setpoint: DockSetpoint, now: Seconds) { driver.encode(setpoint, now: now, into: &bytes) }

    /// Appends the bytes that make the dock skip the rest of a truncated message.
    mutating func resync() { driver.encodeResync(into: &bytes) }

    /// Appends a stop.
    mutating func stop() { driver.encodeStop(into: &bytes) }

    /// Appends an emergency stop.
    mutating func emergencyStop() { driver.encodeEmergencyStop(into: &bytes) }

    /// Appends a request to release the latch.
    mutating func clear() { driver.encodeClear(into: &bytes) }

    /// Appends a torque command.
    mutating func torque(_ on: Bool) { driver.encodeTorque(on, into: &bytes) }

    /// Notifies the driver that the torque must be off, without sending a message: the next greeting takes care of it.
    mutating func releaseAtGreeting() {
        var unsent: [UInt8] = []
        driver.encodeTorque(false, into: &unsent)
    }

    /// Discards the bytes that were not written.
    mutating func discard() { bytes.removeAll(keepingCapacity: true) }

    /// Returns a stop by itself, for the guard or for a moment when the turn's bytes must remain.
    mutating func separateStop() -> [UInt8] {
        var stop: [UInt8] = []
        driver.encodeStop(into: &stop)
        return stop
    }
}
