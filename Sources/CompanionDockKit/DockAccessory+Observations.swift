public import Companion
public import Foundation

extension DockAccessory {
    /// One subject in one frame, as the app observes it.
    public struct Observation: Sendable, Equatable {
        /// What was recognised.
        public typealias ObservationType = Companion.Observation.ObservationType

        /// What was recognised.
        public let type: Companion.Observation.ObservationType
        let companion: Companion.Observation

        /// Creates a subject.
        /// - Parameters:
        ///   - identifier: the app's number for the subject, which is the same in all frames.
        ///   - type: what was recognised.
        ///   - rect: its rectangle: normalised, origin top-left, upright, unmirrored.
        ///   - faceYawAngle: the direction of the face, positive to the right of the frame, or nil if not computed.
        public init(
            identifier: Int, type: ObservationType, rect: CGRect, faceYawAngle: Measurement<UnitAngle>? = nil
        ) {
            self.type = type
            companion = Companion.Observation(
                identifier: identifier, type: type, rect: Rect(rect),
                faceYawAngle: faceYawAngle?.converted(to: UnitAngle.radians).value)
        }

        /// The app's number for the subject.
        public var identifier: Int { companion.identifier }
        /// The subject's rectangle.
        public var rect: CGRect { CGRect(companion.rect) }
        /// The direction of the face, or nil if not computed.
        public var faceYawAngle: Measurement<UnitAngle>? {
            companion.faceYawAngle.map { Measurement(value: $0, unit: UnitAngle.radians) }
        }
    }

    /// The camera of observations. What is not given comes from the rig's profile.
    public struct CameraInformation: Sendable, Equatable {
        /// How the camera was held.
        public let orientation: Companion.DockAccessory.CameraOrientation
        let companion: Companion.CameraInformation

        /// Creates a camera. There is no capture device on Linux, so the profile describes the lens.
        /// - Parameters:
        ///   - orientation: how the camera was held.
        ///   - cameraIntrinsics: the lens, in pixels of a frame of `referenceDimensions`.
        ///   - referenceDimensions: the size of the frame, in pixels.
        public init(
            orientation: CameraOrientation = .corrected, cameraIntrinsics: CameraIntrinsics? = nil,
            referenceDimensions: CGSize? = nil
        ) {
            self.orientation = orientation
            companion = Companion.CameraInformation(
                orientation: orientation, intrinsics: cameraIntrinsics,
                referenceDimensions: referenceDimensions.map {
                    PictureSize(width: Double($0.width), height: Double($0.height))
                })
        }

        /// The lens, or nil if the profile describes it.
        public var cameraIntrinsics: CameraIntrinsics? { companion.intrinsics }
        /// The size of the frame, in pixels, or nil if not given.
        public var referenceDimensions: CGSize? {
            companion.referenceDimensions.map { CGSize(width: $0.width, height: $0.height) }
        }
    }
}
