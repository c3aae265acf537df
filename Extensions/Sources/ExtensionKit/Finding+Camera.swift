public import ControlProtocol

extension Finding {
    /// The row of the daemon's camera.
    /// - Parameters:
    ///   - camera: the member `detector.camera` of `status`; nil or null if the daemon has none.
    ///   - waiter: what waits for its pictures, as in "the uplink".
    public static func camera(_ camera: JSONValue?, waiter: String) -> Finding {
        guard let camera, let state = camera["state"]?.string else {
            let hint = "start it with --camera, as in `dockface run --camera /dev/video0`"
            return Finding(.fault, "camera", "the daemon has no camera", hint)
        }
        let words = "\(camera["name"]?.string ?? "the camera"): \(state)"
        guard state != "running" else { return Finding(.ok, "camera", words) }
        let problem = camera["problem"]?.string.map { ", \($0)" } ?? ""
        return Finding(.warning, "camera", words + problem, "\(waiter) waits for its pictures; see `dockface doctor`")
    }
}
