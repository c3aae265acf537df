import ArgumentParser
import Camera

/// `dockface cameras`: lists the cameras.
struct Cameras: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the cameras with their formats and sizes.",
        discussion:
            "Queries the cameras without interrupting other programs that use them. Next: dockface detect --camera /dev/video0"
    )

    func run() throws {
        let cameras = CameraDevice.all()
        for camera in cameras { for line in Self.lines(camera) { print(line) } }
        if cameras.isEmpty {
            print(
                "no camera found: plug one in, or use a video file (--camera file:PATH) or a test pattern (--camera test)"
            )
        }
    }

    /// Returns the lines for one camera: its name, then its formats with their sizes, the largest first.
    static func lines(_ camera: CameraDevice) -> [String] {
        if let problem = camera.problem { return [problem] }
        var lines = [camera.path + "  " + camera.name]
        if let path = camera.stablePath { lines.append("  always at " + path) }
        var formats: [String] = []
        for mode in camera.modes where !formats.contains(mode.format) { formats.append(mode.format) }
        for format in formats {
            let modes = camera.modes.filter { $0.format == format }.sorted {
                $0.width * $0.height > $1.width * $1.height
            }
            let sizes = modes.map { mode in
                "\(mode.width)x\(mode.height)" + (mode.framesPerSecond.map { " at \(Int($0.rounded()))/s" } ?? "")
            }
            lines.append("  \(format)  " + sizes.joined(separator: ", "))
        }
        return lines
    }
}
