internal import DockTypes
package import Geometry

/// Records of the inputs of decisions (`TraceInput`). Numbers are kept exactly.
extension FlightRecorder {
    /// The longest record of a command, in bytes: the size of a taught motion with 500 keys.
    static let longestCommand = 16_384
    /// The number of faces in one record; the remaining ones follow in the next record.
    static let mostFaces = 40

    func begins(asleep: Seconds) { open(.begin, size: 8).storeBytes(of: asleep, as: Double.self) }

    func turn(_ wake: LoopCore.Wake, asleep: Seconds?) {
        var bits = TraceWake()
        if wake.portIsReadable { bits.insert(.port) }
        if wake.portHungUp { bits.insert(.hungUp) }
        if wake.inputIsReadable { bits.insert(.detections) }
        if wake.wasRung { bits.insert(.rung) }
        if wake.isDue { bits.insert(.due) }
        if wake.portsHaveNews { bits.insert(.ports) }
        if wake.guardHasNews { bits.insert(.guardian) }
        let place = open(.turn, flag: bits.rawValue, size: asleep == nil ? 0 : 8)
        if let asleep { place.storeBytes(of: asleep, as: Double.self) }
    }

    func ends() { _ = open(.over, size: 0) }

    func opened(isHardware: Bool, mostQueued: Int) {
        open(.opened, flag: isHardware ? 1 : 0, size: 4).storeBytes(of: Int32(clamping: mostQueued), as: Int32.self)
    }

    func notOpened(_ code: DockError.Code) { put(.notOpened, text: code.rawValue) }

    func hungUp() { _ = open(.hungUp, size: 0) }

    func queued(_ bytes: Int) {
        // The queue usually holds one or two set-points.
        guard !(0..<255).contains(bytes) else { return _ = open(.queued, flag: UInt8(bytes), size: 0) }
        open(.queued, flag: 255, size: 4).storeBytes(of: Int32(clamping: bytes), as: Int32.self)
    }

    func guardian(step: Int, isAlive: Bool, isAwaited: Bool) {
        let place = open(.guardian, flag: (isAlive ? 1 : 0) | (isAwaited ? 2 : 0), size: 2)
        place.storeBytes(of: UInt16(clamping: step), as: UInt16.self)
    }

    func intervention(_ did: GuardIntervention) {
        open(.intervention, flag: did.wrote ? 1 : 0, size: 8).storeBytes(of: did.silence, as: Double.self)
    }

    func renewed(_ isBegun: Bool) { _ = open(.renewed, flag: isBegun ? 1 : 0, size: 0) }

    func port(came: Bool) { _ = open(.port, flag: came ? 1 : 0, size: 0) }

    func realTimeRefused() { _ = open(.realTimeRefused, size: 0) }

    func zoom(_ magnification: Double) { open(.zoom, size: 8).storeBytes(of: magnification, as: Double.self) }

    /// Records the program that sent the next command.
    func given(by program: ProgramID) {
        open(.program, size: 4).storeBytes(of: Int32(truncatingIfNeeded: program.value), as: Int32.self)
    }

    /// Records a lost lease.
    func lost(_ lost: LostLease) {
        let place = open(.leaseLost, flag: lost.endsTracking ? 1 : 0, size: 4)
        place.storeBytes(of: Int32(truncatingIfNeeded: lost.program.value), as: Int32.self)
    }

    /// Records the camera that the stream reported.
    package func lens(_ lens: TraceLens?, aspect: Double) {
        var writer = RecordWriter(open(.lens, flag: lens == nil ? 0 : 1, size: 40))
        writer.put(aspect)
        for value in [lens?.focal.x, lens?.focal.y, lens?.principal.x, lens?.principal.y] { writer.put(value ?? 0) }
    }

    /// Records that the following frames are from another camera, or magnified otherwise.
    package func optics(_ optics: FrameOptics, aspect: Double) {
        var writer = RecordWriter(open(.optics, flag: UInt8(clamping: optics.camera), size: 16))
        writer.put(optics.zoom)
        writer.put(aspect)
    }

    /// Records that the stream begins again and does not continue its earlier data.
    package func epoch() { _ = open(.epoch, size: 0) }

    /// Records a frame of the detector; `face` returns each of `count` faces.
    package func picture(exposure: Seconds, count: Int, _ face: (Int) -> TraceFace) {
        faces(of: count) { range, continues in
            var size = 8
            for index in range { size += face(index).size(hasNumber: false) }
            var writer = RecordWriter(open(.picture, flag: continues ? 1 : 0, size: size))
            writer.put(exposure)
            for index in range { writer.put(face(index), hasNumber: false) }
        }
    }

    /// Records a read of the stream, if it has more data or has ended.
    package func reading(hasMore: Bool, hasEnded: Bool) {
        guard hasMore || hasEnded else { return }
        _ = open(.reading, flag: (hasMore ? 1 : 0) | (hasEnded ? 2 : 0), size: 0)
    }

    /// Records a tap.
    package func tapped(_ point: Point) {
        var writer = RecordWriter(open(.tap, size: 16))
        writer.put(point.x)
        writer.put(point.y)
    }

    /// Records a selection of at most 1000 subjects.
    package func selected(_ ids: [Int]) {
        var writer = RecordWriter(open(.select, size: min(ids.count, 1000) * 8))
        for id in ids.prefix(1000) { writer.put(id) }
    }

    /// Records at most 1000 distances that depth cameras have measured.
    package func measured(_ distances: [MeasuredDistance]) {
        var writer = RecordWriter(open(.distances, size: min(distances.count, 1000) * 24))
        for one in distances.prefix(1000) {
            writer.put(one.id)
            writer.put(one.metres)
            writer.put(one.until)
        }
    }

    /// Records a program's observation; `camera` as in `TraceObservation`, `face` returns each of `count` faces.
    package func observed(exposure: Seconds?, camera: [Double], count: Int, _ face: (Int) -> TraceFace) {
        faces(of: count) { range, continues in
            var size = 8 + camera.count * 8
            for index in range { size += face(index).size(hasNumber: true) }
            var writer = RecordWriter(
                open(.observed, flag: (continues ? 1 : 0) | (camera.isEmpty ? 0 : 2), size: size))
            writer.put(exposure ?? .nan)
            for number in camera { writer.put(number) }
            for index in range { writer.put(face(index), hasNumber: true) }
        }
    }

    private func faces(of count: Int, _ put: (Range<Int>, _ continues: Bool) -> Void) {
        var next = 0
        repeat {
            let end = min(count, next + Self.mostFaces)
            put(next..<end, end < count)
            next = end
        } while next < count
    }

    private func put(_ kind: TraceKind, text: String) {
        let utf8 = text.utf8, place = open(kind, size: utf8.count)
        var at = 0
        for byte in utf8 {
            place[at] = byte
            at += 1
        }
    }
}

/// Fills a record from its beginning.
private struct RecordWriter {
    private let place: UnsafeMutableRawBufferPointer
    private var at = 0

    init(_ place: UnsafeMutableRawBufferPointer) { self.place = place }

    mutating func put(_ value: Double) {
        place.storeBytes(of: value, toByteOffset: at, as: Double.self)
        at += 8
    }

    mutating func put(_ value: Int) {
        place.storeBytes(of: Int64(value), toByteOffset: at, as: Int64.self)
        at += 8
    }

    mutating func put(_ face: TraceFace, hasNumber: Bool) {
        place[at] = face.bits
        at += 1
        if hasNumber { put(face.identifier) }
        for value in [face.rect.x, face.rect.y, face.rect.width, face.rect.height] { put(value) }
        if face.score != 1 { put(face.score) }
        for attribute in FaceAttribute.all {
            if let value = face.attributes[attribute] { put(value) }
        }
    }
}

extension TraceFace {
    /// The fields that follow the rectangle, one bit each: bit 0 for an object, bit 1 for the score, then the
    /// attributes.
    fileprivate var bits: UInt8 {
        var bits: UInt8 = (isObject ? 1 : 0) | (score != 1 ? 2 : 0)
        for attribute in FaceAttribute.all where attributes[attribute] != nil { bits |= attribute.recordBit }
        return bits
    }

    /// Returns the number of bytes of a record: the bits, four numbers of the rectangle, and a number for each field.
    fileprivate func size(hasNumber: Bool) -> Int {
        33 + (hasNumber ? 8 : 0) + 8 * (bits >> 1).nonzeroBitCount
    }
}

extension FaceAttribute {
    /// The bit of a face's record that shows that the attribute was computed.
    var recordBit: UInt8 { 4 << UInt8(rawValue) }
}
