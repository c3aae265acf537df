internal import Camera

/// Whether the service may use the network, and whether it needs to.
extension Doctor {
    /// The folders of the service's drop-ins.
    private static let dropIns = ["/etc/systemd/system/dockface.service.d", "/run/systemd/system/dockface.service.d"]
    private static let unit = "/usr/lib/systemd/system/dockface.service"
    private static let file = "/etc/systemd/system/dockface.service.d/network.conf"

    /// Whether a drop-in lifts both limits of the unit.
    private static func givesNetwork(_ lines: [Substring]) -> Bool {
        lines.contains { $0.hasPrefix("RestrictAddressFamilies=") && $0.contains("AF_INET") }
            && lines.contains { $0 == "IPAddressDeny=" || $0.hasPrefix("IPAddressAllow=") }
    }

    /// Examines the installed service.
    /// - Parameters:
    ///   - camera: the camera of its settings, or nil if there is none.
    ///   - ports: the ports of its settings and its rigs.
    /// - Returns: nil if no service is installed, or if it has exactly what it needs.
    public func network(camera: String?, ports: [String]) -> Finding? {
        guard system.exists(Self.unit) else { return nil }
        let mayUseIt = Self.dropIns.contains { folder in
            system.names(folder).contains {
                $0.hasSuffix(".conf")
                    && Self.givesNetwork(system.text(folder + "/" + $0).split(separator: "\n"))
            }
        }
        var needs = ports.filter { $0.hasPrefix("tcp:") }.map { "the dock at \($0)" }
        let networked = ["rtsp://", "rtsps://", "http://", "https://", "phone:"]
        if let camera, networked.contains(where: { camera.hasPrefix($0) }) {
            let isPhone = camera.hasPrefix("phone:")
            needs.append(isPhone ? camera : (try? CameraSource(camera))?.name ?? "the camera")
        }
        guard mayUseIt != !needs.isEmpty else { return nil }
        guard mayUseIt else {
            return Finding(
                "network", .warning,
                "the service may not use the network, which \(needs.joined(separator: " and ")) needs",
                hint:
                    "sudo install -D -m 644 /usr/share/dockface/network.conf \(Self.file) && sudo systemctl daemon-reload"
            )
        }
        return Finding(
            "network", .note, "the service may use the network, and nothing in its settings needs it",
            hint: "remove the drop-in in \(Self.dropIns[0]), then: sudo systemctl daemon-reload")
    }
}
