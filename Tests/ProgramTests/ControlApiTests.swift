import DockControl
import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// The control API of the running daemon, from outside.
    @Suite(.timeLimit(.minutes(10))) struct ControlApi {
        // MARK: every method once, with its effect

        @Test func `it greets, and sends a snapshot of every topic and then the changes`() throws {
            let daemon = try ControlledDaemon(), peer = try daemon.peer()
            #expect(peer.greeting["name"].string == "dockface" && peer.greeting["protocol"].int == 1)
            let topics = #"["accessory","motion","tracking","battery","events","face","log"]"#
            #expect(try peer.result("subscribe", #"{"topics":\#(topics)}"#)["topics"].array.count == 7)
            #expect(peer.wait { Set(peer.events.compactMap { $0["topic"].string }).count == 7 })
            for topic in ["accessory", "motion", "tracking", "battery", "events", "face", "log"] {
                #expect(peer.events.first { $0["topic"].string == topic }?["kind"].string == "snapshot", "\(topic)")
            }
            let log = peer.events.first { $0["topic"].string == "log" }?["data"]["recent"].array ?? []
            #expect(log.contains { $0["text"].string?.contains("dock ready") == true }, "\(log)")
            peer.forget()
            try peer.result("setFramingMode", #"{"mode":"left"}"#)
            let event = peer.event("accessory") { $0["framing"].string == "left" }
            #expect(event?["kind"].string == "change", "\(String(describing: event))")
            #expect(try peer.result("unsubscribe", #"{"topics":["accessory","log"]}"#)["topics"].array.count == 5)
            #expect(try peer.result("unsubscribe")["topics"].array.isEmpty)
            peer.forget()
            try peer.result("setFramingMode", #"{"mode":"automatic"}"#)
            #expect(try peer.result("status", #"{"why":true}"#)["accessory"]["framing"].string == "auto")
            #expect(peer.events.isEmpty)
        }

        @Test func `velocity, orientation, home and presets move the dock and report their ends`() throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock, peer = try daemon.peer()
            try peer.result("subscribe", #"{"topics":["motion"]}"#)
            let turn = try peer.result("setAngularVelocity", #"{"pan":0.5,"tilt":-0.2,"for":0.4}"#)
            #expect(turn["duration"].number == 0.4)
            #expect(daemon.wait { dock.rate.pan > 0.45 && dock.rate.tilt < -0.15 }, "pan + is right, tilt + is up")
            #expect(peer.outcome(of: turn["motion"].int) == "completed")
            let move = try peer.result("setOrientation", #"{"pan":-0.2,"tilt":0.1,"duration":0.6}"#)
            #expect(
                peer.event("motion") { ($0["motion"]["fraction"].number ?? 0) > 0.2 } != nil, "it reports its progress")
            #expect(peer.outcome(of: move["motion"].int) == "completed")
            #expect(daemon.rests() && daemon.daemon.pose.isNear(-11.46, 5.73), "\(daemon.daemon.pose.degrees)")
            #expect(try peer.result("savePreset", #"{"name":"door"}"#)["name"].string == "door")
            let saved = try peer.result("presets")["presets"]["door"]
            #expect(abs((saved["pan"].number ?? 9) + 0.2) < 0.01, "\(saved)")
            let step = try peer.result("setOrientation", #"{"pan":0.1,"tilt":0,"relative":true}"#)
            #expect(peer.outcome(of: step["motion"].int) == "completed")
            #expect(daemon.rests() && daemon.daemon.pose.isNear(-5.73, 5.73), "\(daemon.daemon.pose.degrees)")
            #expect(peer.outcome(of: try peer.result("home")["motion"].int) == "completed")
            #expect(daemon.rests() && daemon.daemon.pose.isNear(0, 0), "\(daemon.daemon.pose.degrees)")
            let go = try peer.result("goToPreset", #"{"name":"door"}"#)
            #expect(peer.outcome(of: go["motion"].int) == "completed")
            #expect(daemon.rests() && daemon.daemon.pose.isNear(-11.46, 5.73), "\(daemon.daemon.pose.degrees)")
            #expect(try peer.result("deletePreset", #"{"name":"door"}"#)["name"].string == "door")
            #expect(try peer.call("goToPreset", #"{"name":"door"}"#).refusal == "invalidParameter")
            let far = try peer.result("setOrientation", #"{"pan":1,"tilt":0,"duration":6}"#)
            #expect(daemon.wait { dock.rate.pan > 0.02 })
            #expect(try peer.result("cancelMotion", #"{"motion":\#(far["motion"].int ?? 0)}"#).names.isEmpty)
            #expect(peer.outcome(of: far["motion"].int) == "cancelled" && daemon.rests())
            #expect(
                try peer.call("cancelMotion", #"{"motion":\#(far["motion"].int ?? 0)}"#).refusal == "invalidParameter")
        }

        @Test func `limits and speed bind every motion`() throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock, peer = try daemon.peer()
            let limits = try peer.result("setLimits", #"{"pan":{"min":-0.2,"max":0.2,"speed":0.4}}"#)["limits"]
            #expect(limits["pan"]["min"].number == -0.2 && limits["pan"]["speed"].number == 0.4, "\(limits)")
            #expect((limits["tilt"]["max"].number ?? 0) > 1, "the other axis keeps its own: \(limits)")
            #expect(try peer.call("setOrientation", #"{"pan":0.5,"tilt":0}"#).refusal == "limitReached")
            #expect(dock.statistics.maximumSpeed == 0)
            try peer.result("setAngularVelocity", #"{"pan":2,"tilt":0,"for":20}"#)
            #expect(daemon.wait { daemon.daemon.pose.pan > 0.18 } && daemon.rests(within: 2))
            #expect(daemon.daemon.pose.pan < 0.21 && dock.statistics.maximumSpeed < 0.45)
            try peer.result("setLimits", #"{"pan":null}"#)
            #expect((try peer.result("setLimits")["limits"]["pan"]["max"].number ?? 0) > 2)
            #expect(try peer.result("setSpeed", #"{"share":0.5}"#)["share"].number == 0.5)
            try peer.result("setAngularVelocity", #"{"pan":-0.3,"tilt":0,"for":0.6}"#)
            #expect(daemon.wait { dock.rate.pan < -0.12 } && dock.rate.pan > -0.18, "\(dock.rate)")
            #expect(daemon.rests(within: 2))
        }

        @Test func `the face, the camera and the dock's buttons are reported`() throws {
            let daemon = try ControlledDaemon(mode: "system"), peer = try daemon.peer()
            try peer.result("subscribe", #"{"topics":["face","events","accessory"]}"#)
            #expect(try peer.result("setExpression", #"{"name":"happy"}"#)["expression"].string == "happy")
            #expect(peer.event("face") { $0["expression"].string == "happy" } != nil)
            #expect(try peer.result("setExpression", #"{"next":true}"#)["expression"].string != "happy")
            #expect(try peer.result("setExpression", #"{"random":true}"#)["random"].bool == true)
            #expect(peer.event("face") { $0["random"].bool == true } != nil)
            try peer.result("setExpression", #"{"random":false}"#)
            #expect(try peer.result("setGesturesEnabled", #"{"enabled":true}"#)["gestures"].bool == true)
            #expect(peer.event("face") { $0["gestures"].bool == true } != nil)
            #expect(try peer.result("setZoom", #"{"factor":2}"#)["magnification"].number == 2)
            #expect(abs((try peer.result("setZoom", #"{"steps":-2}"#)["magnification"].number ?? 0) - 1.6) < 0.001)
            try peer.result("setExtension", #"{"name":"record","version":"1","state":"ready","ttl":20}"#)
            #expect(try peer.result("setShutter", #"{"open":true}"#)["recording"].bool == true)
            #expect(try peer.result("setShutter")["recording"].bool == false)
            #expect(try peer.result("flipCamera")["device"].int == 1)
            #expect(peer.event("events") { $0["event"].string == "camera" && $0["device"].int == 1 } != nil)
            #expect(try peer.result("status")["camera"]["device"].int == 1)
            peer.forget()
            daemon.dock.press(.button(id: 3))
            #expect(peer.event("events") { $0["id"].int == 3 && $0["pressed"].bool == true } != nil)
            #expect(peer.event("events") { $0["id"].int == 3 && $0["pressed"].bool == false } != nil)
            daemon.dock.press(.shutter)
            #expect(peer.event("events") { $0["event"].string == "cameraShutter" } != nil)
            #expect(peer.event("events") { $0["event"].string == "camera" && $0["recording"].bool == true } != nil)
            daemon.dock.press(.flip)
            #expect(peer.event("events") { $0["event"].string == "cameraFlip" } != nil)
            daemon.dock.press(.zoom(steps: 2))
            #expect(peer.event("events") { abs(($0["factor"].number ?? 0) - 0.4) < 0.001 } != nil)
            daemon.dock.press(.tracking)
            #expect(
                peer.event("events") { $0["event"].string == "trackingButton" && $0["enabled"].bool == false } != nil)
            #expect(peer.event("accessory") { $0["mode"].string == "manual" } != nil)
            #expect(try peer.result("setExpression", #"{"name":"normal"}"#)["expression"].string == "normal")
        }

        @Test func `modes, framing, regions and subjects select whom the dock follows`() throws {
            let daemon = try ControlledDaemon(["--detector", "stdin"]), peer = try daemon.peer()
            try peer.result("subscribe", #"{"topics":["tracking","accessory"]}"#)
            #expect(try peer.call("selectSubject", #"{"x":0.5,"y":0.5}"#).refusal == "noSubjectFound")
            func subject() -> JSON? { peer.event("tracking", within: 0.02) { !$0["subjects"].array.isEmpty } }
            #expect(daemon.daemon.feed(Daemon.middle) { subject() != nil })
            let id = try peer.result("selectSubject", #"{"x":0.5,"y":0.5}"#)["id"].int ?? -1
            #expect(subject()?["data"]["subjects"][0]["id"].int == id)
            peer.forget()
            #expect(
                daemon.daemon.feed(Daemon.middle) {
                    peer.event("accessory", within: 0.02) { $0["selected"][0].int == id } != nil
                })
            #expect(try peer.result("selectSubjects", #"{"ids":[\#(id)]}"#)["ids"][0].int == id)
            #expect(try peer.result("selectSubjects", #"{"ids":[]}"#)["ids"].array.isEmpty)
            #expect(try peer.call("selectSubjects", #"{"ids":[987654321]}"#).refusal == "noSubjectFound")
            #expect(try peer.result("setFramingMode", #"{"mode":"right"}"#)["framing"].string == "right")
            #expect(try peer.result("setRegionOfInterest", #"{"rect":[0.1,0.1,0.5,0.5]}"#)["region"][2].number == 0.5)
            #expect(try peer.result("setRegionOfInterest", #"{"rect":null}"#)["region"][2].number == 1)
            #expect(daemon.daemon.neverMoved, "in mode manual none of this moves the dock")
            try peer.result("setFramingMode", #"{"mode":"center"}"#)
            #expect(try peer.result("setSystemTrackingEnabled", #"{"enabled":true}"#)["mode"].string == "system")
            #expect(daemon.daemon.feed { daemon.dock.rate.pan > .degrees(5) }, "a face right of the centre is followed")
            #expect(try peer.result("setSystemTrackingEnabled", #"{"enabled":false}"#)["mode"].string == "manual")
            #expect(daemon.daemon.feed { daemon.dock.rate.magnitude < .degrees(0.05) }, "and then no longer")
            #expect(try peer.result("setTrackingMode", #"{"mode":"custom"}"#)["mode"].string == "custom")
            let words = try peer.result("command", #"{"line":"status --why"}"#)["answer"].string
            #expect(words?.hasPrefix("mode custom") == true, "\(words ?? "")")
            let track = try peer.result("track", #"{"observations":[{"id":7,"rect":[0.45,0.4,0.1,0.2]}]}"#)
            #expect(track["subjects"].int == 1)
        }

        @Test func `stop holds, and an emergency stop is latched until it is cleared`() throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock, peer = try daemon.peer()
            #expect(try peer.result("acquireControl")["lease"].number == 2)
            #expect(try peer.result("status")["lease"].bool == true)
            try peer.result("setAngularVelocity", #"{"pan":0.5,"tilt":0,"for":60}"#)
            #expect(daemon.wait { dock.rate.pan > 0.4 })
            #expect(try peer.result("stop")["mode"].string == "manual")
            #expect(daemon.rests())
            #expect(
                try peer.result("status")["lease"].bool == true, "stop ends the motion under the lease, not the lease")
            #expect(try peer.result("emergencyStop").names.isEmpty)
            #expect(daemon.wait { dock.snapshot.isEmergencyStopped })
            #expect(try peer.call("setAngularVelocity", #"{"pan":0.5,"tilt":0}"#).refusal == "faulted")
            #expect(try peer.result("status")["accessory"]["dock"].string == "faulted")
            #expect(try peer.result("clearFault")["mode"].string == "manual")
            #expect(daemon.wait { !dock.snapshot.isEmergencyStopped })
            // The states are published a moment after the answer.
            #expect(daemon.wait { (try? peer.result("status")["accessory"]["dock"].string) == "ready" })
            dock.emergency(true)
            #expect(daemon.wait { (try? peer.result("status")["accessory"]["dock"].string) == "faulted" })
            #expect(try peer.call("clearFault").refusal == "busy", "a person pressed it, and a person clears it")
            let clear = #"{"line":"clear"}"#
            #expect(try peer.call("command", clear).refusal == "faulted", "refused while the cause lasts")
            dock.emergency(false)
            let cleared = try peer.result("command", clear)["answer"].string
            #expect(cleared?.hasPrefix("cleared") == true, "\(cleared ?? "")")
            #expect(daemon.wait { (try? peer.result("status")["accessory"]["dock"].string) == "ready" })
            #expect(try peer.result("releaseControl").names.isEmpty)
            #expect(try peer.result("status")["lease"].bool == false)
        }

        @Test func `status shows what was answered before`() throws {
            let daemon = try ControlledDaemon(), peer = try daemon.peer()
            func accessory() throws -> JSON { try peer.result("status")["accessory"] }
            for mode in ["system", "custom", "manual"] {
                try peer.result("setTrackingMode", #"{"mode":"\#(mode)"}"#)
                #expect(try accessory()["mode"].string == mode)
            }
            try peer.result("setFramingMode", #"{"mode":"right"}"#)
            #expect(try accessory()["framing"].string == "right")
            try peer.result("setLimits", #"{"tilt":{"min":-0.1,"max":0.1}}"#)
            #expect(try accessory()["limits"]["tilt"]["max"].number == 0.1)
            try peer.result("setRegionOfInterest", #"{"rect":[0,0,0.5,1]}"#)
            #expect(try accessory()["region"][2].number == 0.5)
            try peer.result("setSystemTrackingEnabled", #"{"enabled":false}"#)
            try peer.result("track", #"{"observations":[]}"#)
            #expect(try accessory()["mode"].string == "custom")
        }

        @Test func `with torque off a motion is taught by hand, run, and deleted`() throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock, peer = try daemon.peer()
            try peer.result("subscribe", #"{"topics":["motion"]}"#)
            #expect(try peer.result("setTorqueEnabled", #"{"enabled":false}"#)["torque"].bool == false)
            #expect(try peer.call("setAngularVelocity", #"{"pan":1,"tilt":0}"#).refusal == "busy")
            #expect(try peer.result("recordMotion", #"{"name":"nudge"}"#)["name"].string == "nudge")
            #expect(try peer.call("recordMotion", #"{"name":"other"}"#).refusal == "busy")
            dock.push(PanTilt(pan: .degrees(15), tilt: 0), for: 0.4)
            #expect(daemon.wait { daemon.daemon.pose.pan > .degrees(5.5) } && daemon.rests())
            let taught = try peer.result("finishRecording", #"{"keep":true}"#)
            #expect(taught["name"].string == "nudge" && (taught["duration"].number ?? 0) > 0.3, "\(taught)")
            #expect(try peer.call("finishRecording").refusal == "invalidParameter")
            #expect(try peer.result("motions")["motions"]["nudge"]["duration"].number == taught["duration"].number)
            #expect(try peer.result("setTorqueEnabled", #"{"enabled":true}"#)["torque"].bool == true)
            let motion = try peer.result("animate", #"{"motion":"nudge"}"#)
            #expect(peer.outcome(of: motion["motion"].int) == "completed")
            #expect(daemon.rests() && daemon.daemon.pose.isNear(12, 0, within: 1.5), "\(daemon.daemon.pose.degrees)")
            #expect(try peer.result("deleteMotion", #"{"name":"nudge"}"#)["name"].string == "nudge")
            #expect(try peer.call("animate", #"{"motion":"nudge"}"#).refusal == "invalidParameter")
        }

        @Test func `without a dock motion is refused, and everything else works`() throws {
            let daemon = try ControlledDaemon(), peer = try daemon.peer()
            try peer.result("subscribe", #"{"topics":["accessory"]}"#)
            daemon.dock.unplug()
            #expect(
                peer.event("accessory") { $0["state"].string == "undocked" && $0["dock"].string == "detached" } != nil)
            #expect(try peer.call("setAngularVelocity", #"{"pan":0.5,"tilt":0}"#).refusal == "notConnected")
            #expect(try peer.call("animate", #"{"motion":"yes"}"#).refusal == "notConnected")
            #expect(try peer.result("stop")["mode"].string == "manual")
            #expect(try peer.result("motions")["motions"].names.isSuperset(of: ["yes", "nope", "wakeup", "kapow"]))
        }
    }
}
