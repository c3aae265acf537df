import Aerie
import Codecs
import Geometry
import JPEGCodec
import PictureShare
import SpatialModel
import Synchronization
import Uplink

/// The newest picture of the camera and the newest skeletons, and the messages to the server made of them.
final class ServerFrames: Sendable {
    /// A picture that differs by less than this many grey levels from the last one that was sent shows the same.
    private static let still = 1.0
    /// A head that turned by less than this since the last picture has not turned, in radians.
    private static let turned = 0.002

    private struct Known {
        var picture: TakenPicture?
        var skeletons: SeenPeople?
        var sent: (pixels: RGBPicture, pose: PanTilt)?
        var problem: String?
    }

    private let settings: UplinkSettings
    private let rig: RigKnowledge
    private let known = Mutex(Known())
    private let encoder = Mutex<Encoder>(Encoder())

    /// The library's encoder, which one task uses at a time.
    private struct Encoder: @unchecked Sendable { let jpeg = JPEGEncoder() }

    init(_ settings: UplinkSettings, _ rig: RigKnowledge) { (self.settings, self.rig) = (settings, rig) }

    /// Why no message can be made of the pictures, or nil.
    var problem: String? { known.withLock { $0.problem } }

    /// Receives people. The server gets them with the next picture.
    func receive(_ people: SeenPeople) { known.withLock { $0.skeletons = people } }

    /// Receives a picture. Returns whether it shows what the last one showed.
    func receive(_ picture: TakenPicture) -> Bool {
        known.withLock { known in
            known.picture = picture
            // The server needs skeletons when they are new.
            return known.skeletons == nil && Self.isStill(picture, known.sent)
        }
    }

    private static func isStill(_ picture: TakenPicture, _ sent: (pixels: RGBPicture, pose: PanTilt)?) -> Bool {
        guard let sent, let pose = picture.facts.pose?.pose else { return false }
        guard abs(pose.pan - sent.pose.pan) < turned, abs(pose.tilt - sent.pose.tilt) < turned else { return false }
        return picture.pixels.difference(from: sent.pixels).map { $0 < still } ?? false
    }

    /// Returns the message of the newest picture, or nil if there is none, or its place is unknown.
    func payload(_ shape: FrameShape) -> [UInt8]? {
        let (picture, skeletons) = known.withLock { known in
            defer { known.skeletons = nil }
            return (known.picture, known.skeletons)
        }
        guard let picture else { return nil }
        let full = picture.pixels
        guard let view = rig.view(of: picture.facts, shape: Double(full.width) / Double(full.height)) else {
            known.withLock { $0.problem = rig.problem(of: picture.facts) }
            return nil
        }
        let pixels = settings.sendsPictures ? full.scaled(toWidth: shape.width) : full
        let bytes = settings.sendsPictures ? encoder.withLock { $0.jpeg?.encode(pixels, quality: shape.quality) } : []
        guard let bytes else { return nil }
        known.withLock { known in
            known.problem = nil
            if let pose = picture.facts.pose?.pose { known.sent = (full, pose) }
        }
        var frame = CameraFrame(
            sequence: picture.facts.sequence, view: view.message(width: pixels.width, height: pixels.height),
            picture: bytes)
        frame.skeletons = skeletons.flatMap { seen in
            rig.view(of: seen.facts, shape: seen.shape).map {
                .init(view: $0.message(width: full.width, height: full.height), people: seen.people)
            }
        }
        return frame.payload(settings.link.convention)
    }
}

extension PictureView {
    /// The view as the messages have it, for a picture of a size.
    func message(width: Int, height: Int) -> CameraFrame.View {
        CameraFrame.View(time: unix, camera: camera, lens: FrameLens(lens, width: width, height: height))
    }
}
