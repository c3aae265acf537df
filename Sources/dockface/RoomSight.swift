import ArgumentParser
import Companion
import DockControl
import DockSimulator
import DockTypes
import FaceTracker
import Files
import Geometry
import Synchronization

/// `--detector room:NAME`: the camera of a simulated head in a recorded room, as a source of detections.
final class RoomSight: Sendable {
    /// Only the source's thread uses it. It may wait for the head of another process.
    private let camera: Mutex<RoomCamera>
    private let head: @Sendable (Seconds) -> HeadView

    /// Creates a sight. `head` returns what the camera looks at, at a time (CLOCK_MONOTONIC), and may wait.
    init(_ camera: RoomCamera, head: @escaping @Sendable (Seconds) -> HeadView) {
        self.camera = Mutex(camera)
        self.head = head
    }

    /// Returns the camera of a source on a rig's head, or nil if the source is no room.
    /// - Throws: an exit that says what is wrong with the file, and where.
    static func camera(of source: DetectionSource, _ profile: RigProfile) throws -> RoomCamera? {
        guard case .room(let name) = source else { return nil }
        let library = RoomLibrary()
        guard let path = library.path(of: name) else {
            let known = library.names.joined(separator: ", ")
            throw fail(
                "there is no room \"\(name)\"; name a file, room:FILE.jsonl"
                    + (known.isEmpty ? "" : ", or one of \(known)"), status: 65)
        }
        do throws(FileError) {
            return RoomCamera(try room(path), profile: profile)
        } catch {
            throw fail(plain: error.description, status: 65)
        }
    }

    private static func room(_ path: String) throws(FileError) -> RecordedRoom {
        let text = try UserFile.text(of: path, atMost: RoomLibrary.largest)
        do throws(RecordedRoom.Flaw) {
            return try RecordedRoom(text)
        } catch {
            throw FileError(problems: [FileProblem(file: path, line: error.line, text: error.text)])
        }
    }

    /// The sight as the only source of a daemon.
    /// - Throws: an exit if the system has no descriptors left.
    func vision() throws -> Vision {
        let writer = DetectionWriter { [self] now, lines in feed(now: now, lines: &lines) }
        do throws(DockError) {
            return try Vision(cameras: [], sources: [.written(name: "room", by: writer)])
        } catch {
            throw error.exit
        }
    }

    /// Appends the lines that are due. Returns when the next one is.
    private func feed(now: Seconds, lines: inout [UInt8]) -> Seconds? {
        camera.withLock { camera in
            if camera.nextDelivery == nil { camera.begin(now: now, into: &lines) }
            while let due = camera.nextDelivery, due <= now {
                camera.deliver(now: now, looking: { head($0) }, into: &lines)
            }
            return camera.nextDelivery
        }
    }
}
