/// Lines for Waveshare's pan-tilt firmware (General Driver for Robots): `{"T":n,...}` and a line feed each.
enum WaveshareLine {
    /// The module on the board is the pan-tilt: without this, T:1001 reports no angles.
    static let moduleIsPanTilt = #"{"T":4,"cmd":2}"#
    /// Text for people. It must not be off, because the firmware would then report no missing servo and echo nothing. There is
    /// none while the firmware runs.
    static let textOn = #"{"T":605,"cmd":1}"#
    static let echoOff = #"{"T":143,"cmd":0}"#
    static let echoOn = #"{"T":143,"cmd":1}"#
    static let feedbackOn = #"{"T":131,"cmd":1}"#
    /// Switches the board's own balancing off.
    static let steadyOff = #"{"T":137,"s":0,"y":0}"#
    /// Both servos without torque for 3 ms, then with torque: they stand where they are then, whatever their goal was.
    static let stop = #"{"T":135}"#

    /// Time between two reports, ms.
    static func interval(_ milliseconds: Int) -> String { #"{"T":142,"cmd":\#(milliseconds)}"# }
    /// Torque of both servos. The board echoes the line unchanged, with the number, which means nothing to it.
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
