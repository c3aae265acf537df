public import Camera
public import DockControl
public import DockTypes
public import FaceTracker
internal import Files
internal import Glibc

/// A camera and detectors as a user named them, checked before anything is opened.
public struct VisionPlan: Sendable {
    /// The reason why they cannot be used.
    public enum Failure: Error, Sendable {
        /// The mistake and what to write instead, with the exit status of a program that ends with it.
        case mistake(String, status: Int32)
        /// Something is missing on this machine.
        case missing(DockError)

        /// The failure as an error of the library.
        public var error: DockError {
            switch self {
            case .mistake(let text, _):
                DockError(.configuration, text, hint: "`dockface config show --origin` shows where it is set")
            case .missing(let error): error
            }
        }
    }

    /// The cameras; the first one is opened at the start.
    public let cameras: [CameraSource]
    /// The first camera, or nil if there is none.
    public var camera: CameraSource? { cameras.first }
    /// The requested size of a device's frames in pixels, or nil for the default.
    public let size: FrameSize?
    /// The sources of detections. The first one steers.
    public let sources: [DetectionSource]

    /// Parses the words for the cameras and the detectors. A camera without a detector gets the default one.
    /// - Parameters:
    ///   - text: the first camera, or nil if there is none.
    ///   - others: the cameras that `flip` selects after it.
    ///   - size: the requested size of a device's frames, as "1280x720", or nil for the default.
    ///   - detectors: the detectors.
    public init(
        camera text: String?, others: [String] = [], size: String? = nil, detectors: [String]
    ) throws(Failure) {
        cameras = try Self.cameras(text, others)
        do {
            self.size = try size.map { text throws(FrameSize.Failure) in try FrameSize(text) }
        } catch {
            throw Failure.mistake("--camera-size \(error)", status: 64)
        }
        var sources: [DetectionSource] = []
        for text in detectors {
            do {
                sources.append(try DetectionSource(text))
            } catch {
                throw Failure.mistake("--detector \(error)", status: 64)
            }
        }
        if sources.isEmpty, !cameras.isEmpty { sources = [.named("blazeface")] }
        self.sources = sources
        if let odd = sources.first(where: { !$0.isOurs }), sources.count > 1 || !cameras.isEmpty {
            throw Failure.mistake(
                "--detector \(odd.word) cannot be combined: with a camera, or with other detectors, use exec:COMMAND, unix:PATH or one of \(DetectionSource.names.joined(separator: ", "))",
                status: 64)
        }
    }

    /// The one source that the program itself feeds, or nil if `vision` provides the detections.
    public var other: DetectionSource? { sources.first { !$0.isOurs } }

    /// Returns the camera and detectors for the rig's profile, not started, or nil if there are none.
    /// - Parameters:
    ///   - profile: the rig.
    ///   - rate: the maximum number of frames per second for a detector.
    ///   - scores: the minimum scores, or nil for the detector's own.
    ///   - isPaced: whether a video file is played at its own speed.
    ///   - openLoop: whether a recording is permitted although the camera turns with the dock.
    public func vision(
        profile: RigProfile, rate: Double, scores: DetectorScores?, isPaced: Bool = true, openLoop: Bool
    ) throws(Failure) -> Vision? {
        guard let ours = try ours(profile: profile, openLoop: openLoop) else { return nil }
        var options = Capture.Options()
        options.isPaced = isPaced
        if let size { options.size = (size.width, size.height) }
        let cameras = cameras.enumerated().map { place, source in
            var camera = Capture.Camera(source), described = profile.camera(at: place)
            (camera.latency, camera.rotate, camera.isMirrored) = (
                described.latency, described.rotate, described.mirror
            )
            return camera
        }
        do {
            return try Vision(cameras: cameras, options: options, sources: ours, rate: rate, scores: scores)
        } catch {
            throw Failure.missing(error)
        }
    }

    /// Returns the detectors that this program runs or to which it listens, or nil if there are none and no camera
    /// either. Nothing is started or opened.
    public func ours(profile: RigProfile, openLoop: Bool) throws(Failure) -> [Vision.Source]? {
        guard camera != nil || sources.contains(where: \.isOurs) else { return nil }
        for (place, camera) in cameras.enumerated() {
            try Self.check(camera)
            guard camera.isRecorded, profile.camera(at: place).mount == .head, !openLoop else { continue }
            throw Failure.mistake(
                "a film does not turn with the camera of \"\(profile.name)\", which sits on the head: add --open-loop, or name a rig whose camera is fixed",
                status: 64)
        }
        var taken: Set<String> = [], named: [Vision.Source] = []
        for source in sources { named.append(try self.named(source, &taken)) }
        return named
    }

    private static func cameras(_ first: String?, _ others: [String]) throws(Failure) -> [CameraSource] {
        guard first != nil || others.isEmpty else {
            throw Failure.mistake("--other-camera needs a first camera: add --camera", status: 64)
        }
        guard others.count < RigProfile.mostCameras else {
            throw Failure.mistake(
                "--other-camera: a rig has at most \(RigProfile.mostCameras) cameras in all", status: 64)
        }
        let words = (first.map { [("--camera", $0)] } ?? []) + others.map { ("--other-camera", $0) }
        var cameras: [CameraSource] = []
        for (option, text) in words {
            do {
                cameras.append(try CameraSource(text))
            } catch {
                throw Failure.mistake("\(option) \(error)", status: 64)
            }
        }
        return cameras
    }

    private func named(_ source: DetectionSource, _ taken: inout Set<String>) throws(Failure) -> Vision.Source {
        switch source {
        case .named(let name):
            guard camera != nil else {
                throw Failure.mistake(
                    "--detector \(name) needs a camera: add --camera /dev/video0 (see: dockface cameras)", status: 64)
            }
            do {
                return .looking(name: Self.free(name, &taken), words: try DetectorPlaces.words(of: name))
            } catch {
                throw Failure.missing(error)
            }
        case .child(let command):
            let name = Self.free("exec", &taken), words = DetectorStage.Options.shell(command)
            return camera == nil ? .program(name: name, words: words) : .looking(name: name, words: words)
        case .socket(let path):
            guard taken.insert("unix").inserted else {
                throw Failure.mistake(
                    "--detector unix:\(path): several detectors can share one socket; name it once", status: 64)
            }
            return .socket(path: path)
        case .none, .standardInput, .file, .scene, .room:
            throw Failure.mistake("--detector \(source.word) cannot be combined", status: 64)
        }
    }

    private static func free(_ name: String, _ taken: inout Set<String>) -> String {
        let free = taken.contains(name) ? (2...99).map { "\(name)-\($0)" }.first { !taken.contains($0) } ?? name : name
        taken.insert(free)
        return free
    }

    /// Checks everything that is known before the camera is opened.
    private static func check(_ camera: CameraSource) throws(Failure) {
        if case .file(let path, _) = camera, access(path, R_OK) != 0 {
            throw Failure.mistake(
                "--camera file:\(path): \(String(cString: strerror(errno))); give a video file", status: 65)
        }
        if case .file(let path, _) = camera {
            var info = stat()
            if stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR {
                throw Failure.mistake("--camera file:\(path): a folder; give one video file in it", status: 65)
            }
        }
        let folders = (ProcessEnvironment.value("PATH") ?? "/usr/bin").split(separator: ":")
        guard folders.contains(where: { access("\($0)/ffmpeg", X_OK) == 0 }) else {
            throw Failure.mistake("a camera needs ffmpeg: scripts/setup --camera installs it", status: 69)
        }
    }
}

extension CameraSource {
    /// Whether it shows a recording. The camera that recorded it did not move.
    fileprivate var isRecorded: Bool { if case .file = self { true } else { false } }
}

extension DetectionSource {
    /// Whether the session starts and watches this source, and can let others steer instead.
    fileprivate var isOurs: Bool { !bringsPictures }

    /// The source as typed.
    var word: String {
        switch self {
        case .none: "none"
        case .standardInput: "stdin"
        case .socket(let path): "unix:\(path)"
        case .child(let command): "exec:\(command)"
        case .named(let name): name
        case .file(let path, _, _): "file:\(path)"
        case .scene(let path, _, _): "scene:\(path)"
        case .room(let name): "room:\(name)"
        }
    }
}
