import Codecs
import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import FacePrivacy
import PictureShare
import Synchronization
import VideoRecorder

/// Passes pictures and detections from the daemon to the recorder, while that wants them.
final class PictureFeed: Sendable {
    private let recorder: Recorder
    private let lines: LogLines
    private let requests: AsyncStream<Bool>
    private let put: AsyncStream<Bool>.Continuation
    private let shared = Mutex<String?>(nil)

    init(_ recorder: Recorder, _ lines: LogLines) {
        (self.recorder, self.lines) = (recorder, lines)
        (requests, put) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Why there are no pictures, or nil.
    var problem: String? { shared.withLock { $0 } }

    /// Opens or closes the pictures.
    func watch(_ isWanted: Bool) { put.yield(isWanted) }

    /// Passes pictures on until the task is cancelled.
    func run(_ dock: Dock) async {
        var work: Task<Void, Never>?
        for await isWanted in requests {
            work?.cancel()
            await work?.value
            work = nil
            if isWanted {
                work = Task { await passAll(dock) }
            } else {
                // The screen must no longer say that a program sees the pictures.
                try? await dock.closePictures()
            }
        }
        work?.cancel()
        await work?.value
    }

    private func passAll(_ dock: Dock) async {
        await withTaskGroup { group in
            group.addTask { await self.passDetections(dock) }
            group.addTask { await self.passPictures(dock) }
        }
    }

    private func passDetections(_ dock: Dock) async {
        guard let updates = try? dock.updates(.detections) else { return }
        for await update in updates {
            do throws(LookProblem) {
                recorder.receive(try FaceLook(update.value))
            } catch {
                recorder.refuse(error, source: update.value.source, arrival: update.value.arrival)
            }
        }
    }

    private func passPictures(_ dock: Dock) async {
        var pause = BackOff()
        while !Task.isCancelled {
            do throws(DockError) {
                let pictures = try await dock.pictures(format: .yuv420p)
                note(nil)
                pause.succeeded()
                try await pass(pictures)
            } catch {
                note(error.message)
            }
            try? await Task.sleep(for: .seconds(pause.failed()))
        }
    }

    /// Passes on each picture, also those that came while the one before was copied.
    private func pass(_ pictures: sending DockPictures) async throws(DockError) {
        let reader = pictures.reader
        var last = 0, iterator = pictures.makeAsyncIterator()
        while try await iterator.next() != nil {
            while let picture = reader.next(after: last) {
                last = picture.number
                pass(picture, reader)
            }
        }
    }

    private func pass(_ picture: SharedPicture, _ reader: PictureReader) {
        let (width, height) = (reader.layout.width, reader.layout.height)
        let copy = reader.read(picture) { PlanarPicture(width: width, height: height, copying: $0) }
        // One that was overwritten meanwhile is missing; its number is, too.
        guard let copy = copy ?? nil else { return }
        let facts = picture.facts
        recorder.receive(
            copy,
            FrameStamp(
                sequence: facts.sequence, exposure: facts.exposure, width: width, height: height,
                rate: facts.pose?.rate, pose: facts.pose?.pose, optics: facts.optics))
    }

    /// Says once why there are no pictures.
    private func note(_ problem: String?) {
        let before = shared.withLock { shared in
            defer { shared = problem }
            return shared
        }
        guard problem != before else { return }
        if let problem {
            lines.add("waiting for pictures: \(problem)")
        } else {
            lines.add("pictures arrive")
        }
    }
}
