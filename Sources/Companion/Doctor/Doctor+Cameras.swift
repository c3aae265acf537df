/// The cameras that a detector could use.
extension Doctor {
    /// Examines whether a detector of this user can open the cameras, and which programs use them.
    func cameras() -> [Finding] {
        let devices = system.names("/dev").filter { $0.hasPrefix("video") }.map { "/dev/" + $0 }
        guard !devices.isEmpty else {
            return [
                Finding(
                    "camera", .note, "no camera found (/dev/video*)",
                    hint: "plug one in, or pipe in a detector: detector | dockface run --detector stdin")
            ]
        }
        var findings: [Finding] = []
        let closed = devices.filter { !system.isWritable($0) }
        if let first = closed.first {
            findings.append(
                Finding(
                    "camera", .warning,
                    "no permission to open \(closed.joined(separator: ", "))",
                    hint: system.deviceAccess(to: first)?.remedy))
        }
        for device in devices {
            for holder in system.holders(of: device) {
                findings.append(
                    Finding(
                        "camera", .note, "\(device) is open in \(holder.name) (process \(holder.id))",
                        hint: "only one program can use a camera: if it is not your detector, end it"))
            }
        }
        guard findings.isEmpty else { return findings }
        return [
            Finding(
                "camera", .ok,
                "\(devices.count) camera device\(devices.count == 1 ? "" : "s"): \(devices.joined(separator: ", "))")
        ]
    }
}
