import Aerie
import Codecs
import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import Geometry
import PictureShare
import SpatialLog
import SpatialModel
import Synchronization
import Uplink

/// An MCAP file of what the camera sees, where it was, and where people are.
final class FileOutput: UplinkOutput {
    private let recorder: SpatialRecorder
    private let settings: UplinkSettings
    private let path: String
    private let robot: String
    private let rig: RigKnowledge
    private let log: ExtensionLog
    private let sign: OutputSign
    private let known = Mutex((clock: FrameClock(), people: OwnPeople()))
    /// Finishes when the file has ended by itself.
    private let over: AsyncStream<Void>

    /// Creates the file.
    /// - Parameter replaces: whether a file that exists is replaced.
    init(
        _ path: String, replaces: Bool, _ settings: UplinkSettings, robot: String, rig: RigKnowledge, log: ExtensionLog
    ) throws(DockError) {
        (self.path, self.settings, self.robot, self.rig, self.log) = (path, settings, robot, rig, log)
        sign = OutputSign(needsScreen: settings.needsScreen) { dock throws(DockError) in
            try await dock.setIndicator("file", .on, text: settings.sendsPictures ? "pictures" : "skeletons")
        }
        let identity = DockfaceUplink.identity
        var file = SpatialSettings(path: path, library: "dockface-\(identity.name) \(identity.version)")
        (file.replaces, file.quality) = (replaces, settings.shape.quality)
        file.facts = [("robot", robot), ("world", "x ahead, y left, z up, in metres; the camera's frame is optical")]
        let (over, end) = AsyncStream<Void>.makeStream()
        self.over = over
        recorder = try SpatialRecorder(file, now: SystemTime.monotonic, unix: SystemTime.unix) { ending in
            if let error = ending.error { log.error("\(error.message); \(error.hint)") }
            log.note(ending.isComplete ? "\(path) is complete up to here" : "\(path) lacks its end: `mcap recover` it")
            end.finish()
        }
    }

    var beginning: [String] {
        let what = settings.sendsPictures ? "pictures (faces are visible), lens," : "lens,"
        return ["writes \(what) poses and people to \(path) until Ctrl-C"]
    }

    private var mayWork: Bool { sign.isShown && recorder.figures.ending == nil }

    func receive(_ picture: TakenPicture) {
        let exposure = picture.facts.exposure, rate = settings.rate
        guard mayWork, known.withLock({ $0.clock.wants(exposure, rate: rate) }) else { return }
        known.withLock { $0.clock.advance(past: exposure, rate: rate) }
        let pixels = picture.pixels, shape = Double(pixels.width) / Double(pixels.height)
        let view = rig.view(of: picture.facts, shape: shape)
        recorder.put(
            LoggedPicture(
                settings.sendsPictures ? pixels : nil, exposure: exposure,
                lens: view.map { LoggedLens($0.lens, width: pixels.width, height: pixels.height) },
                frames: view.map { HeadFrames($0.head, pose: $0.pose) }))
    }

    func receive(_ people: SeenPeople) {
        guard mayWork, let view = rig.view(of: people.facts, shape: people.shape) else { return }
        let seen = RigView(
            rig: robot, time: view.exposure, camera: view.camera, lens: view.lens, people: people.people)
        let placed = known.withLock { $0.people.update(seen) }
        if !placed.isEmpty { recorder.put(placed, of: .robot, time: view.exposure) }
    }

    /// Receives what the server says of people.
    func receive(_ report: PoseReport, time: Seconds) {
        guard mayWork, !report.people.isEmpty else { return }
        let people = report.people.map { person in
            LoggedPerson(
                name: person.name, facts: [("seen by", person.deviceName ?? person.device)], joints: person.joints)
        }
        recorder.put(people, of: .room, time: time)
    }

    func daemonReturned() { sign.lost() }

    func run(_ dock: Dock) async {
        await withTaskGroup { group in
            group.addTask {
                await self.sign.run(dock) { self.log.warning("nothing is written to \(self.path): \($0)") }
            }
            group.addTask { for await _ in self.over {} }
            await group.next()
            group.cancelAll()
        }
    }

    func clear(_ dock: Dock?) async {
        let hadEnded = recorder.figures.ending != nil
        recorder.stop()
        if let dock { _ = try? await dock.setIndicator("file", .off, text: "") }
        let figures = recorder.figures
        guard !hadEnded, figures.ending?.error == nil else { return }
        guard figures.bytes > 0 else { return log.note("\(path) was removed: there was nothing to write") }
        log.note("\(path): \(figures.pictures) pictures, \(UplinkWords.megabytes(figures.bytes))")
    }

    var figures: [UplinkFigure] {
        let figures = recorder.figures
        return [
            UplinkFigure("file_pictures_total", .counter, "Pictures for the file.", Double(figures.pictures)),
            UplinkFigure("file_dropped_total", .counter, "Pictures that are not in it.", Double(figures.dropped)),
            UplinkFigure("file_bytes", "The size of the file.", Double(figures.bytes)),
            UplinkFigure("file_ended", "1 if it has ended by itself.", figures.ending == nil ? 0 : 1),
        ]
    }

    func report(problem: String?) async -> (ExtensionState, String) {
        let figures = recorder.figures
        if let ending = figures.ending {
            return (.fault, UplinkWords.short(ending.error?.message ?? "the file has ended"))
        }
        if let problem = sign.problem ?? problem {
            return (.ready, UplinkWords.short("nothing is written: \(problem)"))
        }
        let dropped = figures.dropped == 0 ? "" : ", \(figures.dropped) left out"
        return (.ready, "file \(figures.pictures) pictures, \(UplinkWords.megabytes(figures.bytes))\(dropped)")
    }
}
