import DockSimulator
import DockWire
import Geometry

/// A host in virtual time: sends messages to a simulated dock and keeps its messages.
struct Host {
    var dock: SimulatedDock
    var encoder = FrameEncoder()
    var decoder = FrameDecoder()
    var heard: [(at: Seconds, message: DockMessage)] = []

    init(_ configuration: SimulatedDock.Configuration = SimulatedDock.Configuration(), time: Seconds = 100) {
        dock = SimulatedDock(configuration: configuration, time: time)
    }

    static func armed(_ configuration: SimulatedDock.Configuration = SimulatedDock.Configuration()) -> Host {
        var host = Host(configuration)
        host.arm()
        return host
    }

    mutating func arm() {
        send(.hello(Hello()))
        send(.torque(mask: 3, on: true))
        run(0.1)
    }

    mutating func send(_ message: HostMessage) { dock.receive(encoder.encode(message).array, at: dock.time) }

    mutating func run(_ duration: Seconds) {
        dock.advance(to: dock.time + duration)
        for byte in dock.drainOutput() {
            do throws(WireError) {
                if let frame = try decoder.push(byte) { heard.append((dock.time, try DockMessage(frame))) }
            } catch { continue }
        }
    }

    /// Repeats a velocity (degrees per second) 50 times a second.
    mutating func drive(pan: Double, tilt: Double = 0, for duration: Seconds) {
        for _ in 0..<Int((duration * 50).rounded()) {
            send(
                .setpoint(
                    Setpoint(mode: .velocity, panVelocity: Int32(pan * 1000), tiltVelocity: Int32(tilt * 1000))))
            run(0.02)
        }
    }

    var motions: [MotionReport] {
        heard.compactMap { if case .motion(let report) = $0.message { report } else { nil } }
    }

    var events: [EventReport] {
        heard.compactMap { if case .event(let report) = $0.message { report } else { nil } }
    }

    var greetings: [Identity] {
        heard.compactMap { if case .helloAck(let identity) = $0.message { identity } else { nil } }
    }
}
