/// A picture as `yuv420p`: a plane of brightness, then two planes of colour of half the width and height, rounded up.
/// There are no gaps between rows or planes.
///
/// It is a value. A copy shares its bytes until one of the two is changed, so a picture that has one owner is changed
/// in place.
public struct PlanarPicture: Sendable, Equatable {
    /// One of the three planes.
    public enum Plane: Int, Sendable, CaseIterable {
        case luma, blue, red
    }

    /// The size in pixels, each 1 to `largest`.
    public let width: Int, height: Int
    /// The samples of the three planes, one byte each.
    public private(set) var bytes: [UInt8]

    /// The largest width and height, in pixels.
    public static let largest = 16_384

    /// Returns the number of bytes of a picture, or nil if a side is outside 1 to `largest`.
    public static func byteCount(width: Int, height: Int) -> Int? {
        guard (1...largest).contains(width), (1...largest).contains(height) else { return nil }
        return width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
    }

    /// Takes over the bytes of a picture. The result is nil if the size is out of range, or does not fit their number.
    public init?(width: Int, height: Int, bytes: consuming [UInt8]) {
        guard Self.byteCount(width: width, height: height) == bytes.count else { return nil }
        (self.width, self.height) = (width, height)
        self.bytes = bytes
    }

    /// Copies the bytes of a picture. The result is nil if the size is out of range, or does not fit their number.
    public init?(width: Int, height: Int, copying source: UnsafeRawBufferPointer) {
        guard Self.byteCount(width: width, height: height) == source.count else { return nil }
        (self.width, self.height, bytes) = (width, height, [UInt8](source))
    }

    /// Copies the bytes of another picture into this one, which must have the same size. It needs no memory if this
    /// picture has one owner. Returns false, and changes nothing, if their number is another.
    public mutating func replace(with source: UnsafeRawBufferPointer) -> Bool {
        guard source.count == bytes.count else { return false }
        bytes.withUnsafeMutableBytes { $0.copyMemory(from: source) }
        return true
    }

    /// The width of a plane, in samples.
    public func width(of plane: Plane) -> Int { plane == .luma ? width : (width + 1) / 2 }
    /// The height of a plane, in samples.
    public func height(of plane: Plane) -> Int { plane == .luma ? height : (height + 1) / 2 }

    /// The place of a plane's first sample in `bytes`.
    public func offset(of plane: Plane) -> Int {
        switch plane {
        case .luma: 0
        case .blue: width * height
        case .red: width * height + width(of: .blue) * height(of: .blue)
        }
    }

    /// The sample of a plane, or nil outside it.
    public subscript(plane: Plane, x: Int, y: Int) -> UInt8? {
        guard (0..<width(of: plane)).contains(x), (0..<height(of: plane)).contains(y) else { return nil }
        return bytes[offset(of: plane) + y * width(of: plane) + x]
    }

    /// Calls `body` with the first sample of each plane. It must not leave the planes.
    mutating func withPlanes(_ body: (_ luma: SampleRows, _ blue: SampleRows, _ red: SampleRows) -> Void) {
        let places = Plane.allCases.map { (offset(of: $0), width(of: $0)) }
        bytes.withUnsafeMutableBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            let rows = places.map { SampleRows(base: base + $0.0, stride: $0.1) }
            body(rows[0], rows[1], rows[2])
        }
    }
}
