import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// The programs of the package `Examples`: what a DockKit app does, with the library.
    @Suite(
        .timeLimit(.minutes(10)),
        .enabled(if: Example.folder != nil, "build them first: swift build --package-path Examples"))
    struct ExampleTests {
        @Test func `chevrons turn by 2.9 degrees, up and left as named, in mode manual only`() throws {
            let app = try Example("dock-control")
            defer { app.dock.close() }
            #expect(app.tell("chevron up").hasPrefix("error busy: mode system steers the dock"))
            #expect(app.tell("mode custom") == "ok mode custom")
            #expect(app.tell("chevron up").hasPrefix("error busy"))
            #expect(app.tell("mode manual") == "ok mode manual")
            for (word, pan, tilt) in [("up", 0, 2.9), ("left", -2.9, 0), ("down", 0, -2.9), ("right", 2.9, 0)] {
                let turned = app.turned { #expect(app.tell("chevron \(word)") == "ok chevron \(word)") }
                #expect(abs(turned.pan - pan) < 0.6 && abs(turned.tilt - tilt) < 0.6, "\(word): \(turned)")
            }
            #expect(app.tell("chevron around").hasPrefix("error invalidParameter: around?"))
            #expect(app.tell("dance").hasPrefix("error invalidParameter: dance?"))
            #expect(app.tell("status").hasPrefix("ok docked mode=manual framing=auto tap=off region=off yaw="))
        }

        @Test func `an animation reports its progress, and the mode is restored`() throws {
            let app = try Example("dock-control")
            defer { app.dock.close() }
            for (mode, name) in [("system", "yes"), ("custom", "no"), ("manual", "wakeup")] {
                #expect(app.tell("mode \(mode)") == "ok mode \(mode)")
                #expect(app.tell("animate \(name)") == "ok animate \(name)")
                #expect(app.sees("animation \(name) completed, mode \(mode)\n"), "\(app.program.news)")
                #expect(app.program.news.contains("animation \(name) 2"), "\(app.program.news)")
                #expect(app.tell("status").contains("mode=\(mode)"))
            }
            #expect(app.dock.statistics.maximumSpeed > .degrees(5))
        }

        @Test func `a stop ends an animation, and no person is followed after it`() throws {
            let app = try Example("dock-control")
            defer { app.dock.close() }
            #expect(app.tell("animate kapow") == "ok animate kapow")
            #expect(app.tell("animate yes").hasPrefix("error busy: an animation is running"))
            #expect(app.tell("stop") == "ok stop")
            #expect(app.sees("animation kapow stopped, mode manual\n"), "\(app.program.news)")
            #expect(app.tell("status").contains("mode=manual"))
        }

        @Test func `the dock's buttons drive the camera`() throws {
            let app = try Example("dock-control")
            defer { app.dock.close() }
            app.program.forget()
            for (button, line) in [
                (SimulatedButton.zoom(steps: 3), "camera zoom 1.6"), (.zoom(steps: -9), "camera zoom 1.0"),
                (.zoom(steps: 40), "camera zoom 3.0"), (.flip, "camera device 1"),
                (.button(id: 5), "button 5 released"),
            ] {
                app.dock.press(button)
                #expect(app.sees(line + "\n"), "\(app.program.news)")
            }
            // The second press comes in the same instant: the button has bounced.
            app.dock.press(.shutter)
            app.dock.press(.shutter)
            app.dock.press(.flip)
            #expect(app.sees("camera recording\ncamera device 0\n"), "\(app.program.news)")
            let pressed = monotonicNow()
            #expect(app.program.wait { monotonicNow() > pressed + 0.25 })
            app.dock.press(.shutter)
            #expect(app.sees("camera recording ended\n"))
        }

        @Test func `the tracking button outranks the app`() throws {
            let app = try Example("dock-control")
            defer { app.dock.close() }
            #expect(app.sees("mode system\n"))
            app.dock.press(.tracking)
            #expect(app.sees("tracking button, mode manual\n"), "\(app.program.news)")
            app.dock.press(.tracking)
            #expect(app.sees("tracking button, mode system\n"), "\(app.program.news)")
        }

        @Test func `the battery is reported when it changes`() throws {
            let app = try Example("dock-control")
            defer { app.dock.close() }
            #expect(app.sees("battery dock 80 % notCharging\n"))
            app.dock.battery.level = 0.15
            #expect(app.sees("battery dock 15 % notCharging low\n"), "\(app.program.news)")
            app.dock.battery.isCharging = true
            #expect(app.sees("battery dock 15 % charging\n"), "\(app.program.news)")
        }

        @Test func `unplugging resets every choice; plugged in again, the app continues`() throws {
            let app = try Example("dock-control")
            defer { app.dock.close() }
            for word in ["mode manual", "tap on", "framing left", "region 0.25 0 0.5 1"] {
                #expect(app.tell(word) == "ok \(word)")
            }
            #expect(app.tell("region 0.5 0 0.6 1").hasPrefix("error invalidParameter"))
            #expect(app.tell("status").contains("framing=left tap=on region=on"))
            app.program.forget()
            app.dock.unplug()
            #expect(app.sees("undocked\n"))
            #expect(app.tell("chevron up").hasPrefix("error notConnected"))
            #expect(app.tell("status").hasPrefix("ok undocked mode=manual framing=auto tap=off region=off subjects:"))
            app.program.forget()
            try app.dock.replug()
            #expect(app.sees("docked \"dockface DLP/1 dock\" uuid=d0cface000000001 model=simulated good"))
            #expect(app.sees("mode manual\n"))
            let turned = app.turned { #expect(app.tell("chevron right") == "ok chevron right") }
            #expect(abs(turned.pan - 2.9) < 0.6)
            #expect(app.tell("status").contains("framing=auto tap=off region=off"))
        }

        @Test func `a tap selects the person at that point, and system tracking turns the dock`() throws {
            let app = try Example("dock-control", ["--faces", Place.faces("two-people")])
            defer { app.dock.close() }
            // The recording does not turn with the dock, so in mode manual points of the image keep their places.
            #expect(app.tell("mode manual") == "ok mode manual")
            #expect(app.tell("tap 0.75 0.4").hasPrefix("error notSupported: tap to track is off"))
            #expect(app.tell("tap on") == "ok tap on")
            #expect(
                app.program.wait {
                    let line = app.program.output.split(separator: "\n").last { $0.hasPrefix("subjects") }
                    return line.map { String($0).components(of: ":person") } == 2
                })
            #expect(app.tell("tap 0.5 0.95").hasPrefix("error noSubjectFound"))
            let left = app.tell("tap 0.19 0.4"), right = app.tell("tap 0.75 0.4")
            #expect(
                left.hasPrefix("ok subject ") && right.hasPrefix("ok subject ") && left != right, "\(left) \(right)")
            let number = right.split(separator: " ").last ?? "?"
            #expect(app.sees("\(number):person*"), "\(app.program.news)")
            let turned = app.turned {
                #expect(app.tell("mode system") == "ok mode system")
                #expect(eventually { app.dock.snapshot.pose.pan > .degrees(5) })
                #expect(app.tell("stop") == "ok stop")
            }
            #expect(turned.pan > 5)
        }

        @Test(.serialized, arguments: [SIGTERM, SIGINT, 0]) func `however it ends, the stop is last`(_ signal: Int32)
            throws
        {
            let app = try Example("dock-control", ["--faces", Place.faces("two-people")])
            defer { app.dock.close() }
            #expect(eventually { app.dock.rate.magnitude > .degrees(8) })
            if signal == 0 { app.program.tell("quit") } else { app.program.signal(signal) }
            #expect(app.program.end() == .exit(0))
            #expect(app.program.output.hasSuffix("bye stopped=true\n"), "\(app.program.output.suffix(200))")
            #expect(eventually { app.dock.lastFrameWasStop })
        }

        @Test func `words can also come from a file, and the program ends at the end of the file`() throws {
            let script = try TemporaryFile("wait docked\nmode manual\nchevron left\nwait 0.2\nstatus\n")
            let app = try Example("dock-control", ["--script", script.path])
            defer { app.dock.close() }
            #expect(app.program.end() == .exit(0))
            let answers = app.program.output.split(separator: "\n").filter { $0.hasPrefix("ok ") }
            #expect(answers.count == 5 && answers.last?.hasPrefix("ok docked mode=manual") == true, "\(answers)")
            #expect(eventually { app.dock.lastFrameWasStop })
        }

        @Test func `own observations are followed at their own pace until the time is over`() throws {
            let app = try Example(
                "custom-tracking", ["--faces", Place.faces("two-people"), "--seconds", "5"])
            defer { app.dock.close() }
            #expect(app.sees("motion yaw"))
            #expect(app.program.end() == .exit(0))
            let lines = app.program.output.split(separator: "\n")
            #expect(lines.filter { $0.hasPrefix("motion yaw") }.count > 5)
            let summary = String(try #require(lines.last))
            func number(_ name: String) -> Double? {
                summary.firstRange(of: "\"\(name)\":").flatMap {
                    Double(String(summary.suffix(from: $0.upperBound).prefix { !",}".contains($0) }))
                }
            }
            let rate = try #require(number("rate")), frames = try #require(number("frames"))
            let yaw = try #require(number("yaw"))
            #expect(rate > 8 && rate < 16 && frames > 30 && number("refused") == 0, "\(summary)")
            #expect(number("subjects") == 2 && summary.contains(#""stoppedLast":true"#), "\(summary)")
            // One of the two is centred now: the left one at 22 degrees, the right one at 14 to 18.
            let pan = app.dock.snapshot.pose.pan.inDegrees
            #expect(abs(pan + 22) < 5 || abs(pan - 16) < 6, "\(pan)")
            #expect(abs(pan - yaw.inDegrees) < 1)
            #expect(eventually { app.dock.lastFrameWasStop })
        }
    }
}
