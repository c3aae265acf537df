public import FaceTracker

extension DockAccessory {
    /// How a camera was held when it took a frame.
    public enum CameraOrientation: Sendable, Hashable, CaseIterable {
        /// The frame is upright.
        case corrected
        /// The camera looked upward; the frame counts as upright.
        case faceUp
        /// The camera looked downward; the frame counts as upright.
        case faceDown
        /// The frame is upright.
        case landscapeLeft
        /// The frame is upside down.
        case landscapeRight
        /// The frame must be rotated clockwise by 90 degrees.
        case portrait
        /// The frame must be rotated clockwise by 270 degrees.
        case portraitUpsideDown
        /// Unknown; the frame counts as upright.
        case unknown

        /// Degrees (0, 90, 180, 270) by which the frame must be rotated clockwise to be upright.
        public var rotation: Int {
            switch self {
            case .corrected, .faceUp, .faceDown, .landscapeLeft, .unknown: 0
            case .portrait: 90
            case .landscapeRight: 180
            case .portraitUpsideDown: 270
            }
        }
    }
}

extension CameraInformation {
    /// Creates a camera from its orientation. The field of view comes from the intrinsics or else from the profile.
    public init(
        orientation: DockAccessory.CameraOrientation, intrinsics: CameraIntrinsics? = nil,
        referenceDimensions: PictureSize? = nil
    ) {
        self.init(
            referenceDimensions: referenceDimensions, intrinsics: intrinsics, rotate: orientation.rotation)
    }
}
