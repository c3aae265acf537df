import DockControl
import DockTypes
import Files
import Glibc
import Processes
import TestSupport
import Testing

@testable import Companion

/// What a run leaves for the next one: that it crashed, that the dock is latched, that torque was switched off.
@Suite struct RunMarkerTests {
    private func folder() throws -> String {
        var template = Array("/tmp/dockface-latch-XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&template))
        return String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func names(_ folder: String) throws -> [String] {
        try StoredFile.names(in: folder).filter { $0 != "." && $0 != ".." }
    }

    @Test func `a marker reports a crash only if its process is gone`() throws {
        let marker = RunMarker(port: "/dev/ttyACM0", folder: "/tmp/dockface-marker-\(getpid())")
        #expect(marker.path.hasSuffix("/running-dev-ttyACM0"))
        #expect(!marker.indicatesCrash)
        marker.set()
        #expect(!marker.indicatesCrash, "this process is alive")
        // Our process id, but another start time: the id was reused.
        try StoredFile.write("\(getpid()) 1\n", to: marker.path)
        #expect(marker.indicatesCrash)
        try StoredFile.write("4194303 77\n", to: marker.path)
        #expect(marker.indicatesCrash)
        try StoredFile.write("nonsense", to: marker.path)
        #expect(marker.indicatesCrash)
        marker.remove()
        #expect(!marker.indicatesCrash)
    }

    @Test func `released motors stay free over runs, under every name of the port`() throws {
        let folder = try folder()
        let marker = RunMarker(port: "/dev/ttyACM0", folder: folder)
        #expect(!marker.isReleased)
        #expect(marker.keep(released: true) == nil)
        marker.set()
        marker.remove()
        marker.keep(.ready, time: 1)
        #expect(RunMarker(port: "/dev/ttyACM0", folder: folder).isReleased)
        #expect(!RunMarker(port: "/dev/ttyACM1", folder: folder).isReleased)
        #expect(marker.keep(released: false) == nil)
        #expect(!marker.isReleased)
    }

    @Test func `a latch persists, with its time, until it is cleared, whatever happens to the run`() throws {
        let folder = try folder()
        let marker = RunMarker(port: "/dev/ttyACM0", folder: folder)
        #expect(marker.latch == nil)
        marker.keep(.ready, time: 1)
        marker.keep(.faulted(.signSuspect), time: 5)
        marker.keep(.faulted(.signSuspect), time: 9)
        marker.set()
        marker.remove()
        #expect(marker.latch == .init(fault: .signSuspect, since: 5))
        marker.keep(.faulted(.emergencyStop), time: 10)
        #expect(marker.latch == .init(fault: .emergencyStop, since: 10))
        #expect(marker.latch?.date.count == 19)
        #expect(RunMarker(port: "/dev/ttyACM1", folder: folder).latch == nil)
        // A damaged file is still a latch.
        try StoredFile.write("\n", to: folder + "/" + marker.latchNames[0])
        #expect(marker.latch?.fault == .device && marker.latch?.isUnknown == true)
        marker.keep(.greeting, time: 11)
        #expect(marker.latch == nil)
        marker.keep(.faulted(.versionMismatch), time: 12)
        #expect(marker.latch == nil, "such a dock reports the latch itself")
    }

    @Test func `a latch from before a reboot of the machine persists, and a run from before it is no crash`() throws {
        let folder = try folder(), marker = RunMarker(port: "/dev/ttyACM0", folder: folder)
        let earlier = "00000000-0000-0000-0000-000000000000"
        try StoredFile.write("stall 5 \(earlier)\n", to: folder + "/" + marker.latchNames[0])
        #expect(marker.latch == .init(fault: .stall, since: 5, isOfEarlierBoot: true))
        try StoredFile.write("4194303 77 \(earlier)\n", to: marker.path)
        #expect(!marker.indicatesCrash)
        marker.keep(.faulted(.emergencyStop), time: 6)
        #expect(marker.latch == .init(fault: .emergencyStop, since: 6))
    }

    @Test func `files of an earlier version in another folder are read, and removed by a clear`() throws {
        let old = try folder(), folder = try folder()
        RunMarker(port: "/dev/ttyACM0", folder: old).keep(.faulted(.stall), time: 5)
        RunMarker(port: "/dev/ttyACM0", folder: old).keep(released: true)
        let marker = RunMarker(port: "/dev/ttyACM0", folder: folder, oldFolder: old)
        #expect(marker.latch?.fault == .stall && marker.isReleased)
        // Others could have put it there.
        chmod(old, 0o777)
        #expect(marker.latch == nil && !marker.isReleased)
        chmod(old, 0o700)
        marker.keep(.ready, time: 6)
        marker.keep(released: false)
        #expect(try names(old).isEmpty && marker.latch == nil && !marker.isReleased)
    }

    @Test func `latches are kept only where others cannot remove them`() throws {
        let folder = try folder(), marker = RunMarker(port: "/dev/ttyACM0", folder: folder)
        try marker.prepare()
        #expect(try names(folder).isEmpty)
        chmod(folder, 0o777)
        #expect(throws: DockError.self) { try marker.prepare() }
        #expect(marker.keep(.faulted(.stall), time: 5)?.code == .permission)
    }

    @Test func `a link in place of a latch is a latch, and nothing is written through it`() throws {
        let folder = try folder(), marker = RunMarker(port: "/dev/ttyACM0", folder: folder)
        try StoredFile.write("precious", to: folder + "/precious")
        try #require(symlink(folder + "/precious", folder + "/" + marker.latchNames[0]) == 0)
        #expect(marker.latch?.fault == .device)
        #expect(marker.keep(.faulted(.emergencyStop), time: 5) == nil)
        #expect(try StoredFile.read(folder + "/precious") == "precious" && marker.latch?.fault == .emergencyStop)
    }

    @Test func `a port has one marker, whatever name it has`() throws {
        let folder = try folder()
        try StoredFile.write("", to: folder + "/ttyUSB0")
        #expect(symlink(folder + "/ttyUSB0", folder + "/by-id") == 0)
        let named = RunMarker(port: folder + "/by-id", folder: folder)
        let plain = RunMarker(port: folder + "/ttyUSB0", folder: folder)
        #expect(named.path == plain.path)
        named.keep(.faulted(.stall), time: 1)
        #expect(plain.latch?.fault == .stall)
        // After an unplug the link is gone, and the latch is not.
        unlink(folder + "/by-id")
        #expect(RunMarker(port: folder + "/by-id", folder: folder).latch?.fault == .stall)
    }

    /// A dock that is plugged in after the run began, known by a link until then.
    private static let plugged = [
        PortInfo(
            path: "/dev/ttyACM7", description: "dock",
            identity: UsbIdentity(vendor: 1, product: 2, serial: "S7", place: "0000:00:14.0/1:00"))
    ]

    private func record(
        _ port: String, _ folder: String, found: Locked<[DockFault]> = Locked([])
    ) -> (record: DockRecord, keeper: Keeper) {
        let keeper = Keeper(store: MotionStore(rig: "rig", root: folder))
        let record = DockRecord(
            RunMarker(port: port, folder: folder, plugged: []), keeper: keeper, plugged: { Self.plugged },
            onFound: { latch in found.withLock { $0.append(latch.fault) } }, onFailure: { Issue.record("\($1)") })
        return (record, keeper)
    }

    @Test func `a latch is stored under the names that the dock had when it was plugged in`() throws {
        let folder = try folder()
        let (record, keeper) = record("/dev/ttyACM7", folder)
        record.changed(.ready)
        record.changed(.faulted(.emergencyStop))
        record.released(true)
        keeper.finish()
        for name in ["usb:S7", "place:0000:00:14.0/1:00", "/dev/ttyACM7"] {
            let next = RunMarker(port: name, folder: folder, plugged: Self.plugged)
            #expect(next.latch?.fault == .emergencyStop && next.isReleased, "\(name)")
        }
        record.changed(.ready)
        record.released(false)
        keeper.finish()
        let next = RunMarker(port: "usb:S7", folder: folder, plugged: Self.plugged)
        #expect(next.latch == nil && !next.isReleased)
    }

    @Test(arguments: [false, true])
    func `a latch under a name that the port got only now is found, and persists`(waits: Bool) throws {
        let folder = try folder(), found = Locked<[DockFault]>([])
        let earlier = RunMarker(port: "usb:S7", folder: folder, plugged: Self.plugged)
        earlier.keep(.faulted(.stall), time: 7)
        // Like a dock that is not there yet: a path without a device.
        let (record, keeper) = record("/dev/ttyACM7", folder, found: found)
        record.changed(.greeting)
        if waits { keeper.finish() }
        record.changed(.ready)
        keeper.finish()
        #expect(found.withLock { $0 } == [.stall] && earlier.latch?.fault == .stall)
        record.changed(.faulted(.emergencyStop))
        record.changed(.ready)
        keeper.finish()
        #expect(found.withLock { $0 } == [.stall] && earlier.latch == nil, "cleared in this run")
    }
}
