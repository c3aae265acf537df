/// A link that records its bytes in both directions.
final class RecordedLink: ByteLink {
    private let link: any ByteLink
    private let recorder: FlightRecorder

    init(_ link: any ByteLink, into recorder: FlightRecorder) {
        self.link = link
        self.recorder = recorder
    }

    var descriptor: Int32 { link.descriptor }
    var name: String { link.name }
    var isHardware: Bool { link.isHardware }
    var queued: Int {
        let bytes = link.queued
        recorder.queued(bytes)
        return bytes
    }
    var mostQueued: Int { link.mostQueued }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead {
        let result = link.read(into: buffer)
        switch result {
        case .bytes(let count): recorder.wire(.fromDock, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case .hangUp: recorder.hungUp()
        case .nothing: break
        }
        return result
    }

    /// Writes before it records, so that nothing delays a set-point.
    func write(_ bytes: [UInt8]) -> Bool {
        let isWhole = link.write(bytes)
        bytes.withUnsafeBytes { recorder.wire(.toDock, $0, isCut: !isWhole) }
        return isWhole
    }

    func writeLast(_ bytes: [UInt8], within: Double) -> Bool {
        let isWhole = link.writeLast(bytes, within: within)
        bytes.withUnsafeBytes { recorder.wire(.toDock, $0, isCut: !isWhole) }
        return isWhole
    }

    func close() { link.close() }
}
