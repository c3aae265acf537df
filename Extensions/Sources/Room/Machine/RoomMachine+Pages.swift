public import ControlProtocol
internal import Geometry

extension RoomMachine {
    /// The answer to `GET /status`, which every client may ask: numbers, and no names.
    /// - Parameter timestamp: the time as text.
    public func status(timestamp: String) -> JSONValue {
        let accepted = clients.values.count { $0.session != nil }
        return .object([
            "running": .bool(true), "activeSessions": .number(accepted),
            "authenticatedConnections": .number(accepted), "totalConnections": .number(clients.count),
            "timestamp": .string(timestamp),
        ])
    }

    /// The figures for monitoring, in the text form of Prometheus.
    public var metrics: String {
        let accepted = clients.values.count { $0.session != nil }
        let rows: [(name: String, kind: String, help: String, value: Int)] = [
            ("connections", "gauge", "Connections that are open.", clients.count),
            ("devices", "gauge", "Devices that were accepted.", accepted),
            ("connections_total", "counter", "Connections since the start.", totals.connections),
            ("refusals_total", "counter", "Requests that were refused.", totals.refusals),
            ("frames_total", "counter", "Frames that were read.", totals.frames),
            ("video_frames_total", "counter", "Frames of these that were H.264.", totals.videoFrames),
            ("reports_total", "counter", "Reports of people that were sent.", totals.reports),
            ("people", "gauge", "People of the newest report.", totals.people),
        ]
        return rows.map { row in
            let name = "dockface_room_\(row.name)"
            return "# HELP \(name) \(row.help)\n# TYPE \(name) \(row.kind)\n\(name) \(row.value)\n"
        }.joined()
    }

    /// What people see of the devices: name, pictures a second, whether skeletons come, and whether it has proved itself.
    public var lines: [String] {
        clients.values.filter { $0.session != nil }.sorted { $0.name < $1.name }.map { client in
            let skeletons = client.frames.skeletons > 0 ? "with skeletons" : "without skeletons"
            let proof = client.isVerified ? "" : ", not verified"
            return "\(client.name): \(client.frames.rate) frames/s, \(skeletons)\(proof)"
        }
    }

    /// The robots whose headings are corrected by 0.1 degrees or more, and by how many degrees: "hall -0.2". They are short,
    /// because the state of an extension has 80 bytes.
    public var corrections: [String] {
        clients.values.filter { $0.session != nil }.sorted { $0.name < $1.name }.compactMap { client in
            let degrees = (model.correction(of: client.device).inDegrees * 10).rounded() / 10
            guard abs(degrees) >= 0.1 else { return nil }
            return "\(client.name) \(degrees)"
        }
    }
}
