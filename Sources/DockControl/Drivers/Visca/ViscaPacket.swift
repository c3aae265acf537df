/// The address of a camera, and packets of Sony's VISCA to it: a header with sender and receiver, up to 14 bytes, and
/// FF (EVI-D100 manual, "Command List").
///
/// Only the end is marked, and there is no checksum. A packet therefore counts only if its whole shape is one that
/// cameras send.
struct ViscaAddress: Sendable, Equatable {
    /// The number of the camera on its line, 1...7.
    let number: UInt8

    private var header: UInt8 { 0x80 | number }

    /// A packet that makes the cameras number themselves.
    static let addressSet: [UInt8] = [0x88, 0x30, 0x01, 0xFF]
    /// A packet that makes all cameras forget their pending commands.
    static let clear: [UInt8] = [0x88, 0x01, 0x00, 0x01, 0xFF]

    var versionInquiry: [UInt8] { [header, 0x09, 0x00, 0x02, 0xFF] }
    var powerInquiry: [UInt8] { [header, 0x09, 0x04, 0x00, 0xFF] }
    var positionInquiry: [UInt8] { [header, 0x09, 0x06, 0x12, 0xFF] }
    var lensInquiry: [UInt8] { [header, 0x09, 0x04, 0x47, 0xFF] }

    /// Returns a packet that cancels the command in a socket (1 or 2).
    func cancel(_ socket: UInt8) -> [UInt8] { [header, 0x20 | socket, 0xFF] }

    /// Returns a packet that moves the lens to a position, 0 (wide) to 4000 hex (the end of the optical zoom).
    func zoom(_ place: Int) -> [UInt8] {
        let place = min(max(0, place), 0x4000)
        return [header, 0x01, 0x04, 0x47] + [12, 8, 4, 0].map { UInt8(place >> $0 & 15) } + [0xFF]
    }

    /// Returns a packet with signed speed codes: positive pan is right, positive tilt is up, 0 is standstill.
    func drive(pan: Int, tilt: Int) -> [UInt8] {
        // An axis at rest gets the slowest speed, so that one wrong bit cannot turn a stop into the fastest motion.
        func speed(_ code: Int) -> UInt8 { UInt8(min(max(1, abs(code)), 0x18)) }
        func way(_ code: Int, _ positive: UInt8, _ negative: UInt8) -> UInt8 {
            code == 0 ? 3 : code > 0 ? positive : negative
        }
        return [header, 0x01, 0x06, 0x01, speed(pan), speed(tilt), way(pan, 2, 1), way(tilt, 1, 2), 0xFF]
    }

    var stop: [UInt8] { drive(pan: 0, tilt: 0) }
}

/// A packet from a camera.
enum ViscaReply: Sendable, Equatable {
    /// The answer `88 30 0w FF`: there are w - 1 cameras.
    case addresses(next: UInt8)
    /// The answer `88 01 00 01 FF` or `z0 50 FF`.
    case cleared
    /// The message `z0 38 FF` or `88 38 FF`: a camera was switched on or plugged in.
    case networkChange
    /// The answer `z0 4y FF`: a command begins, in socket y.
    case acknowledged(socket: UInt8)
    /// The answer `z0 5y FF`: a command has ended.
    case completed(socket: UInt8)
    /// The answer `z0 50 ... FF` to an inquiry.
    case inquiry([UInt8])
    /// The answer `z0 6y ee FF`: an error.
    case error(socket: UInt8, code: UInt8)

    /// The error codes.
    static let lengthError: UInt8 = 0x01, syntaxError: UInt8 = 0x02, bufferFull: UInt8 = 0x03
    static let cancelled: UInt8 = 0x04, noSocket: UInt8 = 0x05, notExecutable: UInt8 = 0x41

    /// The length of the longest packet, in bytes.
    static let longest = 16

    /// Decodes a whole packet from the camera with that address, or a broadcast. The result is nil if it is neither.
    init?(_ packet: some RandomAccessCollection<UInt8>, from address: ViscaAddress) {
        let bytes = Array(packet)
        guard bytes.count >= 3, bytes.count <= Self.longest, bytes.last == 0xFF else { return nil }
        let body = Array(bytes[1..<bytes.count - 1])
        if bytes[0] == 0x88 {
            switch body {
            case [0x38]: self = .networkChange
            case [0x01, 0x00, 0x01]: self = .cleared
            case _ where body.count == 2 && body[0] == 0x30 && (2...8).contains(body[1]):
                self = .addresses(next: body[1])
            default: return nil
            }
            return
        }
        guard bytes[0] == 0x80 + (address.number << 4) else { return nil }
        let kind = body[0] & 0xF0, socket = body[0] & 0x0F
        switch (kind, body.count) {
        case (0x30, 1) where socket == 8: self = .networkChange
        case (0x40, 1) where socket <= 2: self = .acknowledged(socket: socket)
        case (0x50, 1) where socket == 0: self = .cleared
        case (0x50, 1) where socket <= 2: self = .completed(socket: socket)
        case (0x60, 2) where socket <= 2 && Self.errors.contains(body[1]): self = .error(socket: socket, code: body[1])
        case (0x50, _) where socket == 0: self = .inquiry(Array(body.dropFirst()))
        default: return nil
        }
        // Only the contents of a version answer may look like a header.
        if case .inquiry(let value) = self, value.count != 7, value.contains(where: { $0 >= 0x80 }) { return nil }
    }

    private static let errors: Set<UInt8> = [
        lengthError, syntaxError, bufferFull, cancelled, noSocket, notExecutable,
    ]

    /// Matches the front of received bytes.
    static func match(_ bytes: UnsafeBufferPointer<UInt8>, from address: ViscaAddress) -> FrameScanner.Match {
        guard bytes[0] == 0x88 || bytes[0] == 0x80 + (address.number << 4) else { return .noise(1) }
        guard let end = bytes.firstIndex(of: 0xFF) else { return bytes.count < longest ? .incomplete : .noise(1) }
        return ViscaReply(bytes[...end], from: address) == nil ? .noise(1) : .frame(end + 1)
    }

    /// Returns pan and tilt in the answer to a position inquiry, as two signed numbers with four bits per byte. The
    /// result is nil for another answer.
    static func position(_ value: [UInt8]) -> (pan: Int, tilt: Int)? {
        guard value.count == 8, value.allSatisfy({ $0 < 16 }) else { return nil }
        func number(_ nibbles: ArraySlice<UInt8>) -> Int {
            Int(Int16(bitPattern: nibbles.reduce(0) { $0 << 4 | UInt16($1) }))
        }
        return (number(value[..<4]), number(value[4...]))
    }

    /// Returns the position of the lens in the answer to a lens inquiry, with four bits per byte. The result is nil for
    /// another answer.
    static func lens(_ value: [UInt8]) -> Int? {
        guard value.count == 4, value.allSatisfy({ $0 < 16 }) else { return nil }
        return value.reduce(0) { $0 << 4 | Int($1) }
    }
}
