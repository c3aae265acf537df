import DockWire
import Testing

@Suite struct MessageTests {
    @Test(arguments: Samples.host) func `a host message survives the wire`(message: HostMessage) throws {
        var encoder = FrameEncoder(firstSequence: 200)
        let encoded = encoder.encode(message)
        let frame = try #require(try frames(in: encoded.array).first)
        #expect(frame.sequence == 200 && encoded.sequence == 200)
        #expect(try HostMessage(frame) == message)
        #expect(encoded.count <= EncodedFrame.capacity)
    }

    @Test(arguments: Samples.dock) func `a dock message survives the wire`(message: DockMessage) throws {
        var encoder = FrameEncoder()
        let encoded = encoder.encode(message)
        let frame = try #require(try frames(in: encoded.array).first)
        #expect(try DockMessage(frame) == message)
    }

    @Test func `a longer body of a later version is accepted`() throws {
        for message in Samples.host where message.body.count + 8 <= FrameBody.capacity {
            var frame = Frame(type: message.type, sequence: 0, body: message.body)
            if case .setpoint(let setpoint) = message, setpoint.sentMicroseconds == 0 { continue }
            for _ in 0..<8 { frame.body.append(0xAA as UInt8) }
            #expect(try HostMessage(frame) == message)
        }
    }

    @Test func `a shorter body is an error of its type`() throws {
        for message in Samples.host where message.body.count > 0 {
            var frame = Frame(type: message.type, sequence: 0)
            for index in 0..<min(message.body.count, 18) - 1 { frame.body.append(message.body[index]) }
            #expect(throws: WireError.bodyLength(type: message.type)) { try HostMessage(frame) }
        }
    }

    @Test func `an unknown type is a message and no error`() throws {
        #expect(try HostMessage(Frame(type: 0x13, sequence: 0)) == .unknown(type: 0x13))
        #expect(try DockMessage(Frame(type: 0xEE, sequence: 0)) == .unknown(type: 0xEE))
    }

    @Test func `a set-point without a tail has no time and no flags`() throws {
        var body = FrameBody()
        for index in 0..<18 { body.append(index == 0 ? 2 as UInt8 : 7) }
        guard case .setpoint(let setpoint) = try HostMessage(Frame(type: FrameType.setpoint, sequence: 0, body: body))
        else { return #expect(Bool(false)) }
        #expect(setpoint.mode == .position && setpoint.sentMicroseconds == 0 && setpoint.flags.isEmpty)
    }

    @Test(arguments: [(0, 50), (4, 50), (5, 50), (25, 250), (100, 1000), (101, 1000), (255, 1000)])
    func `a deadman is never shorter than 50 ms nor longer than a second`(wire: UInt8, milliseconds: UInt32) {
        #expect(Setpoint(mode: .velocity, deadman: wire).deadmanMilliseconds == milliseconds)
    }

    @Test func `codes, kinds and states of a later version are read as unknown`() throws {
        var body = FrameBody()
        for _ in 0..<10 { body.append(200 as UInt8) }
        guard case .acknowledge(let ack) = try DockMessage(Frame(type: 0x90, sequence: 0, body: body)),
            case .event(let event) = try DockMessage(Frame(type: 0x82, sequence: 0, body: body)),
            case .power(let power) = try DockMessage(Frame(type: 0x81, sequence: 0, body: body))
        else { return #expect(Bool(false)) }
        #expect(ack.code == .other)
        #expect(event.kind == .unknown && event.id == 200)
        #expect(power.state == .unknown && power.percent == nil)
    }
}
