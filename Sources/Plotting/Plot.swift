/// A chart over time: panels below each other with a shared horizontal axis. A value; `svg` draws it.
package struct Plot: Sendable {
    /// A point in a panel, in the panel's units. If `y` is not a number, it breaks the line.
    package struct Point: Sendable, Equatable {
        /// On the shared axis.
        package var x: Double
        /// On the panel's own axis.
        package var y: Double

        /// A point.
        package init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The style of a line.
    package struct Style: Sendable, Equatable {
        /// "#rrggbb"
        package var colour: String
        /// Pixels.
        package var width = 1.6
        /// Dashes and gaps in turn, pixels; empty for a solid line.
        package var dashes: [Double] = []

        /// A solid line by default.
        package init(_ colour: String, width: Double = 1.6, dashes: [Double] = []) {
            self.colour = colour
            self.width = width
            self.dashes = dashes
        }
    }

    /// One line.
    package struct Series: Sendable {
        /// The name in the legend, which lists every name once; empty to omit it.
        package var name: String
        /// The style.
        package var style: Style
        /// In the order of `x`.
        package var points: [Point]
        /// Whether each value holds until the next one, like a command.
        package var isStepped: Bool

        /// A line through its points.
        package init(_ name: String, _ style: Style, _ points: [Point], isStepped: Bool = false) {
            self.name = name
            self.style = style
            self.points = points
            self.isStepped = isStepped
        }
    }

    /// One panel.
    package struct Panel: Sendable {
        /// What it shows, and the unit; printed above it.
        package var title: String
        /// Its lines; the last one is on top.
        package var series: [Series]
        /// Its share of the height, relative to the others.
        package var share: Double
        /// The smallest range that is shown, so that noise does not look like motion.
        package var leastSpan: Double

        /// A panel with its lines.
        package init(_ title: String, _ series: [Series], share: Double = 1, leastSpan: Double = 1) {
            self.title = title
            self.series = series
            self.share = share
            self.leastSpan = leastSpan
        }
    }

    /// An event: a line through all panels.
    package struct Mark: Sendable {
        /// The time, on the shared axis.
        package var x: Double
        /// The label.
        package var text: String

        /// An event.
        package init(_ x: Double, _ text: String) {
            self.x = x
            self.text = text
        }
    }

    /// Printed above the chart; empty for none.
    package var title: String
    /// A line under the title with information for the reader; empty for none.
    package var note = ""
    /// From top to bottom.
    package var panels: [Panel]
    /// Events.
    package var marks: [Mark] = []
    /// The unit of the shared axis; printed after its last number.
    package var unit = "s"
    /// The visible range of the shared axis; nil for everything.
    package var span: ClosedRange<Double>?
    /// The size of the image, pixels.
    package var width = 960.0, height = 600.0
    /// The text size of numbers and legend, pixels; the title is larger.
    package var textSize = 13.0

    /// A chart.
    package init(_ title: String, _ panels: [Panel]) {
        self.title = title
        self.panels = panels
    }

    /// Line colours that people with any colour vision can distinguish: the palette of Okabe and Ito (Color Universal Design,
    /// 2008), without its yellow and black.
    package static let colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"]
    /// The colour of the reference line.
    package static let ink = "#3c4043"
}
