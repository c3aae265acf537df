import Camera
import Companion
import DockControl
import DockTypes
import FaceTracker
import Files
import Glibc

/// The combination of `--camera` and `--detector`.
struct VisionArguments {
    let camera: CameraSource?
    let sources: [DetectionSource]

    /// Parses both options. A camera without a detector gets the default one.
    /// - Throws: an exit that says what to write instead.
    init(camera text: String?, detectors: [String]) throws {
        do {
            camera = try text.map { text throws(CameraSource.Failure) in try CameraSource(text) }
        } catch {
            throw fail("--camera \(error)", status: 64)
        }
        var sources: [DetectionSource] = []
        for text in detectors {
            do {
                sources.append(try DetectionSource(text))
            } catch {
                throw fail("--detector \(error)", status: 64)
            }
        }
        if sources.isEmpty, camera != nil { sources = [.named("blazeface")] }
        self.sources = sources
        if let odd = sources.first(where: { !$0.isOurs }), sources.count > 1 || camera != nil {
            throw fail(
                "--detector \(odd.word) cannot be combined: with a camera, or with other detectors, use exec:COMMAND, unix:PATH or one of \(DetectionSource.names.joined(separator: ", "))",
                status: 64)
        }
    }

    /// The one source that the program itself feeds, or nil if `vision` provides the detections.
    var other: DetectionSource? { sources.first { !$0.isOurs } }

    /// Returns the camera and detectors for the rig's profile, or nil if there are none. `rate`: frames per second for
    /// a detector; `scores`: the minimum scores.
    /// - Throws: an exit that says what is missing and how to install it.
    func vision(
        profile: RigProfile, rate: Double, scores: String? = nil, isPaced: Bool = true, openLoop: Bool = true
    ) throws -> Vision? {
        guard let named = try ours(profile: profile, openLoop: openLoop) else { return nil }
        var options = Capture.Options()
        options.latency = profile.camera.latency
        options.rotate = profile.camera.rotate
        options.isMirrored = profile.camera.mirror
        options.isPaced = isPaced
        do {
            return try Vision(
                camera: camera, options: options, sources: named, rate: rate,
                scores: scores.flatMap { DetectorScores($0) })
        } catch {
            throw error.exit
        }
    }

    /// Returns the detectors that this program runs or to which it listens, or nil if there are none and no camera
    /// either. Nothing is started or opened.
    /// - Throws: an exit that says what is missing and how to install it.
    func ours(profile: RigProfile, openLoop: Bool = true) throws -> [Vision.Source]? {
        guard camera != nil || sources.contains(where: \.isOurs) else { return nil }
        if let camera { try Self.check(camera) }
        if let camera, camera.isRecorded, profile.camera.mount == .head, !openLoop {
            throw fail(
                "a film does not turn with the camera of \"\(profile.name)\", which sits on the head: add --open-loop, or name a rig whose camera is fixed",
                status: 64)
        }
        do {
            return try named()
        } catch let error as DockError {
            throw error.exit
        }
    }

    private func named() throws -> [Vision.Source] {
        var taken: Set<String> = []
        return try sources.map { source in
            switch source {
            case .named(let name):
                guard camera != nil else {
                    throw fail(
                        "--detector \(name) needs a camera: add --camera /dev/video0 (see: dockface cameras)",
                        status: 64)
                }
                return .looking(name: Self.free(name, &taken), words: try DetectorPlaces.words(of: name))
            case .child(let command):
                let name = Self.free("exec", &taken), words = DetectorStage.Options.shell(command)
                return camera == nil ? .program(name: name, words: words) : .looking(name: name, words: words)
            case .socket(let path):
                guard taken.insert("unix").inserted else {
                    throw fail(
                        "--detector unix:\(path): several detectors can share one socket; name it once", status: 64)
                }
                return .socket(path: path)
            case .none, .standardInput, .file, .scene:
                throw fail("--detector \(source.word) cannot be combined", status: 64)
            }
        }
    }

    private static func free(_ name: String, _ taken: inout Set<String>) -> String {
        let free = taken.contains(name) ? (2...99).map { "\(name)-\($0)" }.first { !taken.contains($0) } ?? name : name
        taken.insert(free)
        return free
    }

    /// Checks everything that is known before the camera is opened.
    private static func check(_ camera: CameraSource) throws {
        if case .file(let path, _) = camera, access(path, R_OK) != 0 {
            throw fail("--camera file:\(path): \(String(cString: strerror(errno))); give a video file", status: 65)
        }
        if case .file(let path, _) = camera {
            var info = Glibc.stat()
            if stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR {
                throw fail("--camera file:\(path): a folder; give one video file in it", status: 65)
            }
        }
        let folders = (ProcessEnvironment.value("PATH") ?? "/usr/bin").split(separator: ":")
        guard folders.contains(where: { access("\($0)/ffmpeg", X_OK) == 0 }) else {
            throw fail("a camera needs ffmpeg: scripts/setup --camera installs it", status: 69)
        }
    }
}

extension CameraSource {
    /// Whether it shows a recording. The camera that recorded it did not move.
    fileprivate var isRecorded: Bool { if case .file = self { true } else { false } }
}

extension DetectionSource {
    /// Whether the daemon starts and watches this source, and can let others steer instead.
    fileprivate var isOurs: Bool { !bringsPictures }

    /// The source as typed.
    fileprivate var word: String {
        switch self {
        case .none: "none"
        case .standardInput: "stdin"
        case .socket(let path): "unix:\(path)"
        case .child(let command): "exec:\(command)"
        case .named(let name): name
        case .file(let path, _, _): "file:\(path)"
        case .scene(let path, _, _): "scene:\(path)"
        }
    }
}
