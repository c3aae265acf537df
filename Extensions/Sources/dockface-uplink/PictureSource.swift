import Aerie
import Codecs
import DockClient
import DockTypes
import ExtensionKit
import Geometry
import PictureShare
import SpatialModel
import Synchronization

/// Receives pictures, lenses and skeletons of the daemon, and passes them on to the outputs.
final class PictureSource: Sendable {
    private struct Known {
        /// The facts of the last second, because an answer of a detector belongs to an earlier picture.
        var facts: [PictureFacts] = []
        /// The shape of the newest picture: its width divided by its height.
        var shape = 4.0 / 3
        var problem: String? = "waiting for pictures"
    }

    private let width: Int
    private let rig: RigKnowledge
    private let log: ExtensionLog
    private let outputs: [any UplinkOutput]
    private let known = Mutex(Known())

    /// - Parameter width: the greatest width of a picture, in pixels.
    init(width: Int, _ rig: RigKnowledge, log: ExtensionLog, outputs: [any UplinkOutput]) {
        (self.width, self.rig, self.log, self.outputs) = (width, rig, log, outputs)
    }

    /// Why there are no pictures, or nil.
    var problem: String? { known.withLock { $0.problem } }

    /// Receives until the task is cancelled.
    func run(_ dock: Dock) async {
        await withTaskGroup { group in
            group.addTask { await self.watchLens(dock) }
            group.addTask { await self.watchSkeletons(dock) }
            group.addTask { await self.watchPictures(dock) }
        }
    }

    private func watchLens(_ dock: Dock) async {
        guard let updates = try? dock.updates(.tracking) else { return }
        for await update in updates {
            rig.learn(update.value.lens, optics: known.withLock { $0.facts.last?.optics })
        }
    }

    private func watchSkeletons(_ dock: Dock) async {
        guard let updates = try? dock.updates(.detections) else { return }
        for await update in updates where !update.value.people.isEmpty {
            let people = update.value.people.compactMap { SeenPerson(json: $0) }
            guard let sequence = update.value.sequence, let time = update.value.time else { continue }
            let (facts, shape) = known.withLock { known in
                // A detector with a camera of its own has other numbers.
                (known.facts.first { $0.sequence == sequence && abs($0.exposure - time) < 0.02 }, known.shape)
            }
            guard let facts else { continue }
            let seen = SeenPeople(
                facts: facts, shape: shape, people: Array(people.prefix(CameraFrame.Skeletons.mostPeople)))
            for output in outputs { output.receive(seen) }
        }
    }

    private func watchPictures(_ dock: Dock) async {
        var pause = BackOff()
        while !Task.isCancelled {
            do throws(DockError) {
                rig.learn(try await dock.status())
                let pictures = try await dock.pictures(maximumWidth: width, format: .rgb24)
                note(nil)
                pause.succeeded()
                try await pass(pictures)
            } catch {
                note(error.message)
            }
            try? await Task.sleep(for: .seconds(pause.failed()))
        }
    }

    private func pass(_ pictures: sending DockPictures) async throws(DockError) {
        let reader = pictures.reader, (width, height) = (reader.layout.width, reader.layout.height)
        var last = 0, iterator = pictures.makeAsyncIterator()
        while try await iterator.next() != nil {
            // Only the newest counts.
            guard let picture = reader.newest(after: last) else { continue }
            last = picture.number
            let copy = reader.read(picture) { RGBPicture(width: width, height: height, copying: $0) }
            guard let pixels = copy ?? nil else { continue }
            let facts = picture.facts
            known.withLock { known in
                known.facts.removeAll { facts.exposure - $0.exposure > 1 || $0.sequence >= facts.sequence }
                known.facts.append(facts)
                known.shape = Double(width) / Double(height)
            }
            let taken = TakenPicture(pixels: pixels, facts: facts)
            for output in outputs { output.receive(taken) }
        }
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
}
