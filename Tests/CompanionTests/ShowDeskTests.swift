import ControlProtocol
import DockControl
import DockTypes
import FaceTracker
import Geometry
import Glibc
import RobotFace
import SpatialModel
import Testing

@testable import Companion

extension LayerBoard {
    /// Adds a layer that is measured here.
    fileprivate mutating func set(_ layer: Layer, until: Seconds) throws(DockError) -> Bool {
        try set(layer, bytes: MeasuredLayer(layer).bytes, until: until)
    }
}

/// What other programs show: limits, times, ends, and how it is drawn.
@Suite struct ShowDeskTests {
    static func layer(_ name: String, client: Int = 1, items: Int = 1, space: LayerSpace = .picture) -> Layer {
        Layer(
            name: name, client: client, space: space,
            items: (0..<items).map { .point([Double($0) / 1000, 0, -2], text: nil) })
    }

    static func refuses(_ board: inout LayerBoard, _ layer: Layer) -> Bool {
        do throws(DockError) {
            _ = try board.set(layer, until: 1)
            return false
        } catch {
            return error.code == .limitReached && !error.hint.isEmpty
        }
    }

    /// The result of a call that changes a value; the macro cannot call it.
    func did(_ result: Bool) -> Bool { result }

    // MARK: layers

    @Test func `a layer replaces the one of its name and connection only`() throws {
        var board = LayerBoard()
        #expect(try did(board.set(Self.layer("a"), until: 1)))
        #expect(try did(board.set(Self.layer("a", client: 2), until: 1)))
        #expect(try did(board.set(Self.layer("a", items: 3), until: 2)))
        #expect(board.layers.map(\.items.count) == [3, 1])
        let version = board.version
        #expect(try !did(board.set(Self.layer("a", items: 3), until: 3)), "the same layer looks the same")
        #expect(board.version == version)
        #expect(did(board.expire(now: 1.5)))
        #expect(board.layers.count == 1, "each has its own time")
        #expect(!did(board.expire(now: 2.5)))
        #expect(did(board.expire(now: 3)))
        #expect(board.isEmpty)
    }

    @Test func `a layer without items is none, and a connection's end removes its layers`() throws {
        var board = LayerBoard()
        #expect(try !did(board.set(Self.layer("a", items: 0), until: 1)))
        for client in 1...2 {
            for name in ["a", "b"] { _ = try board.set(Self.layer(name, client: client), until: 1) }
        }
        #expect(try did(board.set(Self.layer("a", items: 0), until: 1)))
        #expect(board.layers.count == 3)
        #expect(did(board.remove(client: 2)))
        #expect(board.layers.map(\.name) == ["b"])
        #expect(!did(board.remove(client: 2)))
    }

    @Test func `layers, items and points are bounded, and a refusal changes nothing`() throws {
        var board = LayerBoard()
        for number in 1...LayerBoard.perClient { _ = try board.set(Self.layer("l\(number)", items: 512), until: 1) }
        let before = board
        #expect(Self.refuses(&board, Self.layer("more")))
        #expect(Self.refuses(&board, Self.layer("other", client: 2)), "4,096 items are all")
        #expect(board == before)
        #expect(try did(board.set(Self.layer("l1", items: 511), until: 1)))
        #expect(try did(board.set(Self.layer("o", client: 2), until: 1)))

        board = LayerBoard()
        let text = LayerItem.label(String(repeating: "x", count: 80), at: [0, 0, 0])
        let long = Layer(name: "t", client: 1, space: .picture, items: Array(repeating: text, count: 512))
        for client in 1...2 {
            var layer = long
            layer.client = client
            #expect(try did(board.set(layer, until: 1)))
        }
        #expect(
            Self.refuses(&board, Layer(name: "u", client: 3, space: .picture, items: long.items)), "180 KiB are all")
        board = LayerBoard()
        let path = LayerItem.path(Array(repeating: [0, 0, -1], count: 32))
        let full = Layer(name: "p", client: 1, space: .world, items: Array(repeating: path, count: 512))
        #expect(try did(board.set(full, until: 1)))
        #expect(Self.refuses(&board, Self.layer("q")))
    }

    @Test func `the length of a layer is measured before the session stores it`() throws {
        let layer = Self.layer("a", client: 0, items: 3)
        let command = ShowCommand.layer("a", .picture, layer.items, time: 1)
        #expect(command == .drawing(MeasuredLayer(layer), time: 1))
        #expect(MeasuredLayer(layer).bytes == layer.json.bytes.count)
        var board = LayerBoard()
        #expect(try did(board.set(layer, bytes: LayerBoard.mostBytes, until: 1)), "the board does not measure again")
        #expect(Self.refuses(&board, Self.layer("b", client: 2)))
    }

    // MARK: drawing

    private static let view = PictureView(
        pose: .zero, lens: PictureLens(focal: Point(x: 1, y: 1), principal: Point(x: 0.5, y: 0.5)))

    @Test func `an item of the world stands still in the room while the head turns`() throws {
        var desk = ShowDesk()
        let place = LayerItem.Place(0, 0, -2)
        _ = try desk.layers.set(
            Layer(name: "w", client: 1, space: .world, items: [.label("door", at: place)]), until: 1)
        let ahead = desk.drawing(seenFrom: Self.view)
        #expect(ahead.shapes() == [OverlayShape(.text(Point(x: 0.5, y: 0.5), "door"))])
        #expect(desk.drawing(seenFrom: Self.view) == ahead)
        var turned = Self.view
        turned.pose.pan = 0.2
        let beside = desk.drawing(seenFrom: turned)
        #expect(beside != ahead)
        guard case .text(let point, _)? = beside.shapes().first?.form else {
            Issue.record("nothing is drawn")
            return
        }
        #expect(abs(point.x - (0.5 - 0.2027)) < 1e-3, "the head turned to its right, so the door is at its left")
        turned.pose.pan = .pi
        #expect(desk.drawing(seenFrom: turned).shapes().isEmpty, "behind the head")
        #expect(desk.drawing(seenFrom: nil).shapes().isEmpty, "without a pose, no place is known")
    }

    @Test func `items of the picture do not depend on the pose`() throws {
        var desk = ShowDesk()
        #expect(desk.drawing(seenFrom: nil) == .empty)
        let items: [LayerItem] = [
            .box(Rect(x: 0, y: 0, width: 0.5, height: 0.5), text: "cup", colour: .green),
            .path([[0, 0, 0], [1, 0, 0], [1, 1, 0]], text: "way", mark: "*"),
        ]
        _ = try desk.layers.set(Layer(name: "p", client: 1, space: .picture, items: items), until: 1)
        let drawing = desk.drawing(seenFrom: Self.view)
        var turned = Self.view
        turned.pose.pan = 1
        #expect(desk.drawing(seenFrom: turned) == drawing)
        #expect(
            drawing.shapes() == [
                OverlayShape(.box(Rect(x: 0, y: 0, width: 0.5, height: 0.5), title: "cup"), colour: .green),
                OverlayShape(.line(Point(x: 0, y: 0), Point(x: 1, y: 0)), mark: "*"),
                OverlayShape(.line(Point(x: 1, y: 0), Point(x: 1, y: 1)), mark: "*"),
                OverlayShape(.text(Point(x: 0, y: 0), "way"), mark: "*"),
            ])
    }

    @Test func `topic tracking says how a program projects items of the world itself`() throws {
        var status = SessionStatus()
        func reading() -> TrackingReading? {
            TrackingReading(json: TopicEncoder.data(of: .tracking, status, now: 1))
        }
        #expect(reading()?.lens == nil && reading() != nil, "there is no frame yet")
        var camera = CameraModel(camera: RigProfile.Camera(), aspect: 4.0 / 3).cropped(by: 2)
        camera.principal.x = 0.55
        status.frame = TrackedFrame(
            exposure: 1, camera: camera, subjects: [], followed: nil, selected: [], setPoint: Point(x: 0.5, y: 0.5))
        let head = try #require(reading()?.lens), pose = PanTilt(pan: 0.3, tilt: 0.1)
        #expect(head.mount == "head" && head.direction == nil && head.direction(from: pose) == pose)
        #expect(abs(head.focal.x - camera.focal.x) < 1e-6 && abs(head.principal.x - 0.55) < 1e-6)
        status.frame?.camera?.mount = .fixed
        status.frame?.camera?.offset = PanTilt(pan: -0.2, tilt: 0.4)
        let fixed = try #require(reading()?.lens)
        #expect(fixed.mount == "fixed" && fixed.direction(from: pose) == PanTilt(pan: -0.2, tilt: 0.4))
    }

    /// The reference is the model with which tracking converts directions, which has no code in common with this.
    @Test(arguments: [RigProfile.Mount.head, .fixed])
    func `a program sees items of the world where the daemon does`(_ mount: RigProfile.Mount) throws {
        var camera = CameraModel(camera: RigProfile.Camera(), aspect: 4.0 / 3).cropped(by: 1.5)
        (camera.mount, camera.offset) = (mount, PanTilt(pan: -0.2, tilt: 0.1))
        let pose = PanTilt(pan: 0.1, tilt: 0.2), aim = PanTilt(pan: 0.05, tilt: 0.12), distance = 3.0
        let place = LayerItem.Place(
            distance * sin(aim.pan) * cos(aim.tilt), distance * sin(aim.tilt),
            -distance * cos(aim.pan) * cos(aim.tilt))
        let layers = [Layer(name: "w", space: .world, items: [.label("door", at: place)])]
        var lens = LensReading()
        (lens.focal, lens.principal, lens.mount) = (camera.focal, camera.principal, mount.rawValue)
        lens.direction = mount == .fixed ? camera.offset : nil
        let shapes = LayerSketch(layers, through: lens, head: pose).shapes
        guard case .text(let point, "door")? = shapes.first?.form else {
            Issue.record("nothing is drawn: \(shapes)")
            return
        }
        let wanted = try #require(camera.project(aim, from: pose))
        #expect(abs(point.x - wanted.x) < 1e-9 && abs(point.y - wanted.y) < 1e-9, "\(point), not \(wanted)")
        #expect(LayerSketch(layers, through: nil, head: pose).shapes.isEmpty)
        #expect(LayerSketch(layers, through: lens, head: nil).shapes.isEmpty == (mount == .head))
        lens.mount = "drone"
        #expect(LayerSketch(layers, through: lens, head: pose).shapes.isEmpty, "a newer daemon may know another one")
    }

    // MARK: indicators

    @Test func `of several with one name the gravest is shown, and all are listed`() throws {
        var board = IndicatorBoard()
        func shown() -> [String] { board.shown.map { "\($0.name) \($0.state.rawValue) \($0.client)" } }
        #expect(try did(board.set("link", .secure, text: "", client: 1)))
        #expect(try did(board.set("record", .trying, text: "", client: 2)))
        #expect(shown() == ["record trying 2", "link secure 1"])
        #expect(try did(board.set("link", .on, text: "", client: 2)), "one that does not encrypt is graver")
        #expect(try did(board.set("record", .on, text: "", client: 3)), "a recording is graver than an attempt")
        #expect(shown() == ["record on 3", "link on 2"])
        #expect(try did(board.set("link", .fault, text: "no server", client: 3)))
        #expect(try did(board.set("record", .fault, text: "disk full", client: 4)))
        #expect(shown() == ["record on 3", "link fault 3"], "no failure hides another program's recording")
        #expect(board.all.count == 6)
        #expect(did(board.remove(client: 4)))
        #expect(try !did(board.set("link", .fault, text: "no server", client: 3)))
        #expect(did(board.remove(client: 3)))
        #expect(shown() == ["record trying 2", "link on 2"])
        #expect(try did(board.set("record", .off, text: "", client: 2)))
        #expect(shown() == ["link on 2"])
    }

    @Test func `indicators are bounded, and recordings have places of their own`() throws {
        var board = IndicatorBoard(), set = 0
        for client in 1...16 {
            for number in 1...IndicatorBoard.perClient {
                do throws(DockError) {
                    _ = try board.set("i\(number)", .on, text: "", client: client)
                    set += 1
                } catch {
                    #expect(error.code == .limitReached)
                }
            }
        }
        #expect(set == IndicatorBoard.most - IndicatorBoard.reserved)
        #expect(throws: DockError.self) { try board.set("more", .on, text: "", client: 17) }
        #expect(try did(board.set("record", .on, text: "", client: 17)))
        #expect(try did(board.set("i1", .off, text: "", client: 1)))
    }

    @Test func `a process with many connections leaves room for the indicators of others`() throws {
        var board = IndicatorBoard()
        for client in 1...40 {
            for number in 1...IndicatorBoard.perClient {
                _ = try? board.set("i\(number)", .on, text: "", client: client, process: 7)
            }
        }
        #expect(board.all.count == IndicatorBoard.perProcess)
        #expect(throws: DockError.self) { try board.set("record", .on, text: "", client: 41, process: 7) }
        #expect(try did(board.set("link", .on, text: "", client: 42, process: 8)))
        #expect(did(board.remove(client: 1)))
        #expect(try did(board.set("record", .on, text: "", client: 41, process: 7)))
    }

    @Test func `the marks say what concerns the people nearby`() {
        func mark(_ name: String, _ state: IndicatorState, _ text: String = "") -> IndicatorMark {
            var reading = IndicatorReading()
            (reading.name, reading.state, reading.text) = (name, state, text)
            return IndicatorMark(reading)
        }
        #expect(mark("record", .on).text == "● REC" && mark("record", .on).colour == .red)
        #expect(mark("live", .secure).text == "● LIVE secure" && mark("live", .secure).colour == .red)
        #expect(mark("link", .on).colour == .green && mark("link", .trying).text == "◌ LINK")
        #expect(mark("link", .fault, "no server").text == "× LINK failed: no server")
        let long = mark("link", .on, String(repeating: "x", count: 80)).text
        #expect(long.count == IndicatorMark.longest && long.hasSuffix("…"))
    }
}
