import Aerie
import Codecs
import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import Geometry
import Glibc
import JPEGCodec
import PictureShare
import SpatialModel
import Synchronization
import Uplink

/// The newest picture of the camera and the newest skeletons, and the messages made of them.
final class PictureSource: Sendable {
    /// A picture that differs by less than this many grey levels from the last one that was sent shows the same.
    private static let still = 1.0
    /// A head that turned by less than this since the last picture has not turned, in radians.
    private static let turned = 0.002

    private struct Known {
        var picture: (pixels: RGBPicture, facts: PictureFacts)?
        /// The facts of the last second, because an answer of a detector belongs to an earlier picture.
        var facts: [PictureFacts] = []
        var skeletons: (facts: PictureFacts, people: [SeenPerson])?
        var sent: (pixels: RGBPicture, pose: PanTilt)?
        var problem: String? = "waiting for pictures"
    }

    private let settings: UplinkSettings
    private let rig: RigKnowledge
    private let log: ExtensionLog
    private let known = Mutex(Known())
    private let encoder = Mutex<Encoder>(Encoder())

    /// The library's encoder, which one task uses at a time.
    private struct Encoder: @unchecked Sendable { let jpeg = JPEGEncoder() }

    init(_ settings: UplinkSettings, _ rig: RigKnowledge, log: ExtensionLog) {
        (self.settings, self.rig, self.log) = (settings, rig, log)
    }

    /// Why nothing can be sent, or nil.
    var problem: String? { known.withLock { $0.problem } }

    /// Receives pictures, lenses and skeletons until the task is cancelled.
    func run(_ dock: Dock, _ conversation: UplinkConversation) async {
        await withTaskGroup { group in
            group.addTask { await self.watchLens(dock) }
            group.addTask { await self.watchSkeletons(dock) }
            group.addTask { await self.watchPictures(dock, conversation) }
        }
    }

    private func watchLens(_ dock: Dock) async {
        guard let updates = try? dock.updates(.tracking) else { return }
        for await update in updates {
            rig.learn(update.value.lens, optics: known.withLock { $0.picture?.facts.optics })
        }
    }

    private func watchSkeletons(_ dock: Dock) async {
        guard let updates = try? dock.updates(.detections) else { return }
        for await update in updates where !update.value.people.isEmpty {
            let people = update.value.people.compactMap { SeenPerson(json: $0) }
            guard let sequence = update.value.sequence, let time = update.value.time else { continue }
            known.withLock { known in
                // A detector with a camera of its own has other numbers.
                let fitting = known.facts.first { $0.sequence == sequence && abs($0.exposure - time) < 0.02 }
                guard let facts = fitting else { return }
                known.skeletons = (facts, Array(people.prefix(CameraFrame.Skeletons.mostPeople)))
            }
        }
    }

    private func watchPictures(_ dock: Dock, _ conversation: UplinkConversation) async {
        var pause = BackOff()
        while !Task.isCancelled {
            do throws(DockError) {
                rig.learn(try await dock.status())
                let pictures = try await dock.pictures(maximumWidth: settings.shape.width, format: .rgb24)
                note(nil)
                pause.succeeded()
                try await pass(pictures, to: conversation)
            } catch {
                note(error.message)
            }
            try? await Task.sleep(for: .seconds(pause.failed()))
        }
    }

    private func pass(
        _ pictures: sending DockPictures, to conversation: UplinkConversation
    ) async throws(DockError) {
        let reader = pictures.reader, (width, height) = (reader.layout.width, reader.layout.height)
        var last = 0, iterator = pictures.makeAsyncIterator()
        while try await iterator.next() != nil {
            // Only the newest counts.
            guard let picture = reader.newest(after: last) else { continue }
            last = picture.number
            let copy = reader.read(picture) { RGBPicture(width: width, height: height, copying: $0) }
            guard let pixels = copy ?? nil else { continue }
            let facts = picture.facts
            let isStill = known.withLock { known in
                known.picture = (pixels, facts)
                known.facts.removeAll { facts.exposure - $0.exposure > 1 || $0.sequence >= facts.sequence }
                known.facts.append(facts)
                // The server needs skeletons when they are new.
                return known.skeletons == nil && Self.isStill(pixels, facts, known.sent)
            }
            conversation.pictured(exposure: facts.exposure, isStill: isStill)
        }
    }

    private static func isStill(
        _ pixels: RGBPicture, _ facts: PictureFacts, _ sent: (pixels: RGBPicture, pose: PanTilt)?
    ) -> Bool {
        guard let sent, let pose = facts.pose?.pose else { return false }
        guard abs(pose.pan - sent.pose.pan) < turned, abs(pose.tilt - sent.pose.tilt) < turned else { return false }
        return pixels.difference(from: sent.pixels).map { $0 < still } ?? false
    }

    /// Says once why there are no pictures.
    private func note(_ problem: String?) {
        let before = known.withLock { known in
            defer { known.problem = problem }
            return known.problem
        }
        guard problem != before else { return }
        log.note(problem.map { "waiting for pictures: \($0)" } ?? "pictures arrive")
    }

    // MARK: messages

    /// Returns the message of the newest picture, or nil if there is none, or its place is unknown.
    func payload(_ shape: FrameShape) -> [UInt8]? {
        let (picture, skeletons) = known.withLock { known in
            defer { known.skeletons = nil }
            return (known.picture, known.skeletons)
        }
        guard let picture else { return nil }
        guard let view = view(picture.facts, picture.pixels) else {
            let hasLens = rig.lens(of: picture.facts, shape: 1) != nil
            known.withLock { $0.problem = hasLens ? "where the head points is unknown" : rig.problem }
            return nil
        }
        let pixels = settings.sendsPictures ? picture.pixels.scaled(toWidth: shape.width) : picture.pixels
        let bytes = settings.sendsPictures ? encoder.withLock { $0.jpeg?.encode(pixels, quality: shape.quality) } : []
        guard let bytes else { return nil }
        known.withLock { known in
            known.problem = nil
            if let pose = picture.facts.pose?.pose { known.sent = (picture.pixels, pose) }
        }
        var scaled = view
        scaled.lens = view.lens.scaled(width: pixels.width, height: pixels.height)
        var frame = CameraFrame(sequence: picture.facts.sequence, view: scaled, picture: bytes)
        frame.skeletons = skeletons.flatMap { seen in
            self.view(seen.facts, picture.pixels).map { .init(view: $0, people: seen.people) }
        }
        return frame.payload(settings.link.convention)
    }

    private func view(_ facts: PictureFacts, _ pixels: RGBPicture) -> CameraFrame.View? {
        guard let reading = rig.lens(of: facts, shape: Double(pixels.width) / Double(pixels.height)),
            let direction = reading.direction(from: facts.pose?.pose)
        else { return nil }
        var lens = PictureLens(focal: reading.focal, principal: reading.principal)
        lens.distortion = reading.distortion
        var head = rig.stand.head
        head.mount = reading.mountAngles
        let unix = SystemTime.unix - (SystemTime.monotonic - facts.exposure)
        return CameraFrame.View(
            time: unix, camera: head.camera(at: direction),
            lens: FrameLens(lens, width: pixels.width, height: pixels.height))
    }
}
