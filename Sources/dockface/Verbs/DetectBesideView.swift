import Companion
import ControlProtocol
import FaceTracker
import Geometry
import PictureShare
import RobotFace

/// Which of the daemon's pictures `detect` shows, and what it draws over them.
///
/// A detector answers a moment after the picture, so the pictures of the last second are kept. An answer is shown with
/// the picture that it is about. Without answers, the newest picture is shown.
struct DetectBesideView {
    /// What is shown at once.
    struct Scene {
        var picture: SmallPicture
        var faces: [Rect] = []
        var shapes: [OverlayShape]
    }

    private struct Kept {
        var facts: PictureFacts
        var picture: SmallPicture
    }

    private var kept: [Kept] = []
    private var layers: [Layer] = []
    private var lens: LensReading?
    /// The geometry of the head, or nil if it is unknown.
    private let stand: StandReading?
    /// The optics of the picture whose lens that is, or nil if they are unknown.
    private var lensOptics: FrameOptics?
    /// When a picture was shown last; at first, when the wait for an answer began.
    private var shown: Seconds
    /// Whether that picture was shown without an answer.
    private(set) var isWithoutAnswer = false
    /// When the newest picture came; at first, when the wait for it began.
    private(set) var arrival: Seconds

    /// How long a picture is kept, and how long an answer may take before pictures are shown without one, in seconds.
    static let patience: Seconds = 1
    /// The most pictures that are kept: a second of a camera with 60 frames a second.
    private static let most = 64
    /// The shortest time between two pictures without an answer, in seconds.
    private static let pace: Seconds = 0.1

    /// Begins to wait for the pictures of a rig.
    init(stand: StandReading? = nil, now: Seconds) { (self.stand, shown, arrival) = (stand, now, now) }

    /// Keeps a picture that has come `now`.
    mutating func keep(_ picture: SmallPicture, _ facts: PictureFacts, now: Seconds) {
        kept.removeAll { facts.exposure - $0.facts.exposure > Self.patience }
        if kept.count == Self.most { kept.removeFirst() }
        kept.append(Kept(facts: facts, picture: picture))
        arrival = now
    }

    /// Forgets all pictures, because others will follow, perhaps of another size.
    mutating func forget() { kept = [] }

    /// Records what programs draw.
    mutating func receive(_ reading: LayersReading) { layers = reading.layers }

    /// Records the lens of a frame.
    mutating func receive(_ reading: TrackingReading) {
        lens = reading.lens
        lensOptics = reading.sequence.flatMap { number in kept.last { $0.facts.sequence == number }?.facts.optics }
    }

    /// Returns the picture of an answer with its rectangles, or nil if it is not there any more, or has never been: the
    /// detector may have a camera of its own.
    mutating func scene(of answer: DetectionFrame, now: Seconds) -> Scene? {
        guard let number = answer.sequence, let match = kept.last(where: { $0.facts.sequence == number }) else {
            return nil
        }
        (shown, isWithoutAnswer) = (now, false)
        return Scene(picture: match.picture, faces: answer.detections.map(\.rect), shapes: shapes(over: match))
    }

    /// Returns the newest picture if no answer has been shown for a while.
    mutating func sceneWithoutAnswer(now: Seconds) -> Scene? {
        guard let newest = kept.last, arrival > shown, now - shown > (isWithoutAnswer ? Self.pace : Self.patience)
        else { return nil }
        (shown, isWithoutAnswer) = (now, true)
        return Scene(picture: newest.picture, shapes: shapes(over: newest))
    }

    /// Returns what programs draw over a picture. While the camera zooms, the lens of another picture would put items of
    /// the world in the wrong place.
    private func shapes(over picture: Kept) -> [OverlayShape] {
        let isOwnLens = lensOptics == nil || lensOptics == picture.facts.optics
        return LayerSketch(layers, through: isOwnLens ? lens : nil, head: picture.facts.pose?.pose, stand: stand).shapes
    }
}
