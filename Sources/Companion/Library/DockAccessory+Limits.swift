internal import DockControl
public import DockTypes
internal import Geometry
internal import Processes

/// The range and speed of the axes, as far as a program may narrow them.
extension DockAccessory {
    /// The present limits. Roll is nil because no supported rig has this axis.
    /// - Throws: `notConnected` before they are known, and after the manager was closed.
    public var limits: Limits {
        get throws(DockError) {
            guard let (pan, tilt) = try manager.running().snapshot.limits else {
                throw DockError(.notConnected, "the limits are not known yet", hint: "wait for the state docked")
            }
            let pitch = -tilt.range.upperBound..<(-tilt.range.lowerBound)
            return Limits(
                yaw: try Limit(
                    positionRange: pan.range.lowerBound..<pan.range.upperBound, maximumSpeed: pan.maxSpeed ?? 1),
                pitch: try Limit(positionRange: pitch, maximumSpeed: tilt.maxSpeed ?? 1))
        }
    }

    /// Narrows the rig's limits until they are set again or the run ends. Nil restores the rig's own limit of an axis.
    /// - Throws: `invalidParameter` if all are nil, `notSupportedByDevice` for roll, `limitReached` outside the rig's
    ///   limits, `busy` if a person or another program controls the dock, and `notConnected` if there is no run.
    public func setLimits(_ limits: Limits) async throws(DockError) {
        let (pan, tilt) = try Self.changes(limits)
        _ = try await manager.perform(.motion(.setLimits(pan: pan, tilt: tilt)))
    }

    /// Narrows the rig's limits like `setLimits(_:)`, but returns at once. The limits are in force before the next
    /// motion begins.
    /// - Throws: the errors of `setLimits(_:)`. If the session refuses the limits later, they stay as they were.
    public func requestLimits(_ limits: Limits) throws(DockError) {
        let (pan, tilt) = try Self.changes(limits)
        try manager.running().request(.motion(.setLimits(pan: pan, tilt: tilt)))
    }

    /// Restores the rig's own limits.
    /// - Throws: `busy` if a person or another program controls the dock, and `notConnected` if there is no run.
    public func resetLimits() async throws(DockError) {
        _ = try await manager.perform(.motion(.setLimits(pan: .own, tilt: .own)))
    }

    /// Returns what the loop changes for the limits.
    private static func changes(_ limits: Limits) throws(DockError) -> (pan: LimitChange, tilt: LimitChange) {
        guard limits.roll == nil else { throw noRoll }
        guard limits.yaw != nil || limits.pitch != nil else {
            throw DockError(.invalidParameter, "no limit is given", hint: "resetLimits() restores the rig's own limits")
        }
        let pan = limits.yaw.map {
            LimitChange.set(
                low: $0.positionRange.lowerBound, high: $0.positionRange.upperBound, speed: $0.maximumSpeed)
        }
        let tilt = limits.pitch.map {
            LimitChange.set(
                low: -$0.positionRange.upperBound, high: -$0.positionRange.lowerBound, speed: $0.maximumSpeed)
        }
        return (pan ?? .own, tilt ?? .own)
    }
}
