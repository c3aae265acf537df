import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// No input to the control socket ends the daemon, and no bad request moves the dock.
    @Suite(.timeLimit(.minutes(10))) struct BadRequests {
        /// A request with these parameters; its id is 1.
        private static func request(_ method: String, _ params: String) -> String {
            #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
        }

        /// What must be refused, by code. The mode is manual, so that a request accepted by mistake would turn the
        /// dock.
        private static let bad: [Int: [String]] = [
            -32700: [
                "hello", "{", #"{"method":"home""#, "{]", "\"", #"{"method":"home"}{}"#, "nul", "\u{feff}{}",
                request("setAngularVelocity", #"{"pan":NaN,"tilt":0}"#),
                request("setAngularVelocity", #"{"pan":Infinity,"tilt":0}"#),
                request("setAngularVelocity", #"{"pan":-Infinity,"tilt":1}"#),
                request("setAngularVelocity", #"{"pan":0x10,"tilt":1}"#),
                request("setAngularVelocity", #"{"pan":01,"tilt":1}"#),
                request("setAngularVelocity", #"{"pan":1.,"tilt":1}"#),
                request("setAngularVelocity", #"{"pan":+1,"tilt":1}"#),
                request("setAngularVelocity", #"{'pan':1,'tilt':1}"#),
                request("setAngularVelocity", #"{"pan":1,"tilt":1,}"#),
                String(repeating: "[", count: 100_000),
                String(repeating: #"{"a":"#, count: 50_000),
            ],
            -32600: [
                "[]", "1", "null", "\"home\"", "{}", #"{"id":1}"#, #"{"id":1,"method":7}"#,
                #"{"id":{},"method":"home"}"#, #"{"jsonrpc":"1.0","id":1,"method":"home"}"#,
                #"{"id":"# + "\"" + String(repeating: "x", count: 2000) + "\"" + #","method":"home"}"#,
                "[" + (0..<33).map { #"{"id":\#($0),"method":"home"}"# }.joined(separator: ",") + "]",
            ],
            -32601: [
                request("Home", "{}"), request("", "{}"), request("home ", "{}"), request("rpc.stop", "{}"),
                request("setAngularVelocty", #"{"pan":1,"tilt":1}"#),
                request(String(repeating: "m", count: 900_000), "{}"),
            ],
            -32602: [
                request("home", #"{"now":true}"#), request("home", "[1]"), request("home", "7"),
                request("setAngularVelocity", "{}"), request("setAngularVelocity", #"{"pan":1}"#),
                request("setAngularVelocity", "[1,1]"),
                request("setAngularVelocity", #"{"pan":"1","tilt":1}"#),
                request("setAngularVelocity", #"{"pan":true,"tilt":1}"#),
                request("setAngularVelocity", #"{"pan":null,"tilt":1}"#),
                request("setAngularVelocity", #"{"pan":[1],"tilt":1}"#),
                request("setAngularVelocity", #"{"pan":{"pan":1},"tilt":1}"#),
                request("setAngularVelocity", #"{"pan":1e300,"tilt":1}"#),
                request("setAngularVelocity", #"{"pan":-1001,"tilt":1}"#),
                request("setAngularVelocity", #"{"pan":1,"tilt":1,"for":-1}"#),
                request("setAngularVelocity", #"{"pan":1,"tilt":1,"for":0}"#),
                request("setAngularVelocity", #"{"pan":1,"tilt":1,"for":1e9}"#),
                request("setAngularVelocity", #"{"pan":1,"tilt":1,"fro":1}"#),
                request("setOrientation", #"{"pan":1,"tilt":0,"relative":1}"#),
                request("setOrientation", #"{"pan":1,"tilt":0,"duration":-1}"#),
                request("animate", #"{"motion":"dance"}"#), request("animate", #"{"motion":"../yes"}"#),
                request("animate", #"{"motion":7}"#), request("animate", #"{"motion":""}"#),
                request("cancelMotion", #"{"motion":1.5}"#),
                request("cancelMotion", #"{"motion":99999999999999999999}"#),
                request("goToPreset", #"{"name":"nowhere"}"#), request("savePreset", #"{"name":"a/b"}"#),
                request("setTrackingMode", #"{"mode":"System"}"#), request("setSpeed", #"{"share":0}"#),
                request("setSpeed", #"{"share":1.01}"#), request("setTorqueEnabled", #"{"enabled":0}"#),
                request("setLimits", #"{"pan":{"min":1,"max":-1}}"#), request("setLimits", #"{"pan":{"min":1}}"#),
                request("setLimits", #"{"pan":[0,1]}"#), request("setRegionOfInterest", "{}"),
                request("setRegionOfInterest", #"{"rect":[0,0,2,2]}"#),
                request("setRegionOfInterest", #"{"rect":[0,0,-1,1]}"#),
                request("selectSubject", #"{"x":1.5,"y":0}"#), request("selectSubjects", #"{"ids":[1,1]}"#),
                request("selectSubjects", #"{"ids":[\#((0..<17).map(String.init).joined(separator: ","))]}"#),
                request("track", #"{"observations":[{"id":1,"rect":[0,0,0,0]}]}"#),
                request("track", #"{"observations":[{"id":1}]}"#), request("track", #"{"observations":{}}"#),
                request("track", #"{"observations":[],"camera":{"rotate":45}}"#),
                request(
                    "track",
                    #"{"observations":[\#((0..<101).map { #"{"id":\#($0),"rect":[0,0,1,1]}"# }.joined(separator: ","))]}"#
                ),
                request("setExpression", #"{"name":"hapy"}"#), request("setExpression", "{}"),
                request("setExpression", #"{"name":"happy","next":true}"#), request("setZoom", #"{"factor":0}"#),
                request("subscribe", #"{"topics":["moton"]}"#), request("subscribe", #"{"topics":[]}"#),
                request("command", #"{"line":""}"#), request("command", #"{"line":"velocity nan 0"}"#),
                request("command", #"{"line":"velocity 10 inf for 20"}"#),
                request("command", #"{"line":"stop\nvelocity 9 0"}"#),
                request("command", #"{"line":"velocty 9 0"}"#),
            ],
        ]

        @Test
        func `malformed, unknown, wrongly typed or out-of-range requests are refused by code, and nothing moves`()
            throws
        {
            let daemon = try ControlledDaemon(), peer = try daemon.peer()
            for (code, lines) in Self.bad.sorted(by: { $0.key < $1.key }) {
                for line in lines {
                    peer.forget()
                    peer.send(line)
                    #expect(peer.wait(5) { !peer.others.isEmpty }, "no answer to \(line.prefix(120))")
                    // One answer for each line, also for an invalid batch.
                    #expect(peer.others.first?["error"]["code"].int == code, "\(line.prefix(120)): \(peer.others)")
                    #expect(peer.others.first?["error"]["data"]["hint"].string?.isEmpty == false)
                }
            }
            #expect(!peer.isEnded && daemon.daemon.neverMoved)
            #expect(try peer.result("status")["accessory"]["mode"].string == "manual")
        }

        @Test func `bytes that are not text, and numbers beyond all limits, move nothing`() throws {
            let daemon = try ControlledDaemon(), peer = try daemon.peer()
            let velocity = #"{"jsonrpc":"2.0","id":"x","method":"setAngularVelocity","params":{"pan":"#
            for number in ["1e999", "-1e999", "1e99999999999", String(repeating: "9", count: 5000), "1e-9999e1"] {
                peer.send(velocity + number + #","tilt":1}}"#)
            }
            for bytes: [UInt8] in [
                [0xFF, 0xFE], [0x7B, 0x00, 0x7D], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x22, 0xF5, 0x22],
            ] {
                peer.send(bytes + [0x0A])
            }
            peer.send(#"{"id":"x","method":"home\ud800"}"#)
            var random = SystemRandomNumberGenerator()
            for _ in 0..<20 {
                peer.send((0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) } + [0x0A])
            }
            // Notifications are not answered, whatever is wrong with them.
            let before = peer.others.count
            peer.notify("setAngularVelocity", #"{"pan":"fast","tilt":0}"#)
            peer.notify("nothing")
            #expect(try peer.result("status")["accessory"]["mode"].string == "manual")
            #expect(peer.others.allSatisfy { $0["error"].exists }, "\(peer.others.filter { !$0["error"].exists })")
            #expect(peer.others.count >= before && daemon.daemon.neverMoved)
        }

        @Test func `a line of ten megabytes ends its connection with an error, and costs no memory`() throws {
            let daemon = try ControlledDaemon(), peer = try daemon.peer(), other = try daemon.peer()
            let memory = daemon.program.memory
            let line = Array(#"{"jsonrpc":"2.0","id":1,"method":"home","params":{"x":""#.utf8)
            peer.send(line + [UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20) + Array(#""}}"#.utf8) + [0x0A])
            #expect(peer.wait { peer.isEnded })
            #expect(peer.others.first?["error"]["code"].int == -32700, "\(peer.others)")
            #expect(daemon.program.memory - memory < 8 << 20, "\((daemon.program.memory - memory) >> 10) KiB more")
            #expect(try other.result("status")["motion"]["owner"].string == "none" && daemon.daemon.neverMoved)
        }

        @Test func `a client that shuts down writing still gets its answers and its events`() throws {
            let daemon = try ControlledDaemon(), peer = try daemon.peer(), other = try daemon.peer()
            let id = peer.ask("status")
            peer.endInput()
            #expect(try peer.answer(id).result["version"].exists)
            #expect(peer.wait { peer.isEnded }, "answered and without a subscription, the connection ends")
            let listener = try daemon.peer()
            listener.ask("subscribe", #"{"topics":["face"]}"#)
            // The last line needs no newline.
            listener.send(Array(#"{"jsonrpc":"2.0","id":99,"method":"status"}"#.utf8))
            listener.endInput()
            #expect(listener.wait { listener.others.contains { $0["id"].int == 99 } }, "\(listener.others)")
            try other.result("setExpression", #"{"name":"happy"}"#)
            #expect(listener.event("face") { $0["expression"].string == "happy" } != nil)
        }

        @Test func `a thousand connections one after another leave nothing behind, and the 257th at once is refused`()
            throws
        {
            let daemon = try ControlledDaemon(), first = try daemon.peer()
            for number in 0..<1000 {
                let descriptor = try ControlPeer.connect(daemon.socket)
                // Some leave at once, some in the middle of a line, some after a request without waiting for its
                // answer.
                let text = ["", #"{"jsonrpc":"2.0","id":1,"#, #"{"jsonrpc":"2.0","id":1,"method":"status"}"# + "\n"][
                    number % 3]
                _ = text.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                close(descriptor)
            }
            #expect(try first.result("status")["lease"].bool == false)
            let memory = daemon.program.memory
            var crowd: [ControlPeer] = []
            for _ in 0..<255 { crowd.append(try daemon.peer()) }
            let last = try ControlPeer(daemon, greets: false)
            #expect(last.wait { !last.others.isEmpty })
            #expect(last.wait { last.isEnded })
            #expect(last.others.first?["error"]["data"]["name"].string == "busy", "\(last.others)")
            crowd = []
            #expect(daemon.wait { (try? daemon.peer()) != nil })
            #expect(daemon.program.memory - memory < 10 << 20 && daemon.daemon.neverMoved)
        }
    }
}
