internal import ControlProtocol
internal import DockTypes
internal import Geometry
internal import PlainText

/// Reads the parameters of `setLayer`, `setIndicator`, `setExtension`, `setDistances`, `say` and `cue`.
enum ControlShow {
    private static let item: [Field] = {
        guard case .object(let fields) = Shape.named("item").resolved else { return [] }
        return fields
    }()

    private static let distance: [Field] = {
        guard case .object(let fields) = Shape.named("givenDistance").resolved else { return [] }
        return fields
    }()

    /// The time for which distances count if their program does not say, in seconds.
    static let distanceTime = 0.5

    static func distances(_ params: ControlParams) throws(DockError) -> ShowCommand {
        var report = DistanceReport()
        report.nearest = params.optionalNumber("nearest")
        for (index, value) in (params.list("distances") ?? []).enumerated() {
            guard let members = value.object else {
                throw params.refusal("distance \(index) must be an object", "of " + Field.usage(distance))
            }
            let one = try ControlParams(members, of: "\(params.place): distance \(index)", distance)
            let id = try one.whole("id")
            guard report.distances[id] == nil else {
                throw one.refusal("\"id\" \(id) appears twice", "each subject has one distance")
            }
            report.distances[id] = SubjectDistance(
                metres: try one.number("distance"), error: one.optionalNumber("error"), source: .depth)
        }
        return .distances(report, time: params.optionalNumber("ttl") ?? distanceTime)
    }

    /// The time for which a layer lives if its program does not say, in seconds.
    static let layerTime = 1.0

    static func layer(_ params: ControlParams) throws(DockError) -> ShowCommand {
        let space = params.optionalText("space").flatMap(LayerSpace.init(rawValue:)) ?? .picture
        var items: [LayerItem] = []
        for (index, value) in (params.list("items") ?? []).enumerated() {
            guard let members = value.object else {
                throw params.refusal("item \(index) must be an object", "of " + Field.usage(item))
            }
            let one = try ControlParams(members, of: "\(params.place): item \(index)", item)
            do throws(LayerItem.Problem) {
                items.append(try LayerItem(json: value, in: space))
            } catch {
                throw one.refusal(error.text)
            }
        }
        return .layer(
            try params.text("name"), space, items, time: params.optionalNumber("ttl") ?? layerTime)
    }

    static func indicator(_ params: ControlParams) throws(DockError) -> ShowCommand {
        let text = ForeignText.line(params.optionalText("text") ?? "", longest: APITypes.longestNote)
        return .indicator(try params.text("name"), try params.choice("state"), text: text)
    }

    static func report(_ params: ControlParams) throws(DockError) -> ShowCommand {
        var reading = ExtensionReading()
        reading.name = try params.text("name")
        reading.state = try params.choice("state")
        reading.version = ForeignText.line(params.optionalText("version") ?? "", longest: APITypes.longestNote)
        reading.text = ForeignText.line(params.optionalText("text") ?? "", longest: APITypes.longestNote)
        return .report(reading, time: params.optionalNumber("ttl") ?? ExtensionTimes.silence)
    }

    static func sentence(_ params: ControlParams) throws(DockError) -> ShowCommand {
        let text = ForeignText.line(try params.text("text"), longest: MethodTable.longestSentence)
        let urgency = params.optionalText("urgency").flatMap(CueUrgency.init(rawValue:)) ?? .normal
        return .cue(.say(text, urgency, direction: try direction(params)))
    }

    static func sound(_ params: ControlParams) throws(DockError) -> ShowCommand {
        .cue(.play(try params.text("name"), direction: try direction(params)))
    }

    private static func direction(_ params: ControlParams) throws(DockError) -> PanTilt? {
        guard let parts = try params.object("direction") else { return nil }
        return PanTilt(pan: try parts.number("pan"), tilt: try parts.number("tilt"))
    }
}
