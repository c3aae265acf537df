internal import ControlProtocol
internal import DockTypes
internal import PlainText

/// Reads the parameters of `setLayer`, `setIndicator`, `setExtension`, `say` and `cue`.
enum ControlShow {
    private static let item: [Field] = {
        guard case .object(let fields) = Shape.named("item").resolved else { return [] }
        return fields
    }()

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
        return .cue(.say(text, params.optionalText("urgency").flatMap(CueUrgency.init(rawValue:)) ?? .normal))
    }
}
