public import ControlProtocol
public import Geometry

/// What a program shows on the screen, offers to programs that speak, or reports. None of it moves anything; distances
/// count in the automatic choice between people.
public enum ShowCommand: Sendable, Equatable {
    /// Draws over the picture for `time` seconds; no items remove the layer.
    case drawing(MeasuredLayer, time: Seconds)
    /// Shows an activity of the program. `process`: the process that asks, or nil if it is not known.
    case indicator(String, IndicatorState, text: String, process: Int32? = nil)
    /// Reports the state of an extension, for `time` seconds.
    case report(ExtensionReading, time: Seconds)
    /// Offers a sentence or a sound.
    case cue(Cue)
    /// Reports what a depth camera has measured, for `time` seconds.
    case distances(DistanceReport, time: Seconds)

    /// Returns the command that draws these items for `time` seconds.
    public static func layer(_ name: String, _ space: LayerSpace, _ items: [LayerItem], time: Seconds) -> ShowCommand {
        .drawing(MeasuredLayer(Layer(name: name, space: space, items: items)), time: time)
    }
}

/// A layer with its length, which is measured before the session takes its lock. Other threads wait for that lock.
public struct MeasuredLayer: Sendable, Equatable {
    /// The layer; its connection is not known yet.
    public let layer: Layer
    /// Its length as JSON, in bytes, with one digit for the number of its connection.
    public let bytes: Int

    /// Measures a layer.
    public init(_ layer: Layer) { (self.layer, bytes) = (layer, layer.json.bytes.count) }
}

/// A sentence or a sound for a program that plays them. Without one, nothing sounds.
public enum Cue: Sendable, Equatable {
    /// A sentence, and where the thing is that it is about, in radians, if it is about one.
    case say(String, CueUrgency, direction: PanTilt? = nil)
    /// A sound, by name, and where the thing is that it is about.
    case play(String, direction: PanTilt? = nil)
}
