/// Lines for Waveshare's pan-tilt firmware (General Driver for Robots): `{"T":n,...}` and a line feed each.
enum WaveshareLine {
    /// Selects the pan-tilt as the module on the board. Without this, T:1001 reports no angles.
    static let moduleIsPanTilt = #"{"T":4,"cmd":2}"#
    /// Switches text for people on. If it were off, the firmware would report no missing servo and echo nothing. While
    /// the firmware runs, it sends no such text.
    static let textOn = #"{"T":605,"cmd":1}"#
    static let echoOff = #"{"T":143,"cmd":0}"#
    static let echoOn = #"{"T":143,"cmd":1}"#
    static let feedbackOn = #"{"T":131,"cmd":1}"#
    /// Switches the board's own balancing off.
    static let steadyOff = #"{"T":137,"s":0,"y":0}"#
    /// Switches the torque of both servos off for 3 ms, and then on. They stop where they are at that time, whatever
    /// their goal was.
    static let stop = #"{"T":135}"#

    /// Returns the line that sets the time between two reports, in ms.
    static func interval(_ milliseconds: Int) -> String { #"{"T":142,"cmd":\#(milliseconds)}"# }
    /// Returns the line that sets the torque of both servos. The board echoes it unchanged, including the number, which
    /// the board ignores.
    static func torque(_ on: Bool, number: Int) -> String { #"{"T":210,"cmd":\#(on ? 1 : 0),"n":\#(number)}"# }
    static func move(_ goal: CoarseStream.Goal) -> String {
        #"{"T":134,"X":\#(goal.pan),"Y":\#(goal.tilt),"SX":\#(goal.panSpeed),"SY":\#(goal.tiltSpeed)}"#
    }

    /// Appends lines.
    static func append(_ lines: [String], to bytes: inout [UInt8]) {
        for line in lines {
            bytes += line.utf8
            bytes.append(0x0A)
        }
    }
}
