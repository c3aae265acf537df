/// Lines that Waveshare's firmware for its pan-tilt (General Driver for Robots) is told, `{"T":n,...}` and a line feed each.
enum WaveshareLine {
    /// The pan-tilt is what hangs on the board: without it T:1001 tells no angles.
    static let moduleIsPanTilt = #"{"T":4,"cmd":2}"#
    /// Text for people. Not off, as it may seem: then the firmware tells of no missing servo and echoes nothing. There is none
    /// while it runs.
    static let textOn = #"{"T":605,"cmd":1}"#
    static let echoOff = #"{"T":143,"cmd":0}"#
    static let echoOn = #"{"T":143,"cmd":1}"#
    static let feedbackOn = #"{"T":131,"cmd":1}"#
    /// It holds no balance of its own.
    static let steadyOff = #"{"T":137,"s":0,"y":0}"#
    /// Both servos without torque, 3 ms, with torque: they stand where they are then, whatever their goal was.
    static let stop = #"{"T":135}"#

    /// Time between two reports, ms.
    static func interval(_ milliseconds: Int) -> String { #"{"T":142,"cmd":\#(milliseconds)}"# }
    /// Torque of both servos. The board echoes the line as it stands, and with it the number, which it does not know.
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
