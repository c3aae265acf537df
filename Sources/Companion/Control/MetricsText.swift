internal import Camera
internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry
internal import Processes

/// The state as metrics in the text format that Prometheus and compatible programs read (version 0.0.4).
/// docs/SERVICE.md lists them.
enum MetricsText {
    /// The content type for HTTP.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Returns the whole page. The same state gives the same bytes.
    static func text(of status: SessionStatus, process: ProcessFigures) -> String {
        // Several docks on one machine are several daemons, or several rigs of one daemon.
        var page = MetricsPage(labels: status.rig.port.isEmpty ? [] : [("port", status.rig.port)])
        about(status, &page)
        dock(status, &page)
        tracking(status, &page)
        loop(status.loop, &page)
        battery(status.loop, &page)
        vision(status, &page)
        page.add(process)
        return page.text
    }

    private static func about(_ status: SessionStatus, _ page: inout MetricsPage) {
        let identity = status.loop.device.identity
        page.gauge("dockface_info", "Version of the daemon, its rig and its dock.") {
            $0.put(
                1,
                [
                    ("version", ProgramVersion.current), ("rig", status.rig.name), ("dock", identity?.uid ?? ""),
                    ("firmware", identity?.firmware ?? ""),
                ])
        }
        page.gauge("dockface_uptime_seconds", "Time since the daemon started.") { $0.put(status.uptime) }
    }

    private static func dock(_ status: SessionStatus, _ page: inout MetricsPage) {
        let shot = status.loop
        let state =
            switch shot.dock {
            case .ready: "ready"
            case .greeting: "greeting"
            case .detached: "detached"
            case .faulted: "faulted"
            }
        page.gauge("dockface_dock_state", "1 for the current state of the dock.") { row in
            for name in ["ready", "greeting", "detached", "faulted"] {
                row.put(name == state ? 1 : 0, [("state", name)])
            }
        }
        page.gauge("dockface_mode", "1 for the current mode.") { row in
            for mode in TrackingMode.allCases { row.put(mode == shot.mode ? 1 : 0, [("mode", mode.rawValue)]) }
        }
        let extensions = status.shown.extensions
        page.gauge("dockface_extension_ready", "1 if a program beside the daemon reports that it works.") { row in
            var seen: Set<String> = []
            for one in extensions where seen.insert(one.name).inserted {
                row.put(one.state == .ready ? 1 : 0, [("extension", one.name)])
            }
        }
        page.counter("dockface_extension_restarts_total", "Times the daemon started an extension again.") { row in
            for one in extensions where one.isChild { row.put(one.restarts, [("extension", one.name)]) }
        }
        page.gauge("dockface_guarded", "1 if a guard is ready to stop the dock.") {
            $0.put(shot.safety.isGuarded ? 1 : 0)
        }
        page.gauge("dockface_pose_radians", "Pose of the dock; no sample if unknown.") { row in
            guard let pose = shot.pose else { return }
            for axis in Axis.allCases { row.put(pose[axis], [("axis", axis.rawValue)]) }
        }
        page.gauge("dockface_command_radians_per_second", "Last commanded velocity.") { row in
            for axis in Axis.allCases { row.put(shot.command[axis], [("axis", axis.rawValue)]) }
        }
    }

    private static func tracking(_ status: SessionStatus, _ page: inout MetricsPage) {
        let counters = status.loop.counters
        page.counter("dockface_frames_total", "Frames of detections.") { $0.put(counters.frames) }
        page.counter(
            "dockface_frames_dropped_total", "Frames that were too old, repeated, out of order or from the future."
        ) { $0.put(counters.droppedFrames) }
        page.gauge("dockface_frame_rate_hertz", "Measured frames per second; no sample if none arrive.") {
            if let rate = status.frameRate { $0.put(rate) }
        }
        page.gauge("dockface_subjects", "People in the last frame.") { $0.put(status.frame?.subjects.count ?? 0) }
    }

    private static func loop(_ shot: LoopSnapshot, _ page: inout MetricsPage) {
        let counters = shot.counters
        let rows: [(String, String, Int)] = [
            ("setpoints", "Set-points written.", counters.setpoints),
            ("setpoints_dropped", "Set-points dropped because the line was full.", counters.droppedSetpoints),
            ("faults", "Latched faults, without emergency stops by hand.", counters.faults),
            ("dock_losses", "Times the dock was lost.", counters.losses),
            ("guard_stops", "Times the guard stopped the dock because the loop was silent.", counters.guardStops),
            ("link_read_bytes", "Bytes read from the dock.", counters.readBytes),
            ("link_written_bytes", "Bytes written to the dock.", counters.writtenBytes),
            ("link_reports", "Reports of the dock.", counters.reports),
            ("link_errors", "Runs of bytes from the dock that belonged to no frame.", counters.invalidBytes),
            ("loop_missed_ticks", "Times the loop woke more than 20 ms late.", counters.lateWakes),
        ]
        for (name, help, value) in rows { page.counter("dockface_\(name)_total", help) { $0.put(value) } }
        page.histogram(
            "dockface_loop_lateness_seconds", "Delay between the timer's due time and the wake-up of the loop."
        ) {
            $0.put(shot.timing.lateness)
        }
        page.histogram("dockface_stage_seconds", "Duration of each stage from a frame to its effect.") { row in
            for figures in shot.timing.latency { row.put(figures.all, [("stage", figures.stage.rawValue)]) }
        }
    }

    private static func battery(_ shot: LoopSnapshot, _ page: inout MetricsPage) {
        page.gauge("dockface_battery_level_ratio", "Charge level, 0 to 1; no sample if unknown.") { row in
            for battery in shot.device.batteries {
                if let level = battery.level { row.put(level, [("battery", battery.name)]) }
            }
        }
        page.gauge("dockface_battery_low", "1 if the dock reports a low battery.") { row in
            for battery in shot.device.batteries { row.put(battery.isLow ? 1 : 0, [("battery", battery.name)]) }
        }
        page.gauge("dockface_battery_charging", "1 if the battery is charging.") { row in
            for battery in shot.device.batteries {
                row.put(battery.charge == .charging ? 1 : 0, [("battery", battery.name)])
            }
        }
    }

    private static func vision(_ status: SessionStatus, _ page: inout MetricsPage) {
        guard let vision = status.vision else { return }
        page.gauge("dockface_camera_running", "1 while frames arrive.") { row in
            if let camera = vision.camera { row.put(camera.state == .running ? 1 : 0, [("camera", camera.name)]) }
        }
        page.counter("dockface_camera_restarts_total", "Times the camera was opened again.") { row in
            if let camera = vision.camera { row.put(camera.restarts, [("camera", camera.name)]) }
        }
        page.gauge("dockface_detector_running", "1 while the detector runs.") { row in
            for one in vision.detectors { row.put(one.state == .running ? 1 : 0, [("detector", one.name)]) }
        }
        page.gauge("dockface_detector_steers", "1 for the detector that steers.") { row in
            for one in vision.detectors { row.put(one.name == vision.active ? 1 : 0, [("detector", one.name)]) }
        }
        page.counter("dockface_detector_restarts_total", "Times a detector was started again.") { row in
            for one in vision.detectors { row.put(one.restarts, [("detector", one.name)]) }
        }
        page.gauge("dockface_detector_latency_seconds", "Median time from a frame to its rectangles.") { row in
            for one in vision.detectors { if let time = one.latency { row.put(time, [("detector", one.name)]) } }
        }
    }
}
