import CMeasure
import Glibc

/// A raw pseudo-terminal: the program uses the device, the harness the master. The device stays open here too, so that
/// the master stays quiet without another user.
final class Terminal {
    let master: Int32
    let path: String
    private let device: Int32

    init() throws(Failure) {
        var (master, device): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        guard measure_pty_open(&master, &device, &name, name.count) == 0 else { throw .system("openpty") }
        (self.master, self.device) = (master, device)
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        close(device)
        close(master)
    }
}
