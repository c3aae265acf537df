import ControlProtocol
import Geometry
import Testing

@testable import Aerie
@testable import Room

@Suite("who is accepted by a room")
struct AcceptanceTests {
    @Test("a robot that has signed with the secret is accepted, and gets the proof of the server")
    func proof() throws {
        var bench = Bench()
        let visit = bench.open(), request = bench.request()
        bench.say(visit, .authRequest, request.members)
        #expect(bench.isIn(visit))
        let answer = try #require(bench.answer(visit)), session = try #require(answer.session)
        let secret = try #require(SharedSecret(Bench.secret)), nonce = try #require(request.nonce)
        #expect(answer.isSuccess && answer.proof == secret.proof(nonce: nonce, session: session))
    }

    /// A way in that does not work.
    struct WayIn: Sendable, CustomTestStringConvertible {
        let name: String
        let request: @Sendable (inout Bench, Int) -> Void
        var testDescription: String { name }

        init(_ name: String, _ request: @escaping @Sendable (inout Bench, Int) -> Void) {
            (self.name, self.request) = (name, request)
        }

        init(_ name: String, change: @escaping @Sendable (inout AuthRequest, Bench) -> Void) {
            self.init(name) { bench, visit in
                var request = bench.request()
                change(&request, bench)
                bench.say(visit, .authRequest, request.members)
            }
        }
    }

    static let waysIn: [WayIn] = [
        WayIn("no request, only frames") { $0.say($1, .cameraFrame, [:]) },
        WayIn("any base64", change: { request, _ in request.token = "AAAAAAAAAAAAAAAA" }),
        WayIn("no signature", change: { request, _ in request.token = "" }),
        WayIn("another secret", change: { $0 = $1.request(secret: "another secret of thirty-two bytes!") }),
        WayIn(
            "the known secret of the source system",
            change: { $0 = $1.request(secret: "falcon-eye-default-secret-change-in-production") }),
        WayIn("a signature of an hour ago", change: { $0 = $1.request(clock: -3600) }),
        WayIn("a signature of the future", change: { $0 = $1.request(clock: 90) }),
        WayIn(
            "another time than the signed one",
            change: { request, bench in
                request.time = WireTime(unix: bench.moment.unix + 1).text
            }),
        WayIn("another number than the signed one", change: { request, _ in request.nonce = SharedSecret.nonce() }),
        WayIn("no time", change: { request, _ in request.time = nil }),
        WayIn("no number", change: { request, _ in request.nonce = nil }),
        WayIn("a number of another length", change: { $0 = $1.request(nonce: "00") }),
        WayIn("the same time written otherwise", change: { request, _ in request.time? += "0" }),
        WayIn("a signature for another device", change: { $0 = $1.request("OTHER") }),
        WayIn("another device's name in the request", change: { request, _ in request.device = "OTHER" }),
        WayIn("a repeated request") { bench, visit in
            let other = bench.open(), request = bench.request()
            bench.say(other, .authRequest, request.members)
            bench.close(other)
            bench.say(visit, .authRequest, request.members)
        },
        WayIn("its own answer") { $0.say($1, .authResponse, AuthAnswer(isSuccess: true, session: "S").members) },
    ]

    @Test("there is no way in without the secret", arguments: waysIn)
    func isRefused(_ way: WayIn) {
        var bench = Bench()
        let visit = bench.open()
        way.request(&bench, visit)
        #expect(!bench.isIn(visit))
        // And what follows is refused, too.
        bench.say(
            visit, .cameraFrame, JSONValue(json: Scene.view(x: 0, heading: 0, of: [], time: 0).payload())?.object ?? [:]
        )
        #expect(bench.answer(visit)?.isSuccess == false)
        #expect(bench.room.totals.frames == 0)
        bench.run(11)
        #expect(bench.closed[visit] == 1008)
    }

    @Test(
        "a path that names no device is refused",
        arguments: ["/", "/ws/connect/", "/ws/connect/a/b", "/ws/connect/%00"])
    func paths(_ path: String) {
        var bench = Bench()
        let visit = bench.open(path: path)
        #expect(bench.closed[visit] == 1008)
    }

    @Test("five refused requests end a connection, and twenty close the door for a minute, to one machine only")
    func failures() {
        var bench = Bench()
        for _ in 0..<4 {
            let visit = bench.open()
            for _ in 0..<5 {
                bench.say(visit, .authRequest, bench.request(secret: "another secret of thirty-two bytes!").members)
            }
            #expect(bench.closed[visit] == 1008)
        }
        let refused = bench.open()
        #expect(bench.closed[refused] == 1008)
        let neighbour = bench.open(from: "10.0.0.8")
        bench.say(neighbour, .authRequest, bench.request().members)
        #expect(bench.isIn(neighbour))
        bench.run(61)
        let later = bench.robot()
        #expect(bench.isIn(later))
    }

    @Test("many messages before the acceptance end a connection; large ones are not read")
    func strangers() {
        var bench = Bench()
        let visit = bench.open()
        bench.say(visit, [UInt8](repeating: 0x20, count: 20_000))
        #expect(bench.answer(visit)?.error == Envelope.Flaw.tooLong.rawValue)
        for _ in 0..<60 { bench.say(visit, .heartbeat, [:]) }
        #expect(bench.closed[visit] == 1008)
    }

    @Test(
        "connecting with the name of another device takes nothing from it; a newer proved connection replaces the older"
    )
    func names() {
        var bench = Bench()
        let first = bench.robot(), intruder = bench.open()
        bench.say(intruder, .authRequest, bench.request(secret: "another secret of thirty-two bytes!").members)
        #expect(bench.isIn(first))
        bench.close(intruder)
        #expect(bench.isIn(first))
        let second = bench.robot()
        #expect(bench.closed[first] == 4409 && bench.isIn(second))
        // The end of the older one does not take the newer one's place.
        bench.say(second, .heartbeat, [:])
        #expect(bench.isIn(second) && bench.room.clients[second]?.session != nil)
    }

    @Test("a full room takes no other device, and takes one that comes back")
    func full() {
        var bench = Bench()
        let robots = (0..<RoomMachine.mostDevices).map { bench.robot("ROBOT-\($0)") }
        let areIn = robots.allSatisfy { bench.isIn($0) }
        #expect(areIn)
        let other = bench.robot("OTHER")
        #expect(!bench.isIn(other) && bench.answer(other)?.error == "the room is full")
        let again = bench.robot("ROBOT-7")
        #expect(bench.isIn(again) && bench.closed[robots[7]] == 4409)
    }

    @Test("a request that is repeated with a new number keeps the session")
    func repeated() {
        var bench = Bench()
        let visit = bench.robot(), session = bench.answer(visit)?.session
        bench.say(visit, .authRequest, bench.request().members)
        #expect(bench.isIn(visit) && bench.answer(visit)?.session == session)
    }

    @Test("a lenient room accepts the source system's form, says so, and does not let it displace a robot")
    func lenient() {
        var bench = Bench(isLenient: true)
        let phone = bench.open("PHONE")
        var request = bench.request("PHONE")
        (request.token, request.time, request.nonce) = ("AAAAAAAAAAAAAAAA", nil, nil)
        bench.say(phone, .authRequest, request.members)
        #expect(bench.isIn(phone) && bench.lines.contains { $0.contains("without proof") })
        #expect(bench.answer(phone)?.proof == nil)

        let robot = bench.robot(), thief = bench.open()
        request.device = Bench.device
        bench.say(thief, .authRequest, request.members)
        #expect(!bench.isIn(thief) && bench.isIn(robot))
        let wrong = bench.open("WRONG")
        (request.device, request.token) = ("WRONG", "17 AAAAAAAAAAAAAA")
        bench.say(wrong, .authRequest, request.members)
        #expect(!bench.isIn(wrong))
    }

    @Test("a number counts once, as long as a signature is valid, and the cache is bounded")
    func nonces() {
        var cache = NonceCache()
        let uses = [0.0, 149, 300].map { cache.use("a", now: $0) }
        #expect(uses == [true, false, true])
        for number in 0..<NonceCache.most { _ = cache.use("n\(number)", now: 300) }
        let more = [301.0, 451].map { cache.use("one more", now: $0) }
        #expect(more == [false, true])
    }

    @Test("the answer to a heartbeat has the server's time, and a stranger gets it, too")
    func heartbeats() {
        var bench = Bench()
        let visit = bench.open()
        bench.say(visit, .heartbeat, [:])
        #expect(bench.sent[visit]?.last?.payload == ["pong": .bool(true)])
        #expect(bench.sent[visit]?.last?.time == bench.moment.unix)
    }
}
