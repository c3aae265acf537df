import ControlProtocol
import Geometry
import Glibc
import Voice

/// The connection to Speech Dispatcher for one sentence after another.
final class DispatcherLink: SoundingTool {
    private let descriptor: Int32
    private var talk: DispatcherTalk
    private var output: [UInt8]
    private var ending: ToolEnding?
    /// Whether the sentence is to end at once.
    private var isCut = false
    /// When the server owes its next answer, or nil.
    private var due: Seconds?
    /// Whether it cannot be used for another sentence.
    private(set) var isBroken = false

    /// How long an answer may take, in seconds.
    private static let patience: Seconds = 3

    /// Connects. The result is nil if no server listens there.
    init?(_ path: String, now: Seconds) {
        var address = sockaddr_un(), name = Array(path.utf8)
        name.append(0)
        guard name.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_UNIX, kind, 0)
        var talk = DispatcherTalk()
        (descriptor, output) = (socket, talk.begin())
        self.talk = talk
        guard socket >= 0 else { return nil }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) == 0 }
        }
        // The object is complete, and closes its socket when it is released.
        guard isConnected else { return nil }
        due = now + Self.patience
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Begins a sentence.
    func speak(_ sentence: Utterance, now: Seconds) {
        (ending, isCut) = (nil, false)
        output += talk.speak(sentence.text, sentence.urgency)
        wait(now)
    }

    var waits: [pollfd] {
        [pollfd(fd: descriptor, events: Int16(POLLIN | (output.isEmpty ? 0 : POLLOUT)), revents: 0)]
    }

    var deadline: Seconds? { ending == nil ? due : -.infinity }

    func look(now: Seconds) -> ToolEnding? {
        if !isBroken { read(now) }
        if !isBroken { write() }
        if !isBroken, let due, now >= due { fail("it does not answer") }
        defer { ending = nil }
        return ending
    }

    func cut(now: Seconds) {
        guard !isBroken else { return }
        isCut = true
        output += talk.cancel()
        wait(now)
        // At once, because the program may end now.
        write()
    }

    private func wait(_ now: Seconds) { due = talk.isWaiting ? now + Self.patience : nil }

    private func read(_ now: Seconds) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return fail("it has ended the connection") }
        let (answer, news) = talk.receive(buffer[..<count])
        output += answer
        wait(now)
        for one in news {
            switch one {
            case .ended: ending = .done
            case .failed(let why): fail(why)
            }
        }
        if isCut, !talk.isWaiting, ending == nil { ending = .done }
    }

    private func write() {
        while !output.isEmpty {
            let count = output.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return fail("it has ended the connection") }
            output.removeFirst(count)
        }
    }

    private func fail(_ why: String) {
        (isBroken, output, due) = (true, [], nil)
        ending = .failed("Speech Dispatcher failed: \(why)")
    }
}
