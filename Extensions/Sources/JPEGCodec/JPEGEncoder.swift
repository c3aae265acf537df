internal import CTurboJPEG
public import Codecs

/// Compresses pictures as JPEG, with colours at half the resolution. It belongs to one task at a time.
public final class JPEGEncoder {
    private let handle: tjhandle
    private var room: UnsafeMutablePointer<UInt8>?
    private var size: UInt = 0

    /// Creates an encoder; nil if the library has no memory for one.
    public init?() {
        guard let handle = tjInitCompress() else { return nil }
        self.handle = handle
    }

    deinit {
        tjDestroy(handle)
        tjFree(room)
    }

    /// Returns the picture as a JPEG file, or nil if the library cannot make one.
    /// - Parameter quality: 1...100 on the library's scale.
    public func encode(_ picture: RGBPicture, quality: Int) -> [UInt8]? {
        var length = size
        let result = picture.bytes.withUnsafeBufferPointer { source in
            tjCompress2(
                handle, source.baseAddress, Int32(picture.width), 3 * Int32(picture.width), Int32(picture.height),
                Int32(TJPF_RGB.rawValue), &room, &length, Int32(TJSAMP_420.rawValue),
                Int32(min(max(quality, 1), 100)), TJFLAG_FASTDCT)
        }
        // The library keeps the room, or replaces it by a larger one.
        size = max(size, length)
        guard result == 0, let room else { return nil }
        return Array(UnsafeBufferPointer(start: room, count: Int(length)))
    }
}
