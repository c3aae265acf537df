internal import Companion
internal import DockControl
internal import DockSimulator
internal import DockTypes
internal import DockWire
internal import FaceTracker
internal import Geometry

/// The cable between the loop and the dock.
extension World {
    func open() -> VirtualLink {
        let new = VirtualLink(isHardware: scenario.isHardware)
        new.onWrite = { [unowned self] in write($0) }
        cable.link = new
        oracle.opened(at: time, dock: cable.plugged ?? 0)
        return new
    }

    func reopen() throws(DockError) -> any ByteLink {
        guard cable.plugged != nil else { throw DockError(.notConnected, "there is no port", hint: "plug it in") }
        guard time >= cable.busyUntil else { throw DockError(.portBusy, "another program has the port", hint: "wait") }
        return open()
    }

    func write(_ bytes: [UInt8]) -> Int {
        guard let plugged = cable.plugged else { return 0 }
        let count = cable.accepts(bytes.count)
        docks[plugged].receive(bytes.prefix(count), at: time)
        oracle.wrote(Array(bytes.prefix(count)), whole: count == bytes.count, to: plugged, at: time)
        if let cut = cable.accepted(count) { pull(then: cut.then, after: cut.after) }
        return count
    }

    /// The other dock takes the place of ours at the same open port, and the host does not notice. Another host has
    /// greeted and armed it, and greets it again at this moment.
    func swap() {
        var encoder = FrameEncoder(firstSequence: 90)
        docks[1].advance(to: time - 0.1)
        _ = docks[1].drainOutput()
        let hello = encoder.encode(HostMessage.hello(Hello())).array
        docks[1].receive(hello + encoder.encode(HostMessage.torque(mask: 3, on: true)).array, at: time - 0.1)
        docks[1].advance(to: time)
        _ = docks[1].drainOutput()
        docks[1].receive(hello, at: time)
        cable.plugged = 1
        oracle.swapped()
    }

    /// Unplugs the cable.
    func pull(then repair: Repair, after: Seconds) {
        // A pending unplug no longer applies, nor does its repair.
        if cable.cut != nil { oracle.repaired(at: time) }
        (cable.cut, cable.plugged) = (nil, nil)
        cable.link?.hangUp()
        oracle.unplugged(at: time)
        script.repair(repair, at: time + after)
    }
}
