import ControlProtocol
import Geometry
import Testing

/// What a form accepts, and what a record of rows encodes and decodes.
@Suite struct ShapeTests {
    private func json(_ text: String) throws -> JSONValue { try JSONReader.value(of: Array(text.utf8)) }

    @Test func `a form accepts its values and refuses others`() throws {
        let rows: [(Shape, good: [String], bad: [String])] = [
            (.flag, ["true", "false"], ["1", "null"]), (.yes, ["true"], ["false"]),
            (.number(0...1), ["0", "0.5", "1"], ["1.1", "-0.1", "\"0\"", "1e999"]),
            (.positive(upTo: 2), ["0.1", "2"], ["0", "2.1"]), (.whole(1...3), ["1", "3.0"], ["0", "1.5"]),
            (.multiple(of: 90, 0...270), ["0", "270"], ["45", "360"]), (.word(["a", "b"]), ["\"a\""], ["\"c\""]),
            (.name, ["\"a_b-1\""], ["\"\"", "\"A\"", "\"\(String(repeating: "a", count: 33))\""]),
            (.expression, ["\"happy\""], ["\"1a\"", "\"a_b\""]), (.text(1...2), ["\"ab\""], ["\"\"", "\"abc\""]),
            (.rect, ["[0,0,1,1]"], ["[0,0,0,1]", "[0,0,1]", "[0,0,640,480]"]),
            (.list(of: .flag, 1...2, isUnique: true), ["[true]", "[true,false]"], ["[]", "[true,true]", "[1]"]),
            (.map(.flag), ["{}", "{\"a\":true}"], ["{\"A\":true}", "{\"a\":1}"]),
            (.oneOf([.flag, .count]), ["true", "3"], ["\"x\""]), (.orNull(.flag), ["null", "true"], ["1"]),
            (.named("panTilt"), ["{\"pan\":0,\"tilt\":1}"], ["{\"pan\":0}", "{\"pan\":0,\"tilt\":1,\"roll\":2}"]),
            (
                .object([.optional("a", .flag, with: ["b"]), .optional("b", .flag)]), ["{}", "{\"b\":true}"],
                ["{\"a\":true}"]
            ),
        ]
        for (shape, good, bad) in rows {
            for text in good { #expect(shape.fits(try json(text)), "\(shape.words): \(text)") }
            for text in bad { #expect(!shape.fits(try json(text)), "\(shape.words): \(text)") }
        }
    }

    @Test func `every name of a type is in the table`() {
        func names(_ shape: Shape) -> [String] {
            switch shape {
            case .named(let name): [name]
            case .list(let part, _, _), .map(let part), .orNull(let part): names(part)
            case .object(let fields): fields.flatMap { names($0.shape) }
            case .oneOf(let shapes): shapes.flatMap(names)
            default: []
            }
        }
        let known = Set(APITypes.rows.map(\.name))
        #expect(known.count == APITypes.rows.count)
        let used =
            APITypes.rows.flatMap { names($0.shape) }
            + MethodTable.rows.flatMap { names($0.result) + $0.parameters.flatMap { names($0.shape) } }
        #expect(Set(used).subtracting(known).isEmpty)
    }

    @Test func `a record is decoded from what it encodes, and not from another form`() throws {
        var supply = SupplyReading()
        (supply.name, supply.level, supply.charge, supply.isLow) = ("base", 0.25, "charging", true)
        let battery = BatteryReading([supply])
        #expect(
            String(decoding: battery.json.bytes, as: UTF8.self)
                == #"{"batteries":[{"charge":"charging","critical":false,"level":0.25,"low":true,"name":"base","voltage":null}]}"#
        )
        #expect(BatteryReading(json: battery.json) == battery)
        #expect(BatteryReading.shape.fits(battery.json))
        var members = try #require(supply.json.object)
        members["colour"] = .null
        #expect(SupplyReading(json: .object(members)) == supply, "a newer daemon may send more")
        members["level"] = .number(2)
        #expect(SupplyReading(json: .object(members)) == nil)
        members["level"] = nil
        let unknown = try #require(SupplyReading(json: .object(members)))
        #expect(unknown.level == nil && unknown.name == supply.name, "an older daemon may send less")
        members["charge"] = .string("wireless")
        #expect(SupplyReading(json: .object(members))?.charge == "wireless", "a newer daemon may know more words")
        members["charge"] = nil
        #expect(SupplyReading(json: .object(members)) == nil)
        #expect(CameraReading(json: CameraReading().json) == CameraReading())
    }
}
