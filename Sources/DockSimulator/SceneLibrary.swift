public import FaceTracker
internal import Geometry

/// The scenes that are part of the program, so that a demo needs no file.
public enum SceneLibrary {
    /// A scene: what a fixed camera recorded, how wide it saw, and what the robot does meanwhile.
    public struct Scene: Sendable {
        /// The detections.
        public var recording: Recording
        /// Horizontal field of view of the camera, radians; nil: as the user says.
        public var hfov: Double?
        /// Command words for the daemon that watches the scene, in order of time.
        public var cues: [StagedVisit.Cue]

        /// A scene without cues, as a rule.
        public init(recording: Recording, hfov: Double? = nil, cues: [StagedVisit.Cue] = []) {
            self.recording = recording
            self.hfov = hfov
            self.cues = cues
        }
    }

    /// The names that `scene(named:)` knows.
    public static let names = ["two-people", "visit"]

    /// Returns the scene with a name; nil if there is none.
    public static func scene(named name: String) -> Scene? {
        switch name {
        case "two-people":
            var text = twoPeople
            return Scene(recording: text.withUTF8 { Recording(UnsafeRawBufferPointer($0)) })
        case "visit":
            return Scene(recording: StagedVisit.recording(), hfov: StagedVisit.hfov, cues: StagedVisit.cues)
        default: return nil
        }
    }
}
