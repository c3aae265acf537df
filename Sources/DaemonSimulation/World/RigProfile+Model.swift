internal import DockControl
internal import DockSimulator
internal import Geometry

extension RigProfile {
    /// Creates the checked profile of a simulated rig.
    /// - Parameter margin: how far the soft limits are inside the mechanical ones, rad.
    init(of model: RigModel, margin: Double = 0) {
        func axis(_ range: ClosedRange<Double>) -> AxisProfile {
            var axis = AxisProfile(
                range: range.lowerBound + margin...range.upperBound - margin, maxSpeed: model.maximumSpeed,
                maxAcceleration: model.maximumAcceleration)
            axis.lag = model.lag
            return axis
        }
        self.init(name: model.name, driver: "dlp", pan: axis(model.panRange), tilt: axis(model.tiltRange))
        commandLatency = model.commandLatency
        verified = true
    }
}
