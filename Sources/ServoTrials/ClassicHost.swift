internal import DockControl
internal import DockSimulator
internal import FaceTracker
internal import Geometry

/// A minimal program around a law on pixels: it reads the detector's lines, and sends the law's result to the dock at
/// once. It shares only the wire protocol with the daemon.
final class ClassicHost: TrialHost {
    /// Interval after which the last set-point is repeated, seconds: the dock's deadman is 0.25 s.
    static let refresh: Seconds = 0.1

    private(set) var setpoints = 0
    var notes: [String] { [] }
    var pictureLag: LatencyWatch.Finding? { nil }
    private let line: VirtualLink
    private var law: any ClassicLaw
    private var driver: any DockDriver
    private var decoder: DetectionDecoder
    private let profile: RigProfile
    private var camera: CameraModel
    private var now: Seconds
    private var velocity = PanTilt.zero
    private var isReady = false
    private var written: Seconds = -.infinity
    private var serviceAt: Seconds
    private var records: [TraceRecord] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

    init(line: VirtualLink, driver: any DockDriver, profile: RigProfile, law: any ClassicLaw, now: Seconds) {
        self.line = line
        self.law = law
        self.driver = driver
        self.profile = profile
        self.now = now
        serviceAt = now
        camera = CameraModel(camera: profile.camera)
        var options = DecoderOptions()
        options.cameraLatency = profile.camera.latency
        decoder = DetectionDecoder(options: options)
    }

    func begin() { driver.begin(now: now, motionless: false) }

    deinit { buffer.deallocate() }

    func turn(_ lines: [UInt8], now: Seconds) {
        self.now = now
        hear()
        see(lines)
        var bytes: [UInt8] = []
        if now >= serviceAt { serviceAt = driver.service(now: now, into: &bytes) }
        if isReady, now - written >= Self.refresh { send(into: &bytes) }
        write(bytes)
    }

    func end() -> [TraceRecord] {
        var bytes: [UInt8] = []
        driver.encodeStop(into: &bytes)
        write(bytes)
        return records
    }

    private func hear() {
        while case .bytes(let count) = line.read(into: buffer) {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            records.append(TraceRecord(time: now, body: .fromDock(Array(bytes))))
            var reports: [DockReport] = []
            driver.receive(bytes, now: now, into: &reports)
            for report in reports {
                switch report {
                case .ready:
                    isReady = true
                    var bytes: [UInt8] = []
                    driver.setActive(true, into: &bytes)
                    write(bytes)
                case .motion(let sample, let tripped):
                    records.append(TraceRecord(time: now, body: .pose(sample, deadmanTripped: tripped)))
                default: break
                }
            }
            serviceAt = min(serviceAt, now)
        }
    }

    private func see(_ lines: [UInt8]) {
        guard !lines.isEmpty else { return }
        lines.withUnsafeBytes { decoder.feed($0) }
        while let event = decoder.next(arrival: now, realtime: 1.7e9 + now) {
            if case .hello = event, let size = decoder.pictureSize { camera.focal.y = camera.focal.x * size.aspect }
            guard case .frame = event else { continue }
            let faces = decoder.frame.detections.map(\.rect)
            velocity = law.velocity(for: faces, at: decoder.frame.exposure, through: camera)
            for axis in Axis.allCases {
                velocity[axis] = velocity[axis].clamped(to: -profile[axis].maxSpeed...profile[axis].maxSpeed)
            }
            let largest = faces.indices.max { faces[$0].area < faces[$1].area }
            let seen = faces.indices.map { index in
                FlightRecorder.Rectangle(
                    id: index + 1, rect: faces[index], isCoasting: false, isFollowed: index == largest)
            }
            records.append(TraceRecord(time: now, body: .rectangles(exposure: decoder.frame.exposure, seen)))
            guard isReady else { continue }
            var bytes: [UInt8] = []
            send(into: &bytes)
            write(bytes)
        }
    }

    private func send(into bytes: inout [UInt8]) {
        records.append(TraceRecord(time: now, body: .set(velocity, owner: "tracking", reason: "moving")))
        driver.encode(.velocity(velocity), now: now, into: &bytes)
        written = now
        setpoints += 1
    }

    private func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        _ = line.write(bytes)
        records.append(TraceRecord(time: now, body: .toDock(bytes, isCut: false)))
    }
}
