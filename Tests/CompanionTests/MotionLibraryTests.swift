import DockControl
import DockTypes
import Geometry
import Testing

@testable import Companion

@Suite struct MotionLibraryTests {
    static func motion(_ name: String) -> MotionScript {
        MotionScript(
            name: name,
            keys: [
                .init(time: 0, pan: 0, tilt: 0), .init(time: 0.5, pan: 8, tilt: -2), .init(time: 1, pan: 0, tilt: 0),
            ],
            path: .flowing)
    }

    @Test(arguments: ["desk", "a", "1", "_-_", "door-2", String(repeating: "x", count: 32)])
    func `a name is one to 32 small letters, digits, underscores and hyphens`(name: String) throws {
        try MotionLibrary.check(name)
    }

    static let wrong: [(String, String)] = [
        ("", "1 to 32"), ("My Desk", "`my-desk`"), ("../etc", "`---etc`"), ("türe", "`t--re`"), ("a/b", "`a-b`"),
        (String(repeating: "x", count: 33), "1 to 32"), ("\u{1B}[2J", "`--2j`"), ("名", "use 1 to 32 of a-z 0-9 _ -"),
    ]

    @Test(arguments: wrong)
    func `a wrong name is refused with a valid suggestion`(name: String, hint: String) {
        let error = #expect(throws: DockError(.invalidParameter, "", hint: "")) { try MotionLibrary.check(name) }
        #expect(error?.hint.contains(hint) == true, "said: \(error?.description ?? "")")
        #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 32 } == true, "it reaches a terminal")
    }

    @Test(arguments: ["yes", "no", "nope", "wakeup", "kapow"])
    func `built-in motions are found, and keep their names`(name: String) throws {
        var library = MotionLibrary()
        #expect(try library.script(named: name).name == (name == "no" ? "nope" : name))
        #expect(throws: DockError.self) { try library.save(Self.motion(name)) }
        #expect(throws: DockError.self) { try library.deleteTaught(name) }
        try library.savePreset(name, at: .zero)
    }

    @Test func `a saved entry is found, replaced and deleted`() throws {
        var library = MotionLibrary()
        try library.savePreset("desk", at: .degrees(pan: 10, tilt: -5))
        try library.savePreset("desk", at: .degrees(pan: 20, tilt: -5))
        #expect(try library.preset("desk") == .degrees(pan: 20, tilt: -5))
        try library.save(Self.motion("greet"))
        #expect(try library.script(named: "greet") == Self.motion("greet"))
        try library.deletePreset("desk")
        try library.deleteTaught("greet")
        #expect(library == MotionLibrary())
    }

    @Test func `an unknown name suggests the nearest`() throws {
        var library = MotionLibrary()
        try library.savePreset("window", at: .zero)
        try library.save(Self.motion("greeting"))
        func hint(_ body: () throws(DockError) -> Void) -> String {
            do {
                try body()
                return ""
            } catch {
                return error.hint
            }
        }
        #expect(hint { () throws(DockError) in _ = try library.preset("windo") } == "did you mean `window`?")
        #expect(hint { () throws(DockError) in _ = try library.preset("kitchen") } == "there are: window")
        #expect(hint { () throws(DockError) in _ = try library.script(named: "kapwo") } == "did you mean `kapow`?")
        #expect(hint { () throws(DockError) in _ = try library.script(named: "greting") } == "did you mean `greeting`?")
        #expect(hint { () throws(DockError) in _ = try MotionLibrary().preset("desk") } == "there are none yet")
    }

    @Test func `there is room for a hundred of each, and for new values of old names`() throws {
        var library = MotionLibrary()
        for index in 0..<100 {
            try library.savePreset("p\(index)", at: .zero)
            try library.save(Self.motion("m\(index)"))
        }
        #expect(throws: DockError.self) { try library.savePreset("one-more", at: .zero) }
        #expect(throws: DockError.self) { try library.save(Self.motion("one-more")) }
        try library.savePreset("p7", at: .degrees(pan: 1, tilt: 1))
        try library.save(Self.motion("m7"))
    }

    @Test func `an invalid pose and an invalid motion are refused`() {
        var library = MotionLibrary()
        for bad in [Double.nan, .infinity, 7] {
            #expect(throws: DockError.self) { try library.savePreset("a", at: PanTilt(pan: bad, tilt: 0)) }
        }
        let rows: [[(Double, Double)]] = [
            [], [(0, 0)], [(0, 1), (1, 0)], [(0.1, 0), (1, 0)], [(0, 0), (1, .nan)], [(0, 0), (1, 400)],
            [(0, 0), (61, 1)], [(0, 0), (1, 5), (1, 6)], [(0, 0), (.nan, 5)], [(0, 0), (-1, 5)],
            (0...200).map { (Double($0) / 10, 0) },
        ]
        for row in rows {
            let keys = row.map { MotionScript.Key(time: $0.0, pan: $0.1, tilt: 0) }
            #expect(throws: DockError.self, "\(row.count) keys") {
                try library.save(MotionScript(name: "a", keys: keys, path: .flowing))
            }
        }
        let halting = MotionScript(name: "a", keys: Self.motion("a").keys)
        #expect(throws: DockError.self) { try library.save(halting) }
        #expect(library == MotionLibrary())
    }
}
