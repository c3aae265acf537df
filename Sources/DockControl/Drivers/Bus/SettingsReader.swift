/// Reads the settings of one servo.
package struct SettingsReader: ServoTask {
    /// How often a question is asked that is not answered.
    static let tries = 3

    package let family: ServoFamily
    package let baud: Int
    /// The servo's number on the bus.
    package let id: UInt8
    /// What was read so far.
    package private(set) var settings = StoredSettings()
    /// The model, as in its data sheet, and the version of the firmware; nil if the servo has not answered.
    package private(set) var identity: (model: String, firmware: String)?
    private var parts: [ServoMemory]
    private var tries = 0
    private var isOver = false

    /// Creates a reader for a servo on a line with this speed, in bits per second.
    package init(_ family: ServoFamily, baud: Int, id: UInt8) {
        self.family = family
        self.baud = baud
        self.id = id
        parts = family.bus.storedParts
    }

    package var next: ServoRequest? {
        if isOver { return nil }
        guard identity != nil else { return ServoRequest(.ping(id)) }
        return parts.first.map { ServoRequest(.read($0, of: id)) }
    }

    package mutating func handle(_ reply: ServoReply) {
        tries += 1
        let bus = family.bus, answer = reply.packets.first
        if identity == nil, let (model, firmware) = answer.flatMap({ bus.pinged($0.parameters) }) {
            identity = (bus.name(ofModel: model), firmware)
            tries = 0
        } else if identity != nil, let part = parts.first, let answer, answer.parameters.count == part.count {
            settings.read(answer.parameters, of: part, by: bus)
            parts.removeFirst()
            tries = 0
        } else if tries >= Self.tries {
            isOver = true
            if identity != nil, parts.count == bus.storedParts.count { settings.inferLowestLevel(by: bus) }
        }
    }

    /// Whether all settings were read.
    package var isComplete: Bool { identity != nil && parts.isEmpty }
}
