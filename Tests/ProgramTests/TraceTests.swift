import DockSimulator
import Foundation
import Geometry
import TestSupport
import Testing

extension ProgramTests {
    /// The flight recorder from outside: what it writes, and what is read from it.
    @Suite(.timeLimit(.minutes(10))) struct Traces {
        private func files(_ daemon: ControlledDaemon) -> [String] {
            let folder = daemon.folder + "/state/dockface/traces"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { $0.hasSuffix(".jsonl") && !$0.hasPrefix(".") }.sorted().map { folder + "/" + $0 }
        }

        @Test func `a fault writes what led to it, and replay shows it`() throws {
            let daemon = try ControlledDaemon()
            let peer = try daemon.peer()
            _ = try peer.result("setAngularVelocity", #"{"pan":0.5,"tilt":0,"for":20}"#)
            #expect(daemon.wait { daemon.daemon.pose.pan > 0.3 })
            daemon.dock.emergency(true)
            #expect(daemon.wait { daemon.program.errors.contains("read it with `dockface replay`") })
            let path = try #require(files(daemon).first)
            #expect(path.hasSuffix("-dockface-dlp-1-dock-emergencyStop.jsonl"), "\(path)")
            let (ending, output, errors) = try daemon.verb("replay", path)
            #expect(ending == .exit(0) && errors.isEmpty, "\(errors)")
            let lines = output.split(separator: "\n").map(String.init)
            let fault = try #require(lines.firstIndex { $0.contains("STATE faulted (emergencyStop), mode") })
            let moving = lines.indices.filter { lines[$0].contains("> SETPOINT pan +") }
            #expect(lines[0].hasPrefix("trace of \"dockface DLP/1 dock\" (dlp), written 20"))
            // The handshake, the command, the set-points, and none of them after the fault.
            #expect(lines.contains { $0.contains("> HELLO version 1 to 1") })
            #expect(lines.contains { $0.contains("CMD   velocity 0.500 0.000 20.000") })
            #expect(moving.count > 10 && moving.allSatisfy { $0 < fault })
            #expect(lines.contains { $0.contains("< MOTION") && $0.contains("EMERGENCY STOP") })
            // The stop is written in the same turn, before the state is reported.
            let last = try #require(moving.last)
            #expect(lines[last...].contains { $0.contains("> SETPOINT stop") })
            let summary = try daemon.verb("replay", path, "--json").output
            #expect(
                summary.contains(#""cause":"emergencyStop""#) && summary.contains(#""turnedAfter":null"#), "\(summary)")
            #expect(summary.contains(#""gaps":[]"#), "\(summary)")
        }

        @Test func `a requested trace is a file with the frames and the commands, and its rectangles can be tracked`()
            throws
        {
            let daemon = try ControlledDaemon(["--detector", "stdin"], mode: "system")
            // Only briefly: a face that keeps its place in the image while the dock turns means a camera that is not on
            // the head.
            var frames = 0
            daemon.program.wait(
                meanwhile: {
                    daemon.program.tell(Daemon.face); frames += 1
                },
                until: { frames > 12 && daemon.dock.rate.pan > 0.01 })
            let (ending, output, errors) = try daemon.verb("trace")
            #expect(ending == .exit(0), "\(errors)")
            let path = output.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(path.hasSuffix("-asked.jsonl") && files(daemon) == [path], "\(output)")
            let text = try daemon.verb("replay", path, "--only", "rect", "--only", "set").output
            #expect(text.contains("rect  #1 [0.600 0.400 0.100 0.200] followed"), "\(text.prefix(2000))")
            #expect(text.contains("deg/s, tracking: moving") && !text.contains("SETPOINT"))
            let stream = try daemon.verb("replay", path, "--detections").output
            let program = try Program(["track"])
            program.write(Array(stream.utf8))
            program.closeInput()
            #expect(program.end() == .exit(0))
            let subjects = program.output.split(separator: "\n")
            #expect(subjects.count > 5 && subjects.last?.contains(#""id":1"#) == true, "\(program.output.suffix(500))")
            let copy = try daemon.verb("trace", "--output", "-").output
            #expect(copy.hasPrefix(#"{"t":"#) && copy.contains(#""k":"rect""#))
        }

        @Test func `set-points of a protocol that replay does not decode are those that were decided, up to the clear`()
            throws
        {
            var lines = [#"{"t":1,"k":"trace","v":1,"driver":"feetech","rig":"pair","cause":"request"}"#]
            func set(_ time: Double, _ pan: Double) {
                lines.append(#"{"t":\#(time),"k":"set","pan":\#(pan),"tilt":0,"owner":"manual","reason":"moving"}"#)
                lines.append(#"{"t":\#(time),"k":"tx","hex":"ffff0104"}"#)
            }
            for step in 0..<5 { set(2 + Double(step) / 10, 0.5) }
            lines.append(#"{"t":3,"k":"state","dock":"faulted","cause":"stall","mode":"manual"}"#)
            set(3.25, 0.25)
            lines.append(#"{"t":5,"k":"state","dock":"ready","mode":"manual"}"#)
            set(9, 0.5)
            let file = try TemporaryFile(lines.joined(separator: "\n") + "\n", ".jsonl")
            let json = try Program(["replay", file.path, "--json"])
            _ = json.end()
            for part in [#""setpoints":7"#, #""sent":null"#, #""turnedAfter":0.25"#, #""fastest":0.5"#] {
                #expect(json.output.contains(part), "\(part): \(json.output)")
            }
            let text = try Program(["replay", file.path])
            _ = text.end()
            #expect(text.output.contains("28 bytes to the dock, 0 from it; messages of feetech are not decoded"))
            #expect(text.output.contains("the last moving set-point came 250.0 ms later"), "\(text.output)")
        }

        @Test func `an invalid trace is refused with file and line`() throws {
            let file = try TemporaryFile(
                "{\"t\":1,\"k\":\"trace\",\"v\":1}\n{\"t\":2,\"k\":\"tx\",\"hex\":\"0\"}\n", ".jsonl")
            let program = try Program(["replay", file.path])
            #expect(program.end() == .exit(65))
            #expect(
                program.errors.contains("\(file.path):2: a \"tx\" line with a missing or wrong member"),
                "\(program.errors)")
            let missing = try Program(["replay", "/nowhere/at/all"])
            #expect(missing.end() == .exit(65) && missing.errors.contains("cannot read /nowhere/at/all"))
            let cut = try TemporaryFile(
                "{\"t\":1,\"k\":\"trace\",\"v\":1}\n{\"t\":2,\"k\":\"note\",\"text\":\"a", ".jsonl")
            let tolerant = try Program(["replay", cut.path])
            #expect(tolerant.end() == .exit(0) && tolerant.output.contains("its last line is cut off"))
        }
    }
}
