public import Geometry

/// A simulated dock of our own on a pseudo-terminal.
public typealias SimulatedDockPort = SimulatedPort<SimulatedDock>

/// Statistics of a simulated dock's port.
public struct PortStatistics: Sendable, Equatable {
    /// Valid frames from the host.
    public var frames: UInt64
    /// Runs of bytes from the host that were not a frame, or frames that were not a message.
    public var invalidFrames: UInt64
    /// Set-points from the host, including rejected and stale ones.
    public var setpoints: UInt64
    /// Number of these that are stops.
    public var stops: UInt64
    /// Set-points that the firmware dropped as too old since its boot.
    public var staleSetpoints: UInt32
    /// Bytes from the host.
    public var bytes: UInt64
    /// Bytes to the host that were lost for lack of room.
    public var lostBytes: UInt64
    /// The largest speed of either axis, rad/s.
    public var maximumSpeed: Double
    /// How far the firmware has driven each axis, in both directions together, whether or not it turned; rad.
    public var commandedTravel: PanTilt
    /// Number of boots of the dock.
    public var boots: Int
}

extension SimulatedPort where Device == SimulatedDock {
    /// Puts a dock on a new pseudo-terminal and starts it. `link` is as for any device.
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

    /// Presses and releases a button.
    public func press(_ button: SimulatedButton) { change { $0.press(button) } }

    /// Presses or releases the dock's own emergency button.
    public func emergency(_ isActive: Bool) { change { $0.setEmergencyInput(isActive) } }

    /// Makes the dock too hot, or cool again.
    public func overTemperature(_ isTooHot: Bool) { change { $0.setOverTemperature(isTooHot) } }

    /// Whether the last complete frame of the host was a stop: SETPOINT mode 0.
    public var lastFrameWasStop: Bool { withState { $0.log.lastFrameWasStop } }

    /// The statistics so far.
    public var statistics: PortStatistics {
        withState { state in
            PortStatistics(
                frames: state.log.frames, invalidFrames: state.log.invalidFrames, setpoints: state.log.setpoints,
                stops: state.log.stops,
                staleSetpoints: state.dock.staleSetpoints, bytes: state.log.total, lostBytes: state.lostBytes,
                maximumSpeed: state.dock.maximumSpeedSeen, commandedTravel: state.dock.commandedTravel,
                boots: state.dock.boots)
        }
    }
}
