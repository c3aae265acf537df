internal import DockControl
internal import DockTypes
internal import Geometry

/// What carries out the calls of a manager: a session in this program, or a daemon that already runs.
protocol DockRun: AnyObject, Sendable {
    /// What is known of the dock now.
    var snapshot: AccessorySnapshot { get }

    /// Carries out a command, and waits for its result.
    func perform(_ command: Command) async throws(DockError) -> Outcome

    /// Gives a command before all later ones, without waiting for its result.
    /// - Throws: a refusal that is known at once.
    func request(_ command: Command) throws(DockError)

    /// Calls `onEnd` when a motion has ended, or the run has. It calls it no more once the returned closure is called.
    func watch(_ motion: MotionID, onEnd: @escaping @Sendable (MotionOutcome) -> Void) -> @Sendable () -> Void

    /// The streams of a dock. They end with the run.
    func motionStates() throws(DockError) -> AsyncStream<DockAccessory.MotionState>
    func trackingStates() throws(DockError) -> AsyncStream<DockAccessory.TrackingState>
    func batteryStates() throws(DockError) -> AsyncStream<DockAccessory.BatteryState>
    func accessoryEvents() throws(DockError) -> AsyncStream<DockAccessory.AccessoryEvent>

    /// Asks the run to end. `DockAccessoryManager` waits for the end elsewhere.
    func requestEnd()
}
