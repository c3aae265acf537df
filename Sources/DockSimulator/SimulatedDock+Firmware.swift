internal import DockFirmware
internal import DockWire
internal import Geometry

/// The firmware of a simulated dock, with the model's limits.
extension SimulatedDock.Configuration {
    func firmware(bootID: UInt16, settings: FirmwareSettings) -> FirmwareConfiguration {
        var name = WireText()
        // DLP/1 has room for 16 bytes. A name that is cut would look like a mistake.
        let full = "simulated \(model.name)"
        for byte in (full.utf8.count <= 16 ? full : "simulated dock").utf8 { name.append(byte) }
        let identity = Identity(
            capabilities: [
                .pose, .battery, .shutter, .flip, .zoom, .trackingButton, .buttons, .emergencyInput, .save,
            ],
            firmware: FirmwareVersion(major: 1, minor: 0, patch: 0), hardware: 1, uniqueID: uniqueID, model: name,
            bootID: bootID)
        return FirmwareConfiguration(
            identity: identity, pan: limits(.pan), tilt: limits(.tilt),
            lagMilliseconds: Int32(model.lag * 1000), followingError: 6000, settings: settings)
    }

    /// The limits in the motor's direction.
    private func limits(_ axis: Axis) -> AxisLimits {
        let own = model.range(axis), range = inverted.contains(axis) ? -own.upperBound ... -own.lowerBound : own
        return AxisLimits(
            minimumPosition: milliDegrees(range.lowerBound), maximumPosition: milliDegrees(range.upperBound),
            velocity: UInt32(milliDegrees(model.maximumSpeed)),
            acceleration: UInt32(milliDegrees(model.maximumAcceleration)), jerk: 12_000_000)
    }
}

/// Milli-degrees from radians, clamped to ±2000 degrees, far outside any dock's range.
func milliDegrees(_ radians: Double) -> Int32 {
    let value = radians.inDegrees * 1000
    return value.isFinite ? Int32(value.clamped(to: -2_000_000...2_000_000).rounded()) : 0
}

/// Radians from milli-degrees.
func radians(_ milliDegrees: Int32) -> Double { .degrees(Double(milliDegrees) / 1000) }
