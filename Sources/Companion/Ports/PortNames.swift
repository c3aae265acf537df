internal import DockControl

/// All names of one port, so that its stored state (a latch, released torque, a check) can be found by each of them.
struct PortNames: Sendable, Equatable {
    /// The most permanent name: the USB device's own number, or its position if it has none. For other ports, it is the
    /// path or the server.
    let best: String
    /// That name and the others: the typed one and the position. A path in /dev is included only if the port is not a
    /// USB device, because the next USB device can get the same path.
    let all: [String]
    /// The present path in /dev. For a USB device it is used only to remove state that was stored under that path.
    let device: String

    /// Determines the names of a typed port. `plugged`: the connected ports. If nil, they are those that the system
    /// lists.
    init(_ typed: String, plugged: [PortInfo]? = nil) {
        let device = realPath(of: typed) ?? typed
        let known = (plugged ?? (try? SerialPort.list()) ?? []).first { info in
            switch try? PortName(typed) {
            case .path: info.path == device
            case .serial(let number): info.identity?.serial == number
            case .place(let place): info.identity?.place == place
            case .server, .absent, nil: false
            }
        }
        self.device = known?.path ?? device
        var names: [String]
        if let identity = known?.identity {
            names = identity.ownNumber.map { [PortName.serial($0).description] } ?? []
            names += [PortName.place(identity.place).description, typed]
        } else {
            names = [device, typed]
        }
        best = names[0]
        var seen: Set<String> = []
        all = names.filter { seen.insert($0).inserted }
    }
}
