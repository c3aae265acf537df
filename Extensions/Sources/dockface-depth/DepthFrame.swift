import Codecs
import DepthCodec
import DepthStream
import JPEGCodec

/// A picture with its depth, decoded.
struct DepthFrame: Sendable {
    /// As it arrived.
    let packet: StreamPacket
    /// The picture.
    let picture: RGBPicture
    /// The depth; nil from a sender without.
    let depth: DepthMap?
    /// What is known about both.
    let facts: PictureFacts
}

/// A packet that waits to be decoded.
struct WaitingPacket: Sendable {
    /// The number of its connection, and where that comes from.
    let sender: Int, address: SenderAddress
    let packet: StreamPacket
}

/// Decodes the packets of the sender that steers. It belongs to one task at a time.
final class DepthDecoder {
    private let choice: DepthJudge.Choice
    private let reader: DepthPNGReader
    private var sender: Int?
    private var judge = DepthJudge(), clock = StreamClock()

    /// Creates a decoder; nil if there is no memory for one.
    init?(_ choice: DepthJudge.Choice) {
        guard let reader = DepthPNGReader() else { return nil }
        (self.choice, self.reader) = (choice, reader)
    }

    /// Whether the meaning of the samples is decided, since the last call for the first time.
    private(set) var hasJustSettled = false

    /// Decodes a packet.
    /// - Throws: `PictureProblem`.
    func decode(_ waiting: WaitingPacket) throws(PictureProblem) -> DepthFrame {
        hasJustSettled = false
        if waiting.sender != sender {
            (sender, judge, clock) = (waiting.sender, DepthJudge(choice), StreamClock())
        }
        let packet = waiting.packet
        let picture = try part("picture") { () throws(PictureProblem) in try JPEGDecoder.decode(packet.jpeg) }
        let (depth, note) = try depth(packet)
        let exposure = clock.exposure(note, arrival: packet.arrival, isLocal: waiting.address.isLocal)
        var facts = PictureFacts(
            exposure: exposure, arrival: packet.arrival, width: picture.width, height: picture.height)
        facts.isEstimated = exposure != note?.time
        if depth != nil {
            (facts.unit, facts.order, facts.isDoubtful) = (judge.unit, judge.order, judge.isDoubtful)
            (facts.skew, facts.lens) = (note?.skew, note?.lens)
        }
        return DepthFrame(packet: packet, picture: picture, depth: depth, facts: facts)
    }

    private func depth(_ packet: StreamPacket) throws(PictureProblem) -> (DepthMap?, SenderNote?) {
        guard let bytes = packet.depth else { return (nil, nil) }
        let file = try part("depth") { () throws(PictureProblem) in try reader.read(bytes) }
        let note = file.note.flatMap { SenderNote($0) }, wasSettled = judge.isSettled
        judge.look(file.picture, note: note)
        hasJustSettled = judge.isSettled && !wasSettled
        return (judge.map(file.picture), note)
    }

    private func part<Value>(
        _ name: String, _ body: () throws(PictureProblem) -> Value
    ) throws(PictureProblem) -> Value {
        do throws(PictureProblem) {
            return try body()
        } catch {
            throw PictureProblem("the \(name) is refused: \(error)")
        }
    }
}
