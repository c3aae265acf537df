/// A chart over time: panels under each other that share one axis to the right. A value; `svg` draws it.
package struct Plot: Sendable {
    /// A place in a panel, in the panel's units. One whose `y` is no number breaks the line.
    package struct Point: Sendable, Equatable {
        /// Along the shared axis.
        package var x: Double
        /// Along the panel's own.
        package var y: Double

        /// A place.
        package init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// How a line looks.
    package struct Style: Sendable, Equatable {
        /// "#rrggbb"
        package var colour: String
        /// Pixels.
        package var width = 1.6
        /// Dashes and gaps in turn, pixels; empty: a line without gaps.
        package var dashes: [Double] = []

        /// A line without gaps.
        package init(_ colour: String, width: Double = 1.6, dashes: [Double] = []) {
            self.colour = colour
            self.width = width
            self.dashes = dashes
        }
    }

    /// One line.
    package struct Series: Sendable {
        /// For the legend, which tells every name once; empty: it is not in there.
        package var name: String
        /// How it looks.
        package var style: Style
        /// In the order of `x`.
        package var points: [Point]
        /// A value holds until the next one, as a command does.
        package var isStepped: Bool

        /// A line of its points.
        package init(_ name: String, _ style: Style, _ points: [Point], isStepped: Bool = false) {
            self.name = name
            self.style = style
            self.points = points
            self.isStepped = isStepped
        }
    }

    /// One picture of the column.
    package struct Panel: Sendable {
        /// What it shows, and in which unit; stands over it.
        package var title: String
        /// Its lines; the last one lies on top.
        package var series: [Series]
        /// Its share of the height, beside those of the others.
        package var share: Double
        /// At least so much of the unit is shown, so that noise does not look like motion.
        package var leastSpan: Double

        /// A panel of its lines.
        package init(_ title: String, _ series: [Series], share: Double = 1, leastSpan: Double = 1) {
            self.title = title
            self.series = series
            self.share = share
            self.leastSpan = leastSpan
        }
    }

    /// Something that happened at one moment: a line through all panels.
    package struct Mark: Sendable {
        /// When, on the shared axis.
        package var x: Double
        /// What.
        package var text: String

        /// A moment.
        package init(_ x: Double, _ text: String) {
            self.x = x
            self.text = text
        }
    }

    /// Over everything; empty: none.
    package var title: String
    /// A line under the title: what somebody has to know who looks at it; empty: none.
    package var note = ""
    /// From the top.
    package var panels: [Panel]
    /// Moments.
    package var marks: [Mark] = []
    /// Of the shared axis; stands behind its last number.
    package var unit = "s"
    /// What is shown of the shared axis; nil: all that there is.
    package var span: ClosedRange<Double>?
    /// The picture, pixels.
    package var width = 960.0, height = 600.0
    /// Of numbers and legend, pixels; the title is larger.
    package var textSize = 13.0

    /// A chart.
    package init(_ title: String, _ panels: [Panel]) {
        self.title = title
        self.panels = panels
    }

    /// Lines that people with any colour vision can tell apart: the palette that Okabe and Ito proposed (Color Universal Design, 2008),
    /// without its yellow and black.
    package static let colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"]
    /// What all lines are measured by.
    package static let ink = "#3c4043"
}
