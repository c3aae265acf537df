public import Codecs
public import Geometry

/// A picture of a file, with what is known of it. Times are CLOCK_MONOTONIC.
public struct LoggedPicture: Sendable {
    /// The pixels, or nil for a file without pictures.
    public var pixels: RGBPicture?
    /// When it was taken.
    public var exposure: Seconds
    /// The lens, or nil if it is unknown.
    public var lens: LoggedLens?
    /// Where the camera was, or nil if that is unknown.
    public var frames: HeadFrames?

    /// Creates a picture.
    public init(_ pixels: RGBPicture?, exposure: Seconds, lens: LoggedLens? = nil, frames: HeadFrames? = nil) {
        (self.pixels, self.exposure, self.lens, self.frames) = (pixels, exposure, lens, frames)
    }
}

/// Who reports people.
public enum PeopleSource: Sendable, Equatable {
    /// This robot's own skeleton stage.
    case robot
    /// The server of the room.
    case room
}

/// What is written to a file.
enum SpatialEntry: Sendable {
    case picture(LoggedPicture)
    case people([LoggedPerson], PeopleSource, time: Seconds)

    var isPicture: Bool { if case .picture = self { true } else { false } }
}

/// The channels of a file.
enum SpatialChannel: Int, CaseIterable {
    case image, calibration, stand, pan, tilt, camera, people, room

    /// Each frame has a topic of its own, so that the newest message of each topic is the whole head.
    var channel: MCAPWriter.Channel {
        let (topic, schema) =
            switch self {
            case .image: ("/camera/image", FoxgloveSchemas.image)
            case .calibration: ("/camera/calibration", FoxgloveSchemas.calibration)
            case .stand: ("/tf/stand", FoxgloveSchemas.transform)
            case .pan: ("/tf/pan", FoxgloveSchemas.transform)
            case .tilt: ("/tf/tilt", FoxgloveSchemas.transform)
            case .camera: ("/tf/camera", FoxgloveSchemas.transform)
            case .people: ("/people", FoxgloveSchemas.scene)
            case .room: ("/room/people", FoxgloveSchemas.scene)
            }
        return MCAPWriter.Channel(topic: topic, schema: schema, descriptors: FoxgloveSchemas.descriptors(of: schema))
    }

    /// The channel of a frame, or nil for the world.
    init?(_ frame: HeadFrame) {
        switch frame {
        case .world: return nil
        case .stand: self = .stand
        case .pan: self = .pan
        case .tilt: self = .tilt
        case .camera: self = .camera
        }
    }
}
