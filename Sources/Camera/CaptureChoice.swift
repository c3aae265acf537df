internal import Geometry

/// The cameras of a capture, which of them is open, and the magnification of its pictures.
struct CaptureChoice {
    private let cameras: [Capture.Camera]
    private let dial: CaptureDial
    private var change = ProgramSwitch()
    private var zoom = ZoomDrive()

    init(_ cameras: [Capture.Camera], _ dial: CaptureDial) { (self.cameras, self.dial) = (cameras, dial) }

    /// The open camera.
    var camera: Capture.Camera { cameras[place] }
    /// The place of the open camera in the list of cameras.
    var place: Int { change.running.camera }
    /// Whether the running program writes the camera's own size.
    var isFull: Bool { change.running.isFull }
    /// Whether the running program is ending because another one takes its place.
    var isUnderWay: Bool { change.isUnderWay }
    /// The latest time for the next call of `signal`, CLOCK_MONOTONIC, or nil if there is none.
    var deadline: Seconds? { change.deadline }
    /// Whether another camera is wanted than the open one.
    var wantsAnother: Bool { dial.setting.camera != place }

    /// As in `ZoomDrive`.
    func isUnsettled(now: Seconds) -> Bool { zoom.isUnsettled(now: now) }

    private func program(isFull: Bool) -> CaptureProgram { CaptureProgram(camera: dial.setting.camera, isFull: isFull) }

    /// As in `ProgramSwitch`.
    mutating func signal(isFullWanted: Bool, isRunning: Bool, now: Seconds) -> Int32? {
        change.signal(wanted: program(isFull: isFullWanted), isRunning: isRunning, now: now)
    }

    /// Records that a program starts, for the wanted camera. Returns whether it is another camera than before.
    mutating func begins(isFullWanted: Bool) -> Bool {
        let before = place
        change.begins(program(isFull: isFullWanted))
        if case .device(let path) = camera.source { zoom.use(DeviceZoom(path)) } else { zoom.use(nil) }
        return before != place
    }

    /// Applies the wanted magnification, and writes what applies to frames that arrive from now on into the ledger.
    mutating func look(_ ledger: FrameLedger, now: Seconds) {
        zoom.magnify(dial.setting.zoom)
        zoom.look(now: now)
        ledger.crop = zoom.crop
        ledger.optics = FrameOptics(camera: place, zoom: zoom.total)
    }
}
