internal import DockWire

/// A control on a dock that can be pressed or turned.
public enum SimulatedButton: Sendable, Equatable {
    /// Takes a picture.
    case shutter
    /// Switches the camera.
    case flip
    /// Starts and ends tracking.
    case tracking
    /// Zooms by this number of steps of 0.2; negative zooms out.
    case zoom(steps: Int)
    /// A numbered button, 0...127.
    case button(id: UInt8)

    /// The events of a press and release.
    var events: [(kind: EventKind, value: Int16)] {
        switch self {
        case .shutter: [(.shutter, 1), (.shutter, 0)]
        case .flip: [(.flip, 1), (.flip, 0)]
        case .tracking: [(.trackingButton, 1), (.trackingButton, 0)]
        case .zoom(let steps): [(.zoom, Int16(clamping: steps))]
        case .button(let id): [(.button, Int16(id & 0x7F) << 8 | 1), (.button, Int16(id & 0x7F) << 8)]
        }
    }
}
