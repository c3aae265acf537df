import Foundation
import Geometry
import Glibc
import Synchronization
import Testing

@testable import DockSimulator

@Suite struct HeadSocketTests {
    /// An answering end in a thread, as in `dockface simulate`, whose head pans by the time.
    private func withHead(_ use: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "head-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let link = folder + "/rig"
        let ends = Atomic(false), listens = DispatchSemaphore(value: 0), hasEnded = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            guard let answerer = HeadAnswerer(rig: link) else { return }
            listens.signal()
            while !ends.load(ordering: .acquiring) {
                var waits = answerer.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                guard poll(&waits, nfds_t(waits.count), 20) > 0 else { continue }
                answerer.answer(waits.filter { $0.revents != 0 }.map(\.fd)) {
                    HeadView(PanTilt(pan: $0, tilt: -$0), magnification: 2.5)
                }
            }
            hasEnded.signal()
        }
        try #require(listens.wait(timeout: .now() + 10) == .success)
        defer {
            ends.store(true, ordering: .releasing)
            hasEnded.wait()
        }
        try use(link)
    }

    @Test func `a camera in another process learns where the head was`() throws {
        try withHead { link in
            let head = try #require(DistantHead(rig: link))
            #expect(head.view(at: 0.25) == HeadView(PanTilt(pan: 0.25, tilt: -0.25), magnification: 2.5))
            #expect(head.view(at: 0.5) == HeadView(PanTilt(pan: 0.5, tilt: -0.5), magnification: 2.5))
        }
    }

    @Test func `a client that sends rubbish is disconnected, and others are served`() throws {
        try withHead { link in
            let head = try #require(DistantHead(rig: link))
            let rude = HeadSocket.open()
            defer { close(rude) }
            #expect(HeadSocket.withAddress(HeadSocket.path(ofRig: link)) { connect(rude, $0, $1) } == 0)
            #expect(send(rude, "rubbish that is long", 20, 0) == 20)
            var byte: UInt8 = 0
            #expect(recv(rude, &byte, 1, 0) <= 0)
            #expect(head.view(at: 1) == HeadView(PanTilt(pan: 1, tilt: -1), magnification: 2.5))
        }
    }

    @Test func `only the user can connect, and the socket is gone at the end`() throws {
        var path = ""
        try withHead { link in
            path = HeadSocket.path(ofRig: link)
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
        #expect(access(path, F_OK) != 0)
    }

    /// The file mode mask belongs to the process, so a thread that changes it for a moment changes what others create.
    @Test func `rigs that start at the same time leave the modes of other files alone`() throws {
        let folder = NSTemporaryDirectory() + "heads-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let others = Atomic(0), open = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 400) { rig in
            if HeadAnswerer(rig: "\(folder)/rig\(rig)") != nil { open.add(1, ordering: .relaxed) }
            var status = stat()
            if mkdir("\(folder)/\(rig)", 0o700) == 0, stat("\(folder)/\(rig)", &status) == 0,
                status.st_mode & 0o777 != 0o700
            {
                others.add(1, ordering: .relaxed)
            }
        }
        #expect(open.load(ordering: .relaxed) == 400)
        #expect(others.load(ordering: .relaxed) == 0)
    }

    @Test func `without a simulated rig there is no head`() {
        #expect(DistantHead(rig: "/nowhere/rig") == nil)
        #expect(DistantHead(rig: String(repeating: "x", count: 200)) == nil)
    }
}
