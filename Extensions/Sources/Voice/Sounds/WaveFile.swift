/// Samples as a WAV file, which every player reads.
public enum WaveFile {
    /// Returns the file of interleaved samples of 16 bits.
    public static func bytes(_ samples: [Int16], channels: Int = 2, rate: Int = EarconSynth.rate) -> [UInt8] {
        let size = samples.count * 2
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44 + size)
        bytes += "RIFF".utf8
        append(UInt32(36 + size), to: &bytes)
        bytes += "WAVEfmt ".utf8
        append(UInt32(16), to: &bytes)
        // 1 is PCM.
        for value in [1, channels] { append(UInt16(value), to: &bytes) }
        for value in [rate, rate * channels * 2] { append(UInt32(value), to: &bytes) }
        for value in [channels * 2, 16] { append(UInt16(value), to: &bytes) }
        bytes += "data".utf8
        append(UInt32(size), to: &bytes)
        for sample in samples { append(UInt16(bitPattern: sample), to: &bytes) }
        return bytes
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }
}
