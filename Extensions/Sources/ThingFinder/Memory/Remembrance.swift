public import ControlProtocol
public import Geometry
internal import PlainText

/// Where a thing was found.
public struct Remembrance: Sendable, Equatable {
    /// How its owner calls it: the wish.
    public var name: String
    /// What the detector calls it.
    public var label: String
    /// Its direction, and how far that may be wrong, in radians.
    public var bearing: PanTilt, spread: Double
    /// How large it looks, in radians.
    public var width: Double, height: Double
    /// When it was seen last, and when it was last asked for, in seconds since 1970.
    public var seen: Seconds, used: Seconds
    /// How likely it is still there, 0...1.
    public var certainty: Double
    /// Whether a verifier has confirmed it.
    public var isVerified: Bool
    /// The poses from which a detector has named it, in radians, surest first, at most 4. Elsewhere, even where it is in
    /// the middle of the picture, the detector may call it something else.
    public var looks: [PanTilt]

    /// Creates the memory of a thing that was just found. The caller sets the times.
    init(_ thing: Thing, named wish: Wish, isVerified: Bool) {
        name = wish.label
        label = thing.labels.usual
        (bearing, spread, width, height) = (thing.bearing, thing.spread, thing.width, thing.height)
        (seen, used, certainty) = (0, 0, 1)
        self.isVerified = isVerified
        looks = thing.labels.poses(where: wish.names)
    }

    /// Reads an entry of the file. The result is nil if it is none.
    init?(json: JSONValue) {
        guard let name = json["name"]?.string, ForeignText.isPlain(name), !name.isEmpty, name.count <= Wish.longest,
            let label = json["label"]?.string, ForeignText.isPlain(label), label.count <= SeenBox.longestLabel,
            let pan = json["pan"]?.number, let tilt = json["tilt"]?.number,
            let spread = json["spread"]?.number, let width = json["width"]?.number,
            let height = json["height"]?.number, let seen = json["seen"]?.number, let used = json["used"]?.number,
            let certainty = json["certainty"]?.number,
            [pan, tilt, seen, used].allSatisfy(\.isFinite), abs(pan) <= 2 * .pi, abs(tilt) <= .pi,
            [spread, width, height].allSatisfy({ (0...Double.pi).contains($0) }), (0...1).contains(certainty)
        else { return nil }
        (self.name, self.label, bearing) = (name, label, PanTilt(pan: pan, tilt: tilt))
        (self.spread, self.width, self.height) = (spread, width, height)
        (self.seen, self.used, self.certainty) = (seen, used, certainty)
        isVerified = json["verified"]?.bool ?? false
        // A file from before they were kept has none.
        looks = (json["looks"]?.array ?? []).prefix(LabelTally.mostLooks).compactMap(\.panTilt)
            .filter { abs($0.pan) <= 2 * .pi && abs($0.tilt) <= .pi }
    }

    /// The entry in the form of the file.
    public var json: JSONValue {
        .object([
            "name": .string(name), "label": .string(label), "pan": .number(bearing.pan), "tilt": .number(bearing.tilt),
            "spread": .number(spread), "width": .number(width), "height": .number(height), "seen": .number(seen),
            "used": .number(used), "certainty": .number(certainty), "verified": .bool(isVerified),
            "looks": .array(looks.map(JSONValue.panTilt)),
        ])
    }
}
