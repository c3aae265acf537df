public import DockControl
public import DockTypes
internal import Glibc

/// The latch of a port: the fault that stopped its dock and that has not been cleared. It persists across runs.
public struct PortLatch: Sendable {
    private let marker: RunMarker

    /// Creates the latch of a port with this path.
    /// - Throws: `permission` or `cannotOpen` if a latch could not be stored. In that case the dock must not be moved.
    public init(port: String) throws(DockError) {
        marker = RunMarker(port: port)
        try marker.prepare()
    }

    /// The fault, or nil if there is none.
    public var fault: DockFault? { marker.latch?.fault }
    /// When the fault was latched, in local time, for people, or nil if there is no fault.
    public var date: String? { marker.latch?.date }

    /// Latches a fault. A latch that already exists keeps its time.
    /// - Returns: the error if the latch could not be stored, or nil on success.
    public func keep(_ fault: DockFault) -> DockError? { marker.keep(.faulted(fault), time: time(nil)) }

    /// Whether the torque was switched off, possibly in an earlier run.
    public var isReleased: Bool { marker.isReleased }

    /// Records that the torque is switched off. It stays off, even in the next run, until a person switches it on.
    /// - Returns: the error if this could not be stored, or nil on success.
    public func letGo() -> DockError? { marker.keep(released: true) }

    /// Records that a person has switched the torque on again.
    /// - Returns: the error if this could not be stored, or nil on success.
    public func holdAgain() -> DockError? { marker.keep(released: false) }

    /// Records that a person has cleared the fault.
    /// - Returns: the error if this could not be stored, or nil on success.
    public func clear() -> DockError? { marker.keep(.ready, time: time(nil)) }
}
