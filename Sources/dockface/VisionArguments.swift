import Camera
import Companion
import DockControl
import FaceTracker

/// The combination of `--camera` and `--detector`. A plan that cannot be used exits with its message.
struct VisionArguments {
    private let plan: VisionPlan

    /// Parses both options. A camera without a detector gets the default one.
    /// - Throws: an exit that says what to write instead.
    init(camera: String?, others: [String] = [], size: String? = nil, detectors: [String]) throws {
        let camera = try camera.map(Self.withoutPhone), others = try others.map(Self.withoutPhone)
        plan = try Self.exiting { () throws(VisionPlan.Failure) in
            try VisionPlan(camera: camera, others: others, size: size, detectors: detectors)
        }
    }

    /// Replaces the camera `phone:PORT` by the installed extension that receives its pictures.
    /// - Throws: an exit that says which package brings the extension.
    private static func withoutPhone(_ text: String) throws -> String {
        // A mistake in the text is reported with the option's name, by the plan.
        guard let words = try? CameraSource.phoneWords(text) else { return text }
        let program = try ExtensionVerbs.shellWord(of: "depth", for: "--camera \(text)")
        return "exec:" + ([program] + words).joined(separator: " ")
    }

    /// The camera, or nil if there is none.
    var camera: CameraSource? { plan.camera }

    /// The one source that the program itself feeds, or nil if `vision` provides the detections.
    var other: DetectionSource? { plan.other }

    /// Returns the camera and detectors for the rig's profile, or nil if there are none. `rate`: frames per second for
    /// a detector; `scores`: the minimum scores.
    /// - Throws: an exit that says what is missing and how to install it.
    func vision(
        profile: RigProfile, rate: Double, scores: String? = nil, isPaced: Bool = true, openLoop: Bool = true
    ) throws -> Vision? {
        try Self.exiting { () throws(VisionPlan.Failure) in
            try plan.vision(
                profile: profile, rate: rate, scores: scores.flatMap { DetectorScores($0) }, isPaced: isPaced,
                openLoop: openLoop)
        }
    }

    /// Returns the detectors that this program runs or to which it listens, or nil if there are none and no camera
    /// either. Nothing is started or opened.
    /// - Throws: an exit that says what is missing and how to install it.
    func ours(profile: RigProfile, openLoop: Bool = true) throws -> [Vision.Source]? {
        try Self.exiting { () throws(VisionPlan.Failure) in try plan.ours(profile: profile, openLoop: openLoop) }
    }

    private static func exiting<Value>(_ read: () throws(VisionPlan.Failure) -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            switch error {
            case .mistake(let text, let status): throw fail(text, status: status)
            case .missing(let error): throw error.exit
            }
        }
    }
}
