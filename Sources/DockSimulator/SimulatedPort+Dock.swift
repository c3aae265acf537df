/// A simulated dock of our own on a pseudo-terminal.
public typealias SimulatedDockPort = SimulatedPort<SimulatedDock>

/// What has happened on the port of a simulated dock so far.
public struct PortStatistics: Sendable, Equatable {
    /// Good frames from the host.
    public var frames: UInt64
    /// Runs of bytes from the host that were no frame, or frames that were no message.
    public var invalidFrames: UInt64
    /// Set-points from the host, refused and stale ones included.
    public var setpoints: UInt64
    /// Those of them that are stops.
    public var stops: UInt64
    /// Set-points that the firmware dropped as too old since its boot.
    public var staleSetpoints: UInt32
    /// Bytes from the host.
    public var bytes: UInt64
    /// Bytes to the host that found no room.
    public var lostBytes: UInt64
    /// The largest speed of either axis, rad/s.
    public var maximumSpeed: Double
    /// How often the dock has booted.
    public var boots: Int
}

extension SimulatedPort where Device == SimulatedDock {
    /// Puts a dock on a new pseudo-terminal and starts it; `link` as with any device.
    public convenience init(
        configuration: SimulatedDock.Configuration = SimulatedDock.Configuration(), link: String? = nil
    ) throws(SimulatorError) {
        try self.init(link: link) { SimulatedDock(configuration: configuration, time: $0) }
    }

    /// The battery.
    public var battery: SimulatedBattery {
        get { withState { $0.dock.battery } }
        set { change { $0.battery = newValue } }
    }

    /// Somebody presses and lets go.
    public func press(_ button: SimulatedButton) { change { $0.press(button) } }

    /// Somebody presses the dock's own emergency button, or pulls it out again.
    public func emergency(_ isActive: Bool) { change { $0.setEmergencyInput(isActive) } }

    /// The dock gets too hot, or cool again.
    public func overTemperature(_ isTooHot: Bool) { change { $0.setOverTemperature(isTooHot) } }

    /// Whether the last complete frame of the host was a stop: SETPOINT mode 0.
    public var lastFrameWasStop: Bool { withState { $0.log.lastFrameWasStop } }

    /// What has happened so far.
    public var statistics: PortStatistics {
        withState { state in
            PortStatistics(
                frames: state.log.frames, invalidFrames: state.log.invalidFrames, setpoints: state.log.setpoints,
                stops: state.log.stops,
                staleSetpoints: state.dock.staleSetpoints, bytes: state.log.total, lostBytes: state.lostBytes,
                maximumSpeed: state.dock.maximumSpeedSeen, boots: state.dock.boots)
        }
    }
}
