import DockWire
import TestSupport
import Testing

@Suite struct FrameDecoderTests {
    @Test func `any split of a stream gives the same frames`() throws {
        let stream = Samples.stream()
        let whole = try frames(in: stream)
        #expect(whole.count == Samples.host.count + Samples.dock.count)
        var random = Seeded(1)
        for _ in 0..<200 {
            var decoder = FrameDecoder()
            var rest = stream[...]
            var found: [Frame] = []
            while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 1...97, using: &random))
                found += frames(in: Array(part), decoder: &decoder)
                rest = rest.dropFirst(part.count)
            }
            #expect(found == whole)
            #expect(decoder.invalidFrames == 0)
        }
    }

    @Test func `a million random bytes never trap, neither as frames nor as messages`() {
        var random = Seeded(2)
        var decoder = FrameDecoder()
        for _ in 0..<1_000_000 {
            let byte = UInt8.random(in: 0...255, using: &random) & UInt8.random(in: 0...255, using: &random)
            do throws(WireError) {
                guard let frame = try decoder.push(byte) else { continue }
                _ = try HostMessage(frame)
                _ = try DockMessage(frame)
            } catch { continue }
        }
        #expect(decoder.invalidFrames > 10_000)
    }

    @Test func `bodies of any type, length and content never trap`() {
        var random = Seeded(3)
        for _ in 0..<100_000 {
            var frame = Frame(type: UInt8.random(in: 0...255, using: &random), sequence: 0)
            for byte in random.bytes(Int.random(in: 0...60, using: &random)) { frame.body.append(byte) }
            do throws(WireError) {
                let message = try HostMessage(frame)
                var again = FrameEncoder()
                _ = again.encode(message)
            } catch { #expect(error == .bodyLength(type: frame.type) || error == .value(type: frame.type)) }
            do throws(WireError) {
                let message = try DockMessage(frame)
                var again = FrameEncoder()
                _ = again.encode(message)
            } catch { #expect(error == .bodyLength(type: frame.type) || error == .value(type: frame.type)) }
        }
    }

    @Test func `a frame cut, joined or with one wrong byte costs only the frames it touches`() {
        var random = Seeded(4)
        for _ in 0..<2_000 {
            var encoder = FrameEncoder()
            let parts = Samples.host.map { encoder.encode($0).array }
            let wounded = Int.random(in: 0..<parts.count, using: &random)
            var stream: [UInt8] = []
            for (index, part) in parts.enumerated() {
                var part = part
                if index == wounded {
                    let place = Int.random(in: 0..<part.count, using: &random)
                    switch Int.random(in: 0...2, using: &random) {
                    case 0: part.remove(at: place)
                    case 1: part.insert(UInt8.random(in: 0...255, using: &random), at: place)
                    default: part[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                    }
                }
                stream += part
            }
            var decoder = FrameDecoder()
            // A lost 00 joins the damaged frame with the next one: one byte can cost at most two.
            let found = frames(in: stream, decoder: &decoder)
            #expect(found.count >= parts.count - 2)
        }
    }

    @Test func `after garbage the decoder recovers within one frame`() {
        var random = Seeded(5)
        var encoder = FrameEncoder()
        for _ in 0..<500 {
            var decoder = FrameDecoder()
            let garbage = random.bytes(Int.random(in: 1...700, using: &random))
            _ = frames(in: garbage, decoder: &decoder)
            let two = encoder.encode(.home).array + encoder.encode(.save).array
            let found = frames(in: two, decoder: &decoder).map(\.type)
            #expect(found.last == FrameType.save)
        }
    }

    @Test func `a leading 00 saves the frame after garbage`() {
        var encoder = FrameEncoder()
        var decoder = FrameDecoder()
        let stream: [UInt8] = [0x42, 0x17, 0x99] + [0] + encoder.encode(.home).array
        let found = frames(in: stream, decoder: &decoder).map(\.type)
        #expect(found == [FrameType.home])
        #expect(decoder.invalidFrames == 1)
    }

    @Test func `256 bytes without an end are reported once and dropped up to the next 00`() {
        var encoder = FrameEncoder()
        var decoder = FrameDecoder()
        var errors: [WireError] = []
        let end: [UInt8] = [0]
        for byte in [UInt8](repeating: 0x55, count: 1000) + end + encoder.encode(.home).array {
            do throws(WireError) { _ = try decoder.push(byte) } catch { errors.append(error) }
        }
        #expect(errors == [.noFrameEnd])
        #expect(decoder.invalidFrames == 1)
        #expect(decoder.validFrames == 1)
    }

    @Test(arguments: [
        ([0x01, 0x00], WireError.tooShort), ([UInt8](repeating: 1, count: 62) + [0], .tooLong),
        ([0x09, 1, 2, 3, 4, 5, 0], .stuffing), ([0x06, 0x1F, 0x08, 0x01, 0x28, 0x2A, 0x00], .checksum),
    ]) func `a bad run of bytes is reported with its fault`(bytes: [UInt8], expected: WireError) {
        var decoder = FrameDecoder()
        var found: WireError?
        for byte in bytes {
            do throws(WireError) { _ = try decoder.push(byte) } catch { found = error }
        }
        #expect(found == expected)
    }
}
