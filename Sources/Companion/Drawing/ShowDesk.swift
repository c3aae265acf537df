internal import ControlProtocol
internal import DockTypes
internal import Geometry
internal import RobotFace

/// What other programs show: their layers, their indicators, the drawing of both, and the states of extensions.
struct ShowDesk: Sendable {
    var layers = LayerBoard()
    var indicators = IndicatorBoard()
    var extensions = ExtensionBoard()
    private var drawn: (drawing: OverlayDrawing, layers: Int, view: PictureView?) = (.empty, -1, nil)

    /// The name of the extension that records, and of the indicator that says so.
    static let recorder = "record"
    /// The name of the layer in which the extension that looks for things draws them, each with its mark.
    static let finder = "find"

    /// Whether a program says that it can record: as an extension, or by an indicator.
    var hasRecorder: Bool {
        extensions.all.contains { $0.name == Self.recorder && $0.state == .ready }
            || indicators.all.contains { $0.name == Self.recorder && $0.state != .fault }
    }

    /// Whether a program shows things with their marks.
    var showsThings: Bool { layers.layers.contains { $0.name == Self.finder } }

    /// Whether a program records, or nil if one is about to begin.
    var isRecording: Bool? {
        let states = indicators.all.filter { $0.name == Self.recorder }.map(\.state)
        if states.contains(where: { $0 == .on || $0 == .secure }) { return true }
        return states.contains(.trying) ? nil : false
    }

    /// Removes what a connection showed, because it has ended. Returns the topics that change.
    mutating func remove(client: Int) -> [Topic] {
        (layers.remove(client: client) ? [.layers] : []) + (indicators.remove(client: client) ? [.indicators] : [])
    }

    /// Returns the drawing of the layers. It has the same version as long as it looks the same.
    mutating func drawing(seenFrom view: PictureView?) -> OverlayDrawing {
        guard !layers.isEmpty else { return .empty }
        let view = layers.hasWorld ? view : nil
        let isSameView =
            switch (drawn.view, view) {
            case (nil, nil): true
            case (let old?, let new?): old.looksLike(new)
            default: false
            }
        guard drawn.layers != layers.version || !isSameView else { return drawn.drawing }
        let sketch = LayerSketch(layers: layers.layers, view: view)
        let drawing = OverlayDrawing(version: drawn.drawing.version + 1) { sketch.shapes }
        drawn = (drawing, layers.version, view)
        return drawing
    }
}

/// How the screen shows an indicator.
struct IndicatorMark: Equatable {
    var text: String
    var colour: TextColour

    /// The longest mark, in characters.
    static let longest = 32

    init(_ indicator: IndicatorReading) {
        let name = indicator.name == "record" ? "REC" : indicator.name.uppercased()
        // What concerns the people nearby is red; a mere connection is green.
        let isPublic = indicator.isPublic
        var words: String
        switch indicator.state {
        case .off: (words, colour) = (name, .grey)
        case .trying: (words, colour) = ("◌ \(name)", .orange)
        case .on: (words, colour) = ("● \(name)", isPublic ? .red : .green)
        case .secure: (words, colour) = ("● \(name) secure", isPublic ? .red : .green)
        case .fault: (words, colour) = ("× \(name) failed", .red)
        }
        if !indicator.text.isEmpty { words += ": " + indicator.text }
        text = words.count <= Self.longest ? words : words.prefix(Self.longest - 1) + "…"
    }

    /// Returns the indicator in words, for the status: "record on", "link fault: no server".
    static func words(_ indicator: IndicatorReading) -> String {
        "\(indicator.name) \(indicator.state.rawValue)" + (indicator.text.isEmpty ? "" : ": \(indicator.text)")
    }
}
