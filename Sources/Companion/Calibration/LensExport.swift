public import DockControl
internal import Files

/// The files in which other programs keep a lens. Rows of a matrix come one after the other.
public enum LensExport: String, CaseIterable, Sendable {
    /// ROS's `camera_info`, as camera drivers read it from `~/.ros/camera_info`.
    case ros
    /// OpenCV's FileStorage.
    case opencv

    /// Returns the text of the file. How the camera is turned against the head has no place in it.
    public func text(_ lens: CalibratedLens, name: String) -> String {
        let (width, height) = (Int(lens.width), Int(lens.height)), bends = lens.distortion
        // They count pixels from the middle of the first one, and a profile from its corner.
        let (x, y) = (lens.principal.x - 0.5, lens.principal.y - 0.5)
        let camera = [lens.focal.x, 0, x, 0, lens.focal.y, y, 0, 0, 1]
        let distortion = [bends.k1, bends.k2, bends.p1, bends.p2, bends.k3]
        switch self {
        case .ros:
            let projection = [
                lens.focal.x, 0, x, 0, 0, lens.focal.y, y, 0, 0, 0, 1, 0,
            ]
            return """
                image_width: \(width)
                image_height: \(height)
                camera_name: \(FileText.quoted(name))
                \(Self.rosMatrix("camera_matrix", 3, 3, camera))
                distortion_model: plumb_bob
                \(Self.rosMatrix("distortion_coefficients", 1, 5, distortion))
                \(Self.rosMatrix("rectification_matrix", 3, 3, [1, 0, 0, 0, 1, 0, 0, 0, 1]))
                \(Self.rosMatrix("projection_matrix", 3, 4, projection))

                """
        case .opencv:
            return """
                %YAML:1.0
                ---
                image_width: \(width)
                image_height: \(height)
                \(Self.openCVMatrix("camera_matrix", 3, 3, camera))
                \(Self.openCVMatrix("distortion_coefficients", 1, 5, distortion))

                """
        }
    }

    private static func rosMatrix(_ name: String, _ rows: Int, _ columns: Int, _ numbers: [Double]) -> String {
        "\(name):\n  rows: \(rows)\n  cols: \(columns)\n  data: \(list(numbers))"
    }

    private static func openCVMatrix(_ name: String, _ rows: Int, _ columns: Int, _ numbers: [Double]) -> String {
        "\(name): !!opencv-matrix\n   rows: \(rows)\n   cols: \(columns)\n   dt: d\n   data: \(list(numbers))"
    }

    private static func list(_ numbers: [Double]) -> String {
        "[" + numbers.map(FileText.words).joined(separator: ", ") + "]"
    }
}
