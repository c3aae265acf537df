public import ControlProtocol
public import SpatialModel

/// A picture of a client, with the place and the lens of its camera.
public struct CameraFrame: Sendable, Equatable {
    /// Where the camera was, and its lens, when something was seen.
    public struct View: Sendable, Equatable {
        /// When, in Unix seconds on the client's clock.
        public var time: Double
        /// Where the camera was in the room; it looks along its -z.
        public var camera: RigidTransform
        /// The lens.
        public var lens: FrameLens

        /// Creates a view.
        public init(time: Double, camera: RigidTransform, lens: FrameLens) {
            (self.time, self.camera, self.lens) = (time, camera, lens)
        }
    }

    /// People that the client's own skeleton stage has found, in a picture of their own time.
    public struct Skeletons: Sendable, Equatable {
        /// The view in which they were seen.
        public var view: View
        /// The people.
        public var people: [SeenPerson]

        /// Creates skeletons.
        public init(view: View, people: [SeenPerson]) { (self.view, self.people) = (view, people) }
    }

    /// A picture of a video: an access unit of H.264 with start codes (Annex B).
    public struct Video: Sendable, Equatable {
        /// The format's word in `accepts`.
        public static let h264 = "h264"

        /// Whether it needs no other picture, and has the parameters of the video.
        public var isKey: Bool
        /// The access unit; empty if a reader has not kept it.
        public var bytes: [UInt8]

        /// Creates a picture.
        public init(isKey: Bool, bytes: [UInt8]) { (self.isKey, self.bytes) = (isKey, bytes) }
    }

    /// The client's number of the picture.
    public var sequence: Int
    /// The view that the picture shows.
    public var view: View
    /// The picture as JPEG; empty from a client that sends only skeletons, or a video.
    public var picture: [UInt8]
    /// The picture of a video instead, for a server that accepts it.
    public var video: Video?
    /// The people of the newest answer of the skeleton stage, if there is one since the last picture.
    public var skeletons: Skeletons?

    /// Creates a frame.
    public init(sequence: Int, view: View, picture: [UInt8], skeletons: Skeletons? = nil) {
        (self.sequence, self.view, self.picture, self.skeletons) = (sequence, view, picture, skeletons)
    }

    // MARK: writing

    /// Returns the payload of the message.
    public func payload(_ convention: PoseConvention = PoseConvention()) -> [UInt8] {
        var members = view.members(convention)
        members["frameId"] = .string(String(sequence))
        members["sequence"] = .number(sequence)
        members["skeletons"] = skeletons.map { $0.json(convention) }
        // The picture is most of the message, and is not handed through a value.
        var text = JSONValue.object(members).bytes
        text.removeLast()
        text.reserveCapacity(text.count + (picture.count + (video?.bytes.count ?? 0)) / 3 * 4 + 96)
        text += #","imageData":""#.utf8
        text += Base64.encode(picture)
        text += #"""#.utf8
        if let video {
            text += #","video":{"codec":"h264","key":\#(video.isKey),"data":""#.utf8
            text += Base64.encode(video.bytes)
            text += #""}"#.utf8
        }
        text += #"}"#.utf8
        return text
    }

    // MARK: reading

    /// Why a frame cannot be used.
    public enum Flaw: String, Error, Sendable {
        case number = "the picture has no number"
        case picture = "the picture is not base64"
        case video = "the picture of the video is not H.264"
        case view = "the pose or the lens of the picture is wrong"
        case skeletons = "the skeletons are wrong"
    }

    /// Reads the members of a message.
    /// - Parameter keepsPicture: whether the picture is decoded. Its text is checked only then.
    public init(
        _ members: [String: JSONValue], _ convention: PoseConvention = PoseConvention(), keepsPicture: Bool = true
    ) throws(Flaw) {
        guard let name = members["frameId"]?.string else { throw .number }
        sequence = members["sequence"]?.integer ?? Int(name) ?? 0
        guard let view = View(members, convention) else { throw .view }
        self.view = view
        guard let text = members["imageData"]?.string else { throw .picture }
        guard let bytes = keepsPicture ? Base64.decode(Array(text.utf8)) : [] else { throw .picture }
        picture = bytes
        if let value = members["video"], !value.isNull {
            guard let video = Video(value, keepsBytes: keepsPicture) else { throw .video }
            self.video = video
        }
        guard let value = members["skeletons"], !value.isNull else { return }
        guard let skeletons = Skeletons(value, convention) else { throw .skeletons }
        self.skeletons = skeletons
    }
}

extension CameraFrame.Video {
    init?(_ value: JSONValue, keepsBytes: Bool) {
        guard value["codec"]?.string == Self.h264, let isKey = value["key"]?.bool, let text = value["data"]?.string,
            let bytes = keepsBytes ? Base64.decode(Array(text.utf8)) : []
        else { return nil }
        self.init(isKey: isKey, bytes: bytes)
    }
}

extension CameraFrame.View {
    func members(_ convention: PoseConvention) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "timestamp": .number(time), "intrinsics": lens.json,
            "devicePose": .array(
                PoseMatrix.lists(camera, convention).map { .array($0.map(JSONValue.number)) }),
        ]
        members["distortion"] = lens.distortionJSON
        return members
    }

    init?(_ members: [String: JSONValue], _ convention: PoseConvention) {
        guard let time = members["timestamp"]?.number, let pose = members["devicePose"],
            let camera = PoseMatrix.pose(pose, convention),
            let lens = FrameLens(members["intrinsics"], distortion: members["distortion"])
        else { return nil }
        self.init(time: time, camera: camera, lens: lens)
    }
}

extension CameraFrame.Skeletons {
    /// The most people of a picture.
    public static let mostPeople = 16

    func json(_ convention: PoseConvention) -> JSONValue {
        var members = view.members(convention)
        members["people"] = .array(people.prefix(Self.mostPeople).map(\.json))
        return .object(members)
    }

    init?(_ value: JSONValue, _ convention: PoseConvention) {
        guard let members = value.object, let view = CameraFrame.View(members, convention),
            let people = members["people"]?.array, people.count <= Self.mostPeople
        else { return nil }
        let seen = people.compactMap { SeenPerson(json: $0) }
        guard seen.count == people.count else { return nil }
        self.init(view: view, people: seen)
    }
}
