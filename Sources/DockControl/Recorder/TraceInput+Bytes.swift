internal import Geometry

extension TraceInput {
    /// Reads an input from a record of the ring.
    init(_ kind: TraceKind, flag: UInt8, _ bytes: UnsafeRawBufferPointer) {
        switch kind {
        case .begin: self = .begin(asleep: bytes.double(0))
        case .turn:
            self = .turn(TraceWake(rawValue: flag), asleep: bytes.count >= 8 ? bytes.double(0) : nil)
        case .over: self = .over
        case .opened: self = .opened(isHardware: flag & 1 != 0, mostQueued: bytes.integer(0))
        case .notOpened: self = .notOpened(String(decoding: bytes, as: UTF8.self))
        case .hungUp: self = .hungUp
        case .queued: self = .queued(flag < 255 ? Int(flag) : bytes.integer(0))
        case .guardian:
            self = .guardian(
                step: Int(bytes.loadUnaligned(as: UInt16.self)), isAlive: flag & 1 != 0, isAwaited: flag & 2 != 0)
        case .intervention: self = .intervention(GuardIntervention(silence: bytes.double(0), wrote: flag != 0))
        case .renewed: self = .renewed(flag != 0)
        case .port: self = .port(came: flag != 0)
        case .realTimeRefused: self = .realTimeRefused
        case .zoom: self = .zoom(bytes.double(0))
        case .program: self = .program(ProgramID(bytes.integer(0)))
        case .leaseLost: self = .leaseLost(LostLease(ProgramID(bytes.integer(0)), endsTracking: flag != 0))
        case .lens:
            let lens = TraceLens(
                focal: Point(x: bytes.double(8), y: bytes.double(16)),
                principal: Point(x: bytes.double(24), y: bytes.double(32)))
            self = .lens(flag != 0 ? lens : nil, aspect: bytes.double(0))
        case .optics:
            self = .optics(FrameOptics(camera: Int(flag), zoom: bytes.double(0)), aspect: bytes.double(8))
        case .epoch: self = .epoch
        case .picture:
            var reader = RecordReader(bytes, at: 8)
            self = .picture(
                TracePicture(
                    exposure: bytes.double(0), faces: reader.faces(hasNumber: false), continues: flag & 1 != 0))
        case .reading: self = .reading(hasMore: flag & 1 != 0, hasEnded: flag & 2 != 0)
        case .tap: self = .tap(Point(x: bytes.double(0), y: bytes.double(8)))
        case .select:
            self = .select(stride(from: 0, to: bytes.count - 7, by: 8).map { bytes.whole($0) })
        case .distances:
            self = .distances(
                stride(from: 0, to: bytes.count - 23, by: 24).map {
                    MeasuredDistance(id: bytes.whole($0), metres: bytes.double($0 + 8), until: bytes.double($0 + 16))
                })
        case .observed:
            let exposure = bytes.double(0), numbers = flag & 2 != 0 ? 9 : 0
            var reader = RecordReader(bytes, at: 8 + numbers * 8)
            self = .observed(
                TraceObservation(
                    exposure: exposure.isNaN ? nil : exposure, camera: (0..<numbers).map { bytes.double(8 + $0 * 8) },
                    faces: reader.faces(hasNumber: true), continues: flag & 1 != 0))
        case .gap: self = .gap(bytes.integer(0))
        case .toDock, .fromDock, .pose, .rectangles, .set, .command, .state, .end, .note:
            // `TraceRecord` reads these kinds.
            self = .gap(0)
        }
    }
}

/// Reads a record from an offset on. Of a truncated record, it reads the complete part.
private struct RecordReader {
    private let bytes: UnsafeRawBufferPointer
    private var at: Int

    init(_ bytes: UnsafeRawBufferPointer, at: Int) {
        self.bytes = bytes
        self.at = at
    }

    mutating func faces(hasNumber: Bool) -> [TraceFace] {
        var faces: [TraceFace] = []
        while at < bytes.count {
            let bits = bytes[at], size = 33 + (hasNumber ? 8 : 0) + 8 * (bits >> 1).nonzeroBitCount
            guard at + size <= bytes.count else { break }
            at += 1
            var face = TraceFace(rect: Rect(x: 0, y: 0, width: 0, height: 0), isObject: bits & 1 != 0)
            if hasNumber {
                face.identifier = bytes.whole(at)
                at += 8
            }
            face.rect = Rect(x: number(), y: number(), width: number(), height: number())
            if bits & 2 != 0 { face.score = number() }
            for attribute in FaceAttribute.all where bits & attribute.recordBit != 0 {
                face.attributes[attribute] = number()
            }
            faces.append(face)
        }
        return faces
    }

    private mutating func number() -> Double {
        defer { at += 8 }
        return bytes.double(at)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func whole(_ offset: Int) -> Int { Int(loadUnaligned(fromByteOffset: offset, as: Int64.self)) }
}
