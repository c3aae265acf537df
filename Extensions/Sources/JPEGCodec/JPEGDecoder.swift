internal import CTurboJPEG
public import Codecs

/// Decodes JPEG files of others.
public enum JPEGDecoder {
    /// Decodes a file. Damage that the library would replace by grey is a problem, too.
    /// - Throws: `PictureProblem` if the file is too large, damaged, or not a JPEG of three colours or of grey.
    public static func decode(_ file: [UInt8]) throws(PictureProblem) -> RGBPicture {
        try PictureLimits.check(bytes: file.count)
        // A handle that has met a bad header can refuse the next good picture, so each picture has its own.
        guard let handle = tjInitDecompress() else { throw PictureProblem("there is no memory for a JPEG") }
        defer { tjDestroy(handle) }
        let (width, height) = try size(of: file, handle)
        var result: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 3 * width * height) { room, count in
            result = file.withUnsafeBufferPointer { source in
                tjDecompress2(
                    handle, source.baseAddress, UInt(source.count), room.baseAddress, Int32(width), 3 * Int32(width),
                    Int32(height), Int32(TJPF_RGB.rawValue), TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS)
            }
            // A picture that was not finished is not read.
            count = result == 0 ? 3 * width * height : 0
        }
        guard result == 0, let picture = RGBPicture(width: width, height: height, bytes: bytes) else {
            throw failure(handle)
        }
        return picture
    }

    private static func size(of file: [UInt8], _ handle: tjhandle) throws(PictureProblem) -> (Int, Int) {
        var width: Int32 = 0, height: Int32 = 0, sampling: Int32 = 0, colours: Int32 = 0
        let result = file.withUnsafeBufferPointer { source in
            tjDecompressHeader3(
                handle, source.baseAddress, UInt(source.count), &width, &height, &sampling, &colours)
        }
        guard result == 0 else { throw failure(handle) }
        try PictureLimits.check(width: Int(width), height: Int(height))
        return (Int(width), Int(height))
    }

    private static func failure(_ handle: tjhandle) -> PictureProblem {
        let reason = tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no reason is known"
        return PictureProblem("the JPEG cannot be decoded (\(reason))")
    }
}
