import Companion

/// Selection of the followed person, and their position in the frame.
extension DockControlService {
    /// DockKit has one switch: system tracking on or off. If it is off, the app either tracks (custom) or steers
    /// (manual).
    func setMode(_ new: TrackingMode) async throws(DockError) {
        _ = try docked()
        isSwitching = true
        defer {
            isSwitching = false
            lookAtTrackingButton()
        }
        try await manager.setSystemTrackingEnabled(new == .system)
        mode = new
    }

    func setFramingMode(_ new: FramingMode) async throws(DockError) {
        try await docked().setFramingMode(new)
        features.framing = new
    }

    func setTapToTrack(_ isEnabled: Bool) async throws(DockError) {
        let dock = try docked()
        features.isTapToTrackEnabled = isEnabled
        // When tap to track is off, no subject stays selected.
        if !isEnabled { try await dock.selectSubjects([]) }
    }

    /// Follows the subject at a point of the frame, and returns its number.
    func tap(at point: Point) async throws(DockError) -> Int {
        let dock = try docked()
        guard features.isTapToTrackEnabled else {
            throw DockError(.notSupported, "tap to track is off", hint: "`tap on` first")
        }
        guard let subject = try await dock.selectSubject(at: point) else {
            throw DockError(.noSubjectFound, "no subject at that point", hint: "tap on a face")
        }
        return subject
    }

    /// nil: the whole frame counts again.
    func setRegion(_ region: Rect?) async throws(DockError) {
        try await docked().setRegionOfInterest(region ?? .full)
        features.isRegionEnabled = region != nil
    }
}
