import CPosix
import DockWire
import Glibc

/// A host on the real device: a driver reduced to what the tests need.
final class Client {
    private let descriptor: Int32
    private var encoder = FrameEncoder()
    private var decoder = FrameDecoder()
    /// The last report of motion.
    private(set) var motion: MotionReport?
    /// Whether the other end is gone.
    private(set) var isHungUp = false

    init?(_ path: String) {
        descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var settings = termios()
        tcgetattr(descriptor, &settings)
        cfmakeraw(&settings)
        tcsetattr(descriptor, TCSANOW, &settings)
        tcflush(descriptor, TCIOFLUSH)
    }

    deinit { close(descriptor) }

    func send(_ message: HostMessage) { write(encoder.encode(message).array) }

    func write(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } }

    /// Waits for a matching message, for at most `seconds`. `meanwhile` is called every 20 ms and may send.
    func wait<Value>(
        _ seconds: Double = 5, meanwhile: () -> Void = {}, for pick: (DockMessage) -> Value?
    ) -> Value? {
        let end = Client.now + seconds
        var next = Client.now
        while Client.now < end, !isHungUp {
            if Client.now >= next {
                meanwhile()
                next += 0.02
            }
            for message in read() {
                if case .motion(let report) = message { motion = report }
                if let value = pick(message) { return value }
            }
        }
        return nil
    }

    /// Waits for the hang-up.
    func waitForHangUp() -> Bool {
        let _: Int? = wait { _ in nil }
        return isHungUp
    }

    private func read() -> [DockMessage] {
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&source, 1, 5) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        if count == 0 || count < 0 && errno != EAGAIN { isHungUp = true }
        guard count > 0 else { return [] }
        return buffer[..<count].compactMap { byte in
            do throws(WireError) {
                guard let frame = try decoder.push(byte) else { return nil }
                return try DockMessage(frame)
            } catch { return nil }
        }
    }

    /// CLOCK_MONOTONIC, seconds.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

extension Client {
    func greet() -> Identity? {
        send(.hello(Hello()))
        return wait { if case .helloAck(let identity) = $0 { identity } else { nil } }
    }

    func answer() -> ResultCode? {
        wait { if case .acknowledge(let answer) = $0 { answer.code } else { nil } }
    }

    func arm() -> ResultCode? {
        guard greet() != nil else { return nil }
        send(.torque(mask: 3, on: true))
        return answer()
    }

    func drive(pan: Int32) { send(.setpoint(Setpoint(mode: .velocity, panVelocity: pan))) }
}
