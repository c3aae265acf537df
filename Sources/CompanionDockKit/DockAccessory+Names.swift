public import Companion

/// The types that are the same in the library.
extension DockAccessory {
    /// Whether a dock is connected. `docked` means connected.
    public typealias State = Companion.DockAccessory.State
    /// The category of a dock.
    public typealias Category = Companion.DockAccessory.Category
    /// The position of tracked subjects in the frame.
    public typealias FramingMode = Companion.DockAccessory.FramingMode
    /// How a camera was held when it took a frame.
    public typealias CameraOrientation = Companion.DockAccessory.CameraOrientation
    /// Predefined motions.
    public typealias Animation = Companion.DockAccessory.Animation
    /// A motion in progress. It has the members of Foundation's class of that name that concern one task.
    public typealias Progress = Companion.DockAccessory.Progress
    /// The limits of the axes.
    public typealias Limits = Companion.DockAccessory.Limits
    /// The charge state of a battery.
    public typealias BatteryChargeState = Companion.DockAccessory.BatteryChargeState
    /// A person's use of the dock's buttons.
    public typealias AccessoryEvent = Companion.DockAccessory.AccessoryEvent
}
