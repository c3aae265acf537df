public import Geometry
internal import PlainText

/// Where a layer's coordinates count.
public enum LayerSpace: String, Sendable, CaseIterable {
    /// The camera's frame, normalised: x, y in 0...1, origin top-left.
    case picture
    /// The room, in metres: x to the dock's right, y up, z backward, as seen from the dock at home. The origin is where
    /// the dock's axes meet.
    case world
}

/// A colour of a layer's item. A terminal with a few colours shows the nearest.
public enum LayerColour: String, Sendable, CaseIterable {
    case white, grey, red, orange, yellow, green, cyan, blue, magenta
}

/// One thing that a program draws over the picture.
public struct LayerItem: Sendable, Equatable {
    /// The form of an item.
    public enum Kind: String, Sendable, CaseIterable {
        /// A rectangle, in the picture only.
        case box
        /// A line from one point to another.
        case line
        /// A point.
        case point
        /// A text at a point.
        case label
        /// A line through several points.
        case path

        /// How many points it has.
        public var points: ClosedRange<Int> {
            switch self {
            case .box: 0...0
            case .line: 2...2
            case .point, .label: 1...1
            case .path: 2...APITypes.mostPoints
            }
        }
    }

    /// A point of the picture (z is 0) or of the room.
    public typealias Place = SIMD3<Double>

    /// Its form.
    public var kind: Kind
    /// The rectangle of a box, normalised.
    public var rect: Rect?
    /// Its points, in its layer's space; none for a box.
    public var points: [Place]
    /// A text beside it: the whole of a label, optional for the others. At most 80 bytes.
    public var text: String?
    /// The character with which a terminal draws its points, or nil for the usual one.
    public var mark: Character?
    /// Its colour.
    public var colour: LayerColour

    private init(
        _ kind: Kind, rect: Rect? = nil, points: [Place] = [], text: String? = nil, mark: Character? = nil,
        colour: LayerColour
    ) {
        (self.kind, self.rect, self.points) = (kind, rect, points)
        (self.text, self.mark, self.colour) = (text, mark, colour)
    }

    /// Returns a rectangle of the picture.
    public static func box(_ rect: Rect, text: String? = nil, colour: LayerColour = .white) -> LayerItem {
        LayerItem(.box, rect: rect, text: text, colour: colour)
    }

    /// Returns a line.
    public static func line(_ from: Place, _ to: Place, text: String? = nil, colour: LayerColour = .white) -> LayerItem
    {
        LayerItem(.line, points: [from, to], text: text, colour: colour)
    }

    /// Returns a point.
    public static func point(
        _ place: Place, text: String? = nil, mark: Character? = nil, colour: LayerColour = .white
    ) -> LayerItem { LayerItem(.point, points: [place], text: text, mark: mark, colour: colour) }

    /// Returns a text.
    public static func label(_ text: String, at place: Place, colour: LayerColour = .white) -> LayerItem {
        LayerItem(.label, points: [place], text: text, colour: colour)
    }

    /// Returns a line through 2 to 32 points.
    public static func path(
        _ points: [Place], text: String? = nil, mark: Character? = nil, colour: LayerColour = .white
    ) -> LayerItem { LayerItem(.path, points: points, text: text, mark: mark, colour: colour) }
}

extension LayerItem {
    /// Why an item cannot be drawn, in words that follow its name.
    public struct Problem: Error, Sendable, Equatable {
        /// The reason.
        public var text: String
    }

    /// Reads an item.
    /// - Throws: what is wrong with it.
    public init(json value: JSONValue, in space: LayerSpace) throws(Problem) {
        guard let kind = value["kind"]?.string.flatMap(Kind.init(rawValue:)) else {
            throw Problem(text: "\"kind\" must be " + Shape.word(Kind.allCases.map(\.rawValue)).words)
        }
        self.init(kind, colour: value["colour"]?.string.flatMap(LayerColour.init(rawValue:)) ?? .white)
        try readGeometry(value, in: space)
        if let text = value["text"]?.string { self.text = ForeignText.line(text, longest: APITypes.longestNote) }
        guard kind != .label || text?.isEmpty == false else { throw Problem(text: "a label needs \"text\"") }
        if let mark = value["mark"]?.string {
            guard mark.count == 1, ForeignText.line(mark) == mark else {
                throw Problem(text: "\"mark\" must be one printable character")
            }
            self.mark = mark.first
        }
    }

    private mutating func readGeometry(_ value: JSONValue, in space: LayerSpace) throws(Problem) {
        let given = value["points"]?.array ?? []
        guard kind != .box else {
            guard space == .picture else {
                throw Problem(text: "a box belongs to the picture; in the world, draw a path")
            }
            guard given.isEmpty, let rect = value["rect"].flatMap(Rect.init(json:)) else {
                throw Problem(text: "a box needs \"rect\", " + Shape.rect.words + ", and no \"points\"")
            }
            self.rect = rect
            return
        }
        guard kind.points.contains(given.count), value["rect"] == nil || value["rect"] == .null else {
            let range = kind.points, most = range.upperBound
            let count = range.count == 1 ? "\(most)" : "\(range.lowerBound) to \(most)"
            throw Problem(text: "a \(kind.rawValue) needs \"points\", an array of \(count), and no \"rect\"")
        }
        for point in given {
            guard let place = Self.place(point, in: space) else {
                throw Problem(
                    text: space == .picture
                        ? "a point of the picture is [x, y], from -1 to 2"
                        : "a point of the world is [x, y, z] in metres, from -1000 to 1000")
            }
            points.append(place)
        }
    }

    private static func place(_ value: JSONValue, in space: LayerSpace) -> Place? {
        guard let numbers = value.array?.compactMap(\.number), numbers.count == value.array?.count else { return nil }
        switch space {
        case .picture:
            guard numbers.count == 2, numbers.allSatisfy({ (-1...2).contains($0) }) else { return nil }
            return Place(numbers[0], numbers[1], 0)
        case .world:
            guard numbers.count == 3, numbers.allSatisfy({ (-1000...1000).contains($0) }) else { return nil }
            return Place(numbers[0], numbers[1], numbers[2])
        }
    }

    /// Returns the item as JSON, in the form of `setLayer`.
    public func json(in space: LayerSpace) -> JSONValue {
        var members: [String: JSONValue] = ["kind": .string(kind.rawValue)]
        if let rect {
            members["rect"] = .array([rect.x, rect.y, rect.width, rect.height].map(JSONValue.number))
        }
        if !points.isEmpty {
            members["points"] = .array(
                points.map { point in
                    let all = space == .picture ? [point.x, point.y] : [point.x, point.y, point.z]
                    return .array(all.map(JSONValue.number))
                })
        }
        if let text { members["text"] = .string(text) }
        if let mark { members["mark"] = .string(String(mark)) }
        if colour != .white { members["colour"] = .string(colour.rawValue) }
        return .object(members)
    }
}

/// What one program draws, under one name.
public struct Layer: Sendable, Equatable {
    /// Its name, unique within its connection.
    public var name: String
    /// The number of the connection to which it belongs.
    public var client: Int
    /// The space of its coordinates.
    public var space: LayerSpace
    /// Its items; later ones are drawn over earlier ones.
    public var items: [LayerItem]

    /// Creates a layer.
    public init(name: String, client: Int = 0, space: LayerSpace, items: [LayerItem]) {
        (self.name, self.client, self.space, self.items) = (name, client, space, items)
    }

    /// The layer in the form of topic `layers`.
    public var json: JSONValue {
        .object([
            "name": .string(name), "client": .number(client), "space": .string(space.rawValue),
            "items": .array(items.map { $0.json(in: space) }),
        ])
    }

    /// The layer in the form of `status`, which counts the items.
    public var summary: JSONValue {
        .object([
            "name": .string(name), "client": .number(client), "space": .string(space.rawValue),
            "items": .number(items.count),
        ])
    }

    /// Reads a layer of topic `layers`. Items that this version does not know are left out. The result is nil if it is
    /// not a layer.
    public init?(json: JSONValue) {
        guard let name = json["name"]?.string, let client = json["client"]?.integer,
            let space = json["space"]?.string.flatMap(LayerSpace.init(rawValue:)), let items = json["items"]?.array
        else { return nil }
        self.init(
            name: name, client: client, space: space, items: items.compactMap { try? LayerItem(json: $0, in: space) })
    }
}
