import Codecs
import DepthStream
import DockClient
import DockTypes
import Files
import Glibc
import PictureShare
import Synchronization

/// The depth pictures for other programs of this user: memory that they can only read, and a link to it beside the daemon's
/// socket. A picture is copied once, however many programs read it.
final class DepthShare: Sendable {
    private struct State {
        var writer: DepthWriter?
        var count = 0
        var problem: String?
    }

    /// Where the link is.
    let path: String
    private let shared = Mutex(State())

    /// Prepares a share. `control`: the daemon's socket, or nil for the usual one.
    init(control: String?) { path = Self.path(control: control) }

    deinit { end() }

    /// The path of the link.
    static func path(control: String?) -> String { folder(control: control) + "/depth" }

    private static func folder(control: String?) -> String {
        let socket = control ?? ControlClient.path
        return socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
    }

    /// Shows the depth of a frame. Returns why that is not possible, the first time that it is not.
    func put(_ frame: DepthFrame) -> String? {
        guard let depth = frame.depth else { return nil }
        return shared.withLock { state in
            guard state.problem == nil else { return nil }
            do throws(ShareFailure) {
                let picture = depth.picture
                let writer = try writer(&state, width: picture.width, height: picture.height)
                let facts = frame.facts, lens = facts.lens
                var shown = DepthFacts(
                    sequence: state.count, exposure: facts.exposure + (facts.skew ?? 0), arrival: facts.arrival,
                    isEstimated: facts.isEstimated, unit: depth.unit.metres)
                shown.lens = lens.map { DepthFacts.Lens(fx: $0.fx, fy: $0.fy, cx: $0.cx, cy: $0.cy) }
                writer.write(picture.samples, shown)
                state.count += 1
                return nil
            } catch {
                state.problem = error.description
                return error.description
            }
        }
    }

    /// Ends the share, and removes the link if it is still this program's.
    func end() {
        shared.withLock { state in
            guard let writer = state.writer else { return }
            writer.end()
            if Self.target(of: path) == Self.link(to: writer) { unlink(path) }
            state.writer = nil
        }
    }

    /// Returns the memory for pictures of this size; the readers of another size learn that theirs has ended.
    private func writer(_ state: inout State, width: Int, height: Int) throws(ShareFailure) -> DepthWriter {
        if let old = state.writer {
            if old.width == width, old.height == height { return old }
            old.end()
            state.writer = nil
        }
        let new = try DepthWriter(width: width, height: height)
        try publish(new)
        state.writer = new
        return new
    }

    /// Makes the link, in place of one that another program has left.
    private func publish(_ writer: DepthWriter) throws(ShareFailure) {
        do throws(DockError) {
            let folder = path.dropLast("/depth".count)
            _ = try TrustedFolder.open(
                String(folder), makes: .last, hint: "set XDG_RUNTIME_DIR to a folder of your own")
        } catch {
            throw ShareFailure("\(error.message): \(error.hint)")
        }
        let new = path + ".\(getpid())"
        unlink(new)
        guard symlink(Self.link(to: writer), new) == 0, rename(new, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(new)
            throw ShareFailure("\(path): \(reason)")
        }
    }

    private static func link(to writer: DepthWriter) -> String { "/proc/\(getpid())/fd/\(writer.descriptor)" }

    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
