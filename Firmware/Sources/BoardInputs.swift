internal import Support

/// The board's inputs. In an image for tests a debugger writes them, because no emulator can drive a pin from outside.
enum BoardInputs {
    #if TEST_INPUTS
        static var pins: Pins { Pins(rawValue: UInt8(truncatingIfNeeded: test_input(Int32(TEST_PINS)))) }
        static var edges: UInt16 { UInt16(truncatingIfNeeded: test_input(Int32(TEST_EDGES))) }
        static var pinMillivolts: UInt32? {
            let millivolts = test_input(Int32(TEST_MILLIVOLTS))
            return millivolts == 0 ? nil : millivolts
        }
        /// Triggers the faults that a real board has by itself.
        static func obey() { test_obey() }
    #else
        static var pins: Pins { ThisBoard.pins }
        static var edges: UInt16 { ThisBoard.edges }
        static var pinMillivolts: UInt32? { ThisBoard.pinMillivolts }
        static func obey() {}
    #endif
}
