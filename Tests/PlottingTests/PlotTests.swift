import Foundation
import Testing

@testable import Plotting

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Charts: what is drawn, where, and that it is XML.
@Suite struct PlotTests {
    /// What a parser finds in a chart.
    final class Reading: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String])] = []
        var words: [String] = []
        private var isText = false

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements.append((name, attributes))
            isText = name == "text" || name == "title"
            if isText { words.append("") }
        }
        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if isText { words[words.count - 1] += text }
        }
        func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
            isText = false
        }

        /// The lines of the panels: paths with round joins that are no wider than the legend's.
        var lines: [[Plot.Point]] {
            elements.filter { $0.name == "path" && $0.attributes["stroke"] == "#0072b2" }
                .map { PlotTests.points($0.attributes["d"] ?? "") }
        }
    }

    static func read(_ svg: String) throws -> Reading {
        let reading = Reading(), parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reading
        #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
        return reading
    }

    /// The points of a path of one run: M x y l dx dy ...
    static func points(_ path: String) -> [Plot.Point] {
        var numbers: [Double] = [], text = ""
        for character in path + " " {
            if "Mlhv -".contains(character), !text.isEmpty {
                if let number = Double(text) { numbers.append(number) }
                text = ""
            }
            if character == "-" || character == "." || character.isNumber { text.append(character) }
        }
        var places: [Plot.Point] = []
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            let last = places.last ?? Plot.Point(0, 0)
            places.append(Plot.Point(last.x + numbers[index], last.y + numbers[index + 1]))
        }
        return places
    }

    static func plot(_ points: [Plot.Point], name: String = "") -> Plot {
        Plot("a & b", [Plot.Panel("<degrees>", [Plot.Series(name, Plot.Style("#0072b2"), points)])])
    }

    @Test func `a chart is XML, and all text from outside is escaped`() throws {
        var plot = Self.plot([.init(0, 0), .init(10, 5)], name: "\"x\" </svg><script>\u{7}")
        plot.marks = [Plot.Mark(5, "a<b")]
        let reading = try Self.read(plot.svg)
        #expect(reading.words.contains("a & b") && reading.words.contains("<degrees>"))
        #expect(reading.words.contains("\"x\" </svg><script>?") && reading.words.contains("a<b"))
        #expect(!reading.elements.contains { $0.name == "script" })
    }

    @Test func `a value lies where its axis numbers say`() throws {
        let reading = try Self.read(Self.plot([.init(0, -10), .init(5, 40), .init(10, -10)]).svg)
        func place(_ label: String) throws -> (x: Double, y: Double) {
            let texts = reading.elements.filter { $0.name == "text" }
            // The first of the words is the chart's title; the shared axis comes after the panel's own.
            let index = try #require(reading.words.lastIndex(of: label))
            let at = texts[index - 1].attributes
            return (Double(at["x"] ?? "") ?? .nan, Double(at["y"] ?? "") ?? .nan)
        }
        let line = try #require(reading.lines.first)
        #expect(line.count == 3)
        // The centre of a number is a third of its size above its baseline.
        let ten = try place("-10").y, forty = try place("40").y
        #expect(abs((ten - forty) - (line[0].y - line[1].y)) < 0.3)
        #expect(abs(line[1].y - (forty - 13 * 0.35)) < 0.3)
        let five = try place("5").x, end = try place("10 s").x
        #expect(abs(line[1].x - five) < 0.2 && abs(line[2].x - end) < 0.2)
    }

    @Test func `many points become few, and no peak is lost`() throws {
        var points = (0..<30_000).map { Plot.Point(Double($0) / 1000, 3 * sin(Double($0) / 2000)) }
        points[12_345].y = 10
        points[20_000].y = -10
        let svg = Self.plot(points).svg, line = try #require(try Self.read(svg).lines.first)
        #expect(svg.utf8.count < 20_000, "\(svg.utf8.count)")
        let box = (line.map(\.y).min() ?? 0, line.map(\.y).max() ?? 0)
        // 22 units high including the margin: the peaks are ten to either side of the centre.
        #expect(line.count { $0.y == box.0 } == 1 && line.count { $0.y == box.1 } == 1)
        let scale = (box.1 - box.0) / 20
        #expect(abs((box.0 + box.1) / 2 - line[0].y) < 0.3)
        #expect(scale > 10)
    }

    @Test func `noise as wide as the chart stays small enough`() {
        var state: UInt64 = 1
        let points = (0..<30_000).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Plot.Point(Double(index) / 1000, Double(state >> 40))
        }
        #expect(Self.plot(points).svg.utf8.count < 50_000)
    }

    @Test func `missing values leave a gap in the line`() throws {
        let path = SVGWriter.path(
            Outline.runs(of: [.init(0, 0), .init(10, 0), .init(11, .nan), .init(20, 5), .init(30, 5)]))
        #expect(path == "M0 0l10 0M20 5l10 0")
        #expect(SVGWriter.path([[.init(3, 4)]]) == "M3 4h0")
        #expect(SVGWriter.path([[.init(-0.04, 0.26), .init(1.2, -0.44), .init(1, 1)]]) == "M0 .3l1.2-.7-.2 1.4")
    }

    @Test func `values that hold until the next one are drawn as steps`() {
        #expect(
            Outline.steps([.init(0, 1), .init(2, 3), .init(4, .nan), .init(6, 5)])[..<3]
                == [.init(0, 1), .init(2, 1), .init(2, 3)])
    }

    struct Case: Sendable {
        var range: ClosedRange<Double>
        var most: Int
        var labels: [String]
    }

    static let cases: [Case] = [
        Case(range: 0...10, most: 5, labels: ["0", "2", "4", "6", "8", "10"]),
        Case(range: -1...1, most: 4, labels: ["-1.0", "-0.5", "0.0", "0.5", "1.0"]),
        Case(range: 0.12...0.19, most: 4, labels: ["0.12", "0.14", "0.16", "0.18"]),
        Case(range: -3500...3400, most: 3, labels: ["-2000", "0", "2000"]),
        Case(range: 5...5, most: 4, labels: ["5.00"]),
    ]

    @Test(arguments: cases) func `ticks are round numbers`(one: Case) {
        let ticks = Ticks(one.range, most: one.most)
        #expect(ticks.values.map(ticks.label) == one.labels)
        for (value, label) in zip(ticks.values, one.labels) { #expect(abs(value - (Double(label) ?? .nan)) < 1e-9) }
    }

    @Test func `ticks of any range are few, within it, and evenly spaced`() {
        for exponent in -6...6 {
            for first in stride(from: 0.9, through: 9.7, by: 0.37) {
                let width = first * pow(10, Double(exponent)), range = -0.31 * width...0.69 * width
                let ticks = Ticks(range, most: 6)
                #expect(ticks.values.count <= 7 && ticks.values.count >= 2, "\(range) \(ticks)")
                #expect(
                    ticks.values.allSatisfy {
                        $0 >= range.lowerBound - 1e-9 * width && $0 <= range.upperBound + 1e-9 * width
                    })
            }
        }
    }

    @Test func `numbers are written in short form and without surprises`() {
        #expect(SVGWriter.number(1.25) == "1.3" && SVGWriter.number(-0.04) == "0" && SVGWriter.number(2) == "2")
        #expect(SVGWriter.number(.nan) == "0" && SVGWriter.number(.infinity) == "0")
        #expect(SVGWriter.number(-1.5, decimals: 2, isFull: true) == "-1.50")
    }

    @Test func `a chart without data is valid, too`() throws {
        #expect(try Self.read(Self.plot([]).svg).lines.count == 0)
        _ = try Self.read(Plot("", []).svg)
        _ = try Self.read(Self.plot([.init(0, .nan)]).svg)
        _ = try Self.read(Self.plot([.init(2, 2)]).svg)
        // A file can contain anything.
        _ = try Self.read(Self.plot([.init(-1e308, 1e308), .init(0, -1e308), .init(1e308, 1e300)]).svg)
        _ = try Self.read(Self.plot([.init(0, 1e18), .init(1, 1e18 + 1e4)]).svg)
    }

    @Test func `only values in the span are drawn, and determine the range`() throws {
        var plot = Self.plot((0...100).map { Plot.Point(Double($0), $0 > 50 ? 1000 : Double($0)) })
        plot.span = 10...20
        let reading = try Self.read(plot.svg)
        #expect(reading.words.contains("20 s") && !reading.words.contains { $0.hasPrefix("1000") })
    }
}
