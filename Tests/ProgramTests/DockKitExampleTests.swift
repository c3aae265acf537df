import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// `dockkit-app`: an app that was written for DockKit, with its imports changed.
    @Suite(
        .timeLimit(.minutes(10)),
        .enabled(if: Example.folder != nil, "build them first: swift build --package-path Examples"))
    struct DockKitExampleTests {
        private func app(_ settings: [String: String] = [:]) throws -> Example {
            try Example("dockkit-app", settings: settings)
        }

        @Test func `chevrons turn the dock as named, only while system tracking is off`() throws {
            let app = try app()
            defer { app.dock.close() }
            #expect(app.tell("chevron up").hasPrefix("error busy"))
            #expect(app.tell("tracking off") == "ok tracking off")
            for (word, pan, tilt) in [("up", 0, 2.9), ("left", -2.9, 0), ("down", 0, -2.9), ("right", 2.9, 0)] {
                let turned = app.turned { #expect(app.tell("chevron \(word)") == "ok chevron \(word)") }
                #expect(abs(turned.pan - pan) < 0.6 && abs(turned.tilt - tilt) < 0.6, "\(word): \(turned)")
            }
            #expect(app.tell("dance").hasPrefix("error invalidParameter"))
        }

        @Test func `beside a daemon it is a client, and the daemon outlives it`() throws {
            let daemon = try ControlledDaemon(mode: "system"), app = try Example("dockkit-app", beside: daemon)
            #expect(app.tell("chevron up").hasPrefix("error busy"))
            #expect(app.tell("tracking off") == "ok tracking off")
            let turned = app.turned { #expect(app.tell("chevron left") == "ok chevron left") }
            #expect(abs(turned.pan + 2.9) < 0.6 && abs(turned.tilt) < 0.6, "\(turned)")
            #expect(app.tell("animate nope") == "ok animate nope")
            #expect(app.tell("framing left") == "ok framing left")
            app.program.tell("quit")
            #expect(app.program.end() == .exit(0))
            #expect(try daemon.verb("status").output.contains("framing left"))
        }

        @Test func `an animation is polled to its end, and tracking goes on`() throws {
            let app = try app()
            defer { app.dock.close() }
            #expect(app.tell("animate nope") == "ok animate nope")
            #expect(app.program.news.contains("animation "), "\(app.program.news)")
            #expect(app.dock.statistics.maximumSpeed > .degrees(5))
            #expect(app.tell("chevron up").hasPrefix("error busy"))
        }

        @Test func `a turn keeps to the limits that were set just before it`() throws {
            let app = try app()
            defer { app.dock.close() }
            #expect(app.tell("tracking off") == "ok tracking off")
            let turned = app.turned {
                #expect(app.tell("turn 0.2") == "ok turn 0.2")
                #expect(eventually { app.dock.snapshot.pose.pan > 0.15 })
            }
            #expect(abs(turned.pan - 11.5) < 1)
            #expect(app.tell("turn 1.5").hasPrefix("error limitReached"))
        }

        @Test func `an own observation is a person with a UUID, and can be tapped`() throws {
            let app = try app()
            defer { app.dock.close() }
            #expect(app.tell("observe 0.7 0.3 0.1 0.2").hasPrefix("error busy"))
            #expect(app.tell("tracking off") == "ok tracking off")
            #expect(app.tell("observe 0.7 0.3 0.1 0.2") == "ok observe 0.7 0.3 0.1 0.2")
            #expect(app.program.wait { app.program.output.contains("-8000-000000000001\n") }, "\(app.program.output)")
            // A person who is no longer observed is forgotten after a moment.
            #expect(app.tell("observe 0.7 0.3 0.1 0.2") == "ok observe 0.7 0.3 0.1 0.2")
            #expect(app.tell("tap 0.75 0.4") == "ok tap 0.75 0.4")
            #expect(app.tell("tap 0.2 0.9") == "error no one is there")
            #expect(app.tell("all") == "ok all")
            #expect(app.tell("framing left") == "ok framing left")
            #expect(app.tell("region 0.25 0 0.5 1") == "ok region 0.25 0 0.5 1")
            #expect(app.tell("region 0.25 0 0.9 1").hasPrefix("error invalidParameter"))
        }

        @Test func `the detector of the settings is followed`() throws {
            // Its frames do not turn with the dock, as if the camera stood on the desk.
            let text = try #require(TemporaryFile.text(of: Place.file("profiles/dlp-dock.toml")))
            let profile = try TemporaryFile(text.replacing(#"mount = "head""#, with: #"mount = "fixed""#), ".toml")
            let face = #"{"faces":[{"rect":[0.75,0.4,0.1,0.2]}]}"#
            let app = try app([
                "DOCKFACE_PROFILE": profile.path,
                "DOCKFACE_DETECTOR": "exec:while echo '\(face)'; do sleep 0.1; done",
            ])
            defer { app.dock.close() }
            #expect(app.program.wait { app.program.output.contains("person ") }, "\(app.program.output)")
            // The face is 21 degrees to the right of the camera.
            #expect(eventually { app.dock.snapshot.pose.pan > .degrees(15) }, "\(app.program.errors)")
            #expect(app.tell("tracking off") == "ok tracking off")
        }

        @Test func `buttons and the battery are reported`() throws {
            let app = try app()
            defer { app.dock.close() }
            #expect(app.program.wait { app.program.output.contains("battery dock 80 %\n") }, "\(app.program.output)")
            app.program.forget()
            for (button, line) in [
                (SimulatedButton.zoom(steps: 1), "camera zoom 1.2"), (.flip, "camera flipped"),
                (.shutter, "camera records"), (.button(id: 5), "button 5 up"),
            ] {
                app.dock.press(button)
                #expect(app.sees(line + "\n"), "\(app.program.news)")
            }
            app.dock.battery.level = 0.15
            #expect(app.sees("battery dock 15 % low\n"), "\(app.program.news)")
        }

        @Test func `an unplugged dock is gone, and the error says so`() throws {
            let app = try app()
            defer { app.dock.close() }
            #expect(app.program.wait { app.program.output.contains("status tracking\n") }, "\(app.program.output)")
            app.program.forget()
            app.dock.unplug()
            #expect(app.sees("status disconnected\n"))
            #expect(app.tell("chevron up") == "error connect a dock first")
            app.program.forget()
            try app.dock.replug()
            #expect(app.sees("status tracking\n"), "\(app.program.news)")
        }

        @Test(.serialized, arguments: [SIGTERM, 0]) func `the stop is last however it ends`(_ signal: Int32) throws {
            let app = try app()
            defer { app.dock.close() }
            #expect(app.tell("tracking off") == "ok tracking off")
            #expect(app.tell("turn 0.5") == "ok turn 0.5")
            if signal == 0 { app.program.tell("quit") } else { app.program.signal(signal) }
            #expect(app.program.end() == .exit(0))
            #expect(app.program.output.hasSuffix("bye stopped=true\n"), "\(app.program.output.suffix(200))")
            #expect(eventually { app.dock.lastFrameWasStop })
        }
    }
}
