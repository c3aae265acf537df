/// The result of `status`: the topics' states and what else is known.
public struct StatusReading: Sendable, Equatable {
    /// The daemon's version.
    public var version: String
    /// The time since its start, in seconds.
    public var uptime: Double
    /// The dock and its settings.
    public var accessory: AccessoryReading
    /// Where the head is, and what moves it.
    public var motion: MotionReading
    /// The subjects.
    public var tracking: TrackingReading
    /// The supplies of the dock.
    public var battery: BatteryReading
    /// The face's expression.
    public var face: FaceReading
    /// The camera that the dock's buttons control, or nil if there is none.
    public var camera: CameraReading?
    /// Whether a program holds the lease.
    public var isLeased: Bool
    /// What programs report about themselves.
    public var indicators: [IndicatorReading]
    /// The programs beside the daemon that report their state.
    public var extensions: [ExtensionReading]
    /// The rig that the daemon drives; nil if the daemon is older.
    public var rig: RigReading?
    /// What is wrong with the rig as it is set up, and what to do.
    public var findings: [String]
    /// The whole result, as in docs/CONTROL-API.md, with the members that have no type here.
    public var json: JSONValue

    /// Reads the result of `status`. The result is nil if it is another value.
    public init?(json: JSONValue) {
        guard let version = json["version"]?.string, let uptime = json["uptime"]?.number,
            let accessory = json["accessory"].flatMap(AccessoryReading.init(json:)),
            let motion = json["motion"].flatMap(MotionReading.init(json:)),
            let tracking = json["tracking"].flatMap(TrackingReading.init(json:)),
            let battery = json["battery"].flatMap(BatteryReading.init(json:)),
            let face = json["face"].flatMap(FaceReading.init(json:))
        else { return nil }
        (self.version, self.uptime, self.accessory) = (version, uptime, accessory)
        (self.motion, self.tracking, self.battery, self.face) = (motion, tracking, battery, face)
        camera = json["camera"].flatMap(CameraReading.init(json:))
        isLeased = json["lease"]?.bool ?? false
        indicators = (json["indicators"]?.array ?? []).compactMap(IndicatorReading.init(json:))
        extensions = (json["extensions"]?.array ?? []).compactMap(ExtensionReading.init(json:))
        rig = json["rig"].flatMap(RigReading.init(json:))
        findings = (json["findings"]?.array ?? []).compactMap(\.string)
        self.json = json
    }
}
