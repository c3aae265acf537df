internal import ControlProtocol
internal import FaceTracker
internal import Geometry

extension RecordedRoom {
    /// The reason why a text is not a room.
    public struct Flaw: Error, Equatable, CustomStringConvertible {
        /// The line with the mistake, from 1.
        public var line: Int
        /// What is wrong, and what is expected.
        public var text: String

        /// Both.
        public var description: String { "line \(line): \(text)" }
    }

    /// Reads a room from JSON Lines: a line about the camera and the poses, then one line for each pose.
    /// - Throws: `Flaw` with the first mistake.
    public init(_ text: String) throws(Flaw) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let first = try RoomLine(lines.first ?? "", number: 1, expected: Self.expectedHead)
        try self.init(head: first)
        var last = 1
        for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
            last = index + 1
            try add(RoomLine(line, number: last, expected: Self.expectedView))
        }
        for pan in 0..<pan.count {
            for tilt in 0..<tilt.count where views[Place(pan: pan, tilt: tilt)] == nil {
                let angles = (Self.degrees(self.pan.angle(of: pan)), Self.degrees(self.tilt.angle(of: tilt)))
                throw Flaw(
                    line: last,
                    text: "the room ends here, and the view at pan \(angles.0), tilt \(angles.1) is missing: "
                        + "\(views.count) of \(self.pan.count * self.tilt.count) views are there")
            }
        }
    }

    private static let expectedHead =
        #"the first line is {"type":"room","v":1,"image":{"w":640,"h":480},"hfov":66,"pan":[-170,170],"tilt":[-30,60],"step":10}"#
    private static let expectedView =
        #"a view is {"pan":-170,"tilt":-30,"objects":[{"label":"cup","rect":[x,y,w,h],"score":0.8}]}"#
    /// The most poses, and the most things or faces in one view.
    private static let mostViews = 20_000, most = 200

    private init(head: RoomLine) throws(Flaw) {
        guard head.json["type"]?.string == "room" else { throw head.flaw("its type is not \"room\"") }
        guard head.json["v"]?.number == 1 else { throw head.flaw("only version 1 is known") }
        let image = try head.object("image")
        size = PictureSize(
            width: try head.number("w", of: image, in: 16...16_384, "pixels"),
            height: try head.number("h", of: image, in: 16...16_384, "pixels"))
        fieldOfView = .degrees(try head.number("hfov", in: 5...170, "degrees"))
        let step = try head.number("step", in: 1...90, "degrees")
        pan = try Self.stops(head, "pan", within: -360...360, step)
        tilt = try Self.stops(head, "tilt", within: -90...90, step)
        guard pan.count * tilt.count <= Self.mostViews else {
            throw head.flaw("it has \(pan.count * tilt.count) views; at most \(Self.mostViews) are possible")
        }
        lowestScore = try head.json["score"] == nil ? 0 : head.number("score", in: 0...1, "")
        name = head.json["name"]?.string ?? ""
    }

    private static func stops(
        _ head: RoomLine, _ name: String, within limits: ClosedRange<Double>, _ step: Double
    ) throws(Flaw) -> Stops {
        let ends = head.json[name]?.array?.compactMap(\.number) ?? []
        guard ends.count == 2, ends[0] <= ends[1], limits.contains(ends[0]), limits.contains(ends[1]) else {
            let bounds = "\(Int(limits.lowerBound)) to \(Int(limits.upperBound))"
            throw head.flaw("\"\(name)\" must be the first and the last angle, \(bounds) degrees")
        }
        let steps = (ends[1] - ends[0]) / step
        guard abs(steps - steps.rounded()) < 1e-6 else {
            throw head.flaw("\"\(name)\" is not a whole number of steps of \(step) degrees")
        }
        return Stops(
            range: .degrees(ends[0]) ... .degrees(ends[1]), count: Int(steps.rounded()) + 1, step: .degrees(step))
    }

    private mutating func add(_ line: RoomLine) throws(Flaw) {
        let place = Place(pan: try Self.stop(line, "pan", of: pan), tilt: try Self.stop(line, "tilt", of: tilt))
        guard views[place] == nil else { throw line.flaw("this pose had a view before") }
        views[place] = try View(
            objects: Self.sightings(line, "objects", areNamed: true),
            faces: line.json["faces"] == nil ? [] : Self.sightings(line, "faces", areNamed: false))
    }

    private static func stop(_ line: RoomLine, _ name: String, of stops: Stops) throws(Flaw) -> Int {
        let low = stops.range.lowerBound.inDegrees, high = stops.range.upperBound.inDegrees
        let angle = try line.number(name, in: low - 1e-6...high + 1e-6, "degrees")
        let number = (angle - low) / stops.step.inDegrees
        guard abs(number - number.rounded()) < 1e-6 else {
            throw line.flaw("\"\(name)\" is \(degrees(.degrees(angle))), which is between two steps of the first line")
        }
        return Int(number.rounded())
    }

    private static func sightings(_ line: RoomLine, _ name: String, areNamed: Bool) throws(Flaw) -> [Sighting] {
        guard let list = line.json[name]?.array else { throw line.flaw("\"\(name)\" must be a list") }
        guard list.count <= most else { throw line.flaw("\"\(name)\" has more than \(most) elements") }
        var found: [Sighting] = []
        for one in list {
            let label = one["label"]?.string
            guard !areNamed || label.map({ !$0.isEmpty && $0.utf8.count <= 80 }) == true else {
                throw line.flaw("each of \"\(name)\" needs a label of 1 to 80 bytes")
            }
            guard let rect = one["rect"]?.rect, rect.width > 0, rect.height > 0,
                [rect.x, rect.y, rect.maxX, rect.maxY].allSatisfy({ (-2...3).contains($0) })
            else { throw line.flaw("each of \"\(name)\" needs a rect [x,y,w,h] in fractions of the picture") }
            guard let score = one["score"]?.number, (0...1).contains(score) else {
                throw line.flaw("each of \"\(name)\" needs a score from 0 to 1")
            }
            found.append(Sighting(label: areNamed ? label : nil, rect: rect, score: score))
        }
        return found
    }

    private static func degrees(_ angle: Double) -> String {
        let tenths = (angle.inDegrees * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }
}

/// A line of a room's file, and what it should be.
private struct RoomLine {
    let json: JSONValue
    private let number: Int
    private let expected: String

    init(_ text: some StringProtocol, number: Int, expected: String) throws(RecordedRoom.Flaw) {
        (self.number, self.expected) = (number, expected)
        do throws(JSONProblem) {
            json = try JSONReader.value(of: Array(text.utf8))
        } catch {
            throw RecordedRoom.Flaw(line: number, text: "this is not JSON (\(error.message)); \(expected)")
        }
        guard json.object != nil else {
            throw RecordedRoom.Flaw(line: number, text: "this is not an object; \(expected)")
        }
    }

    func flaw(_ text: String) -> RecordedRoom.Flaw { RecordedRoom.Flaw(line: number, text: "\(text); \(expected)") }

    func object(_ name: String) throws(RecordedRoom.Flaw) -> JSONValue {
        guard let value = json[name], value.object != nil else { throw flaw("\"\(name)\" is missing") }
        return value
    }

    func number(
        _ name: String, of value: JSONValue? = nil, in range: ClosedRange<Double>, _ unit: String
    ) throws(RecordedRoom.Flaw) -> Double {
        guard let number = (value ?? json)[name]?.number, range.contains(number) else {
            let bounds = "\(Int(range.lowerBound.rounded())) to \(Int(range.upperBound.rounded()))"
            throw flaw("\"\(name)\" must be \(bounds)" + (unit.isEmpty ? "" : " \(unit)"))
        }
        return number
    }
}
