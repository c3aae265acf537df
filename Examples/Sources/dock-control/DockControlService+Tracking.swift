import Companion

/// Who is followed, and where in the picture.
extension DockControlService {
    /// DockKit knows one switch: system tracking on or off. Off, the app either tracks by itself (custom) or steers (manual).
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
        // Off: nobody is chosen any more.
        if !isEnabled { try await dock.selectSubjects([]) }
    }

    /// Follows whoever is at a point of the picture, and tells the number.
    func tap(at point: Point) async throws(DockError) -> Int {
        let dock = try docked()
        guard features.isTapToTrackEnabled else {
            throw DockError(.notSupported, "tap to track is off", hint: "`tap on` first")
        }
        guard let subject = try await dock.selectSubject(at: point) else {
            throw DockError(.noSubjectFound, "nobody there", hint: "tap on a face")
        }
        return subject
    }

    /// nil: the whole picture counts again.
    func setRegion(_ region: Rect?) async throws(DockError) {
        try await docked().setRegionOfInterest(region ?? .full)
        features.isRegionEnabled = region != nil
    }
}
