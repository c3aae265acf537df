import Aerie
import Codecs
import ExtensionKit
import Geometry
import JPEGCodec
import LiveStream
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
    private let video = Mutex(Video())
    private let straightener = Mutex(LensStraightener())
    /// What was written about pictures that keep their distortion.
    private let remarks = Mutex<Set<String>>([])
    private let videoEncoder: VideoEncoder?
    private let note: @Sendable (String) -> Void
    /// An encoder of video that has failed is tried again after this time, in seconds.
    private static let videoAgain = 30.0

    /// What is known of the video.
    private struct Video {
        var governor = VideoGovernor()
        /// Until this time pictures are sent as JPEG, because there was no video.
        var absentUntil: Seconds = 0
        /// Why there was none, as it was written last.
        var complaint: String?
        /// Whether the last message had a picture of the video.
        var isSent = false
    }

    /// The library's encoder, which one task uses at a time.
    private struct Encoder: @unchecked Sendable { let jpeg = JPEGEncoder() }

    /// - Parameter note: receives why there is no video, and why pictures keep the distortion of the lens.
    init(_ settings: UplinkSettings, _ rig: RigKnowledge, note: @escaping @Sendable (String) -> Void) {
        (self.settings, self.rig, self.note) = (settings, rig, note)
        videoEncoder = settings.terms.sendsVideo ? try? VideoEncoder() : nil
    }

    /// The next picture of the video must need no other one.
    func keyFrame() { videoEncoder?.keyFrame() }

    /// Ends the encoder of the video.
    func stop() { videoEncoder?.stop() }

    /// Whether the last message had a picture of the video, and not a JPEG.
    var sendsVideo: Bool { video.withLock { $0.isSent } }

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
    func payload(_ shape: FrameShape) async -> [UInt8]? {
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
        guard let encoded = await encode(full, shape, view.lens) else { return nil }
        video.withLock { $0.isSent = encoded.video != nil }
        known.withLock { known in
            known.problem = nil
            if let pose = picture.facts.pose?.pose { known.sent = (full, pose) }
        }
        var shown = view
        shown.lens = encoded.lens
        var frame = CameraFrame(
            sequence: picture.facts.sequence,
            view: shown.message(width: encoded.size.width, height: encoded.size.height), picture: encoded.still)
        frame.video = encoded.video
        // Skeletons were found in the picture as the camera took it, and have its lens.
        frame.skeletons = skeletons.flatMap { seen in
            rig.view(of: seen.facts, shape: seen.shape).map {
                .init(view: $0.message(width: full.width, height: full.height), people: seen.people)
            }
        }
        return frame.payload(settings.link.convention)
    }

    /// A picture as it is sent.
    private struct Encoded: Sendable {
        var size: (width: Int, height: Int)
        var still: [UInt8] = []
        var video: CameraFrame.Video?
        var lens: PictureLens
    }

    private func encode(_ full: RGBPicture, _ shape: FrameShape, _ lens: PictureLens) async -> Encoded? {
        guard settings.sendsPictures else { return Encoded(size: (full.width, full.height), lens: lens) }
        if shape.isVideo, let encoded = await encodeVideo(full, shape, lens) { return encoded }
        let (pixels, shown) = straightened(full.scaled(toWidth: shape.width), lens)
        let bytes = encoder.withLock { $0.jpeg?.encode(pixels, quality: shape.quality) }
        return bytes.map { Encoded(size: (pixels.width, pixels.height), still: $0, lens: shown) }
    }

    /// Returns a picture without the distortion of its lens and with the lens that it has then, or both as they are.
    private func straightened(_ picture: RGBPicture, _ lens: PictureLens) -> (RGBPicture, PictureLens) {
        guard settings.undistorts else { return (picture, lens) }
        switch straightener.withLock({ $0.straighten(picture, lens, now: SystemTime.monotonic) }) {
        case .straight(let straight, let lens): return (straight, lens)
        case .unknown:
            remark("how it bends lines is unknown; measure it with `dockface calibrate --camera`, and do not zoom")
        case .impossible: remark("it bends lines too much")
        case .changing: break
        }
        return (picture, lens)
    }

    /// Says once why pictures keep their distortion.
    private func remark(_ reason: String) {
        let isNews = remarks.withLock { $0.insert(reason).inserted }
        if isNews { note("undistort: pictures keep the distortion of the lens, because \(reason)") }
    }

    private func encodeVideo(_ full: RGBPicture, _ shape: FrameShape, _ lens: PictureLens) async -> Encoded? {
        let now = SystemTime.monotonic, width = min(full.width, shape.width)
        let chosen = video.withLock { video -> VideoShape? in
            guard now >= video.absentUntil else { return nil }
            return video.governor.shape(
                width: width, height: full.height * width / full.width,
                quality: Double(shape.quality) / settings.quality, rate: shape.rate, now: now)
        }
        guard let videoEncoder, let chosen else { return nil }
        let (pixels, shown) = straightened(full.scaled(toWidth: chosen.width), lens)
        guard let picture = await videoEncoder.encode(pixels, as: chosen) else {
            let reason = videoEncoder.problem ?? "it was ended"
            let isNews = video.withLock { video in
                defer { video.complaint = reason }
                video.absentUntil = now + Self.videoAgain
                return video.complaint != reason
            }
            if isNews { note("pictures are sent as JPEG, because there is no video: \(reason)") }
            return nil
        }
        video.withLock { $0.complaint = nil }
        // The encoder leaves the last column and row of an odd size out.
        return Encoded(
            size: (pixels.width & ~1, pixels.height & ~1), video: .init(isKey: picture.isKey, bytes: picture.bytes),
            lens: shown)
    }
}

extension PictureView {
    /// The view as the messages have it, for a picture of a size.
    func message(width: Int, height: Int) -> CameraFrame.View {
        CameraFrame.View(time: unix, camera: camera, lens: FrameLens(lens, width: width, height: height))
    }
}
