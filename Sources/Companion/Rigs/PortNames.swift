internal import DockControl

/// All that one port may be called, so that what is kept about it (a latch, motors that were let go of, a check) is found under
/// each of its names.
struct PortNames: Sendable, Equatable {
    /// The one that keeps pointing at it: by the USB device's own number, else by its place; a path or a server where it is none.
    let best: String
    /// That one and the others: as it was typed, the place. A path in /dev only where it is no USB device's: the next one gets it.
    let all: [String]
    /// What stands in /dev for it now; where it is a USB device's, only good to take away what was kept under it.
    let device: String

    /// Of a port as it was typed; `plugged`: the ports that there are, nil: as the system lists them.
    init(_ typed: String, plugged: [PortInfo]? = nil) {
        let device = realPath(of: typed) ?? typed
        let known = (plugged ?? (try? SerialPort.list()) ?? []).first { info in
            switch try? PortName(typed) {
            case .path: info.path == device
            case .serial(let number): info.identity?.serial == number
            case .place(let place): info.identity?.place == place
            case .server, nil: false
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
