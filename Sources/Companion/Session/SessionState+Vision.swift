internal import DockControl
internal import DockTypes
internal import Geometry
internal import Processes

/// Selects the detector that steers.
extension SessionState {
    mutating func source(_ name: String?, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        guard let vision = tracking.vision, !vision.detectors.isEmpty else {
            let error = DockError(
                .notSupported, "detections come from \(options.source) only",
                hint: "start dockface run with several --detector options, or with --camera")
            return refuse(ticket, error, now: now)
        }
        let names = vision.detectors.map(\.name)
        guard let name else {
            let words = vision.detectors.map { detector in
                "\(detector.name) (\(detector.name == vision.active ? "steers, " : "")\(detector.state.rawValue))"
            }.joined(separator: ", ")
            return finish(ticket, .success(Outcome("sources: \(words)")), now: now)
        }
        guard names.contains(name) else {
            let error = DockError(
                .invalidParameter, "unknown source \"\(name.prefix(40))\"",
                hint: "one of \(names.joined(separator: ", "))")
            return refuse(ticket, error, now: now)
        }
        guard vision.detectors.first(where: { $0.name == name })?.state != .over else {
            let error = DockError(
                .notSupported, "source \(name) has ended",
                hint: "start dockface run again")
            return refuse(ticket, error, now: now)
        }
        return [.use(name)] + finish(ticket, .success(Outcome("source \(name)", .source(name))), now: now)
    }
}
