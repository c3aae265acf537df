public import DockControl
internal import Glibc

/// The latch of a port: the fault that stopped its dock and that nobody has cleared, kept over the ends of programs.
public struct PortLatch: Sendable {
    private let marker: RunMarker

    /// Of a port, by its path.
    /// - Throws: `permission`, `cannotOpen` where a latch could not be kept: then the dock must not be moved.
    public init(port: String) throws(DockError) {
        marker = RunMarker(port: port)
        try marker.prepare()
    }

    /// The fault; nil: none.
    public var fault: DockFault? { marker.latch?.fault }
    /// Since when, in local time, for people; nil: there is none.
    public var date: String? { marker.latch?.date }

    /// It is latched from now on; one that is already keeps its time.
    /// - Returns: what the disk says where it could not be kept; nil: all is well.
    public func keep(_ fault: DockFault) -> DockError? { marker.keep(.faulted(fault), time: time(nil)) }

    /// Somebody let go of the motors in an earlier run.
    public var isReleased: Bool { marker.isReleased }

    /// The motors are let go of. They stay free, in the next run too, until a person wants them to hold again.
    /// - Returns: why the disk could not keep it; nil: all is well.
    public func letGo() -> DockError? { marker.keep(released: true) }

    /// A person wants the motors to hold again.
    /// - Returns: why the disk could not forget it; nil: all is well.
    public func holdAgain() -> DockError? { marker.keep(released: false) }

    /// A person has cleared it.
    /// - Returns: why the disk could not forget it; nil: all is well.
    public func clear() -> DockError? { marker.keep(.ready, time: time(nil)) }
}
