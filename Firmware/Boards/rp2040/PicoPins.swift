internal import DockWire

/// Servos, inputs, battery and LED of a Pico.
extension Rp2040 {
    private static func function(_ pin: UInt) -> Register { Register(0x4001_4004 + 8 * pin) }
    private static func pad(_ pin: UInt) -> Register { Register(0x4001_C004 + 4 * pin) }
    private static var levels: UInt32 { Register(0xD000_0004).value }
    /// Slice 1 of the PWM: GP2 and GP3.
    private static var widths: Register { Register(0x4005_0020) }
    private static var adc: Register { Register(0x4004_C000) }
    nonisolated(unsafe) private static var quadrature = Quadrature()

    static func startPins(megahertz: UInt32) {
        // GP0 and GP1 are the serial port. A pull-up keeps an open line quiet.
        pad(1).value = 0x5A
        function(0).value = 2
        function(1).value = 2
        // A count is a microsecond. New widths apply at the end of a period.
        Register(0x4005_0018).value = megahertz << 4
        Register(0x4005_0024).value = 19_999
        widths.value = 0
        Register(0x4005_0014).value = 1
        function(2).value = 4
        function(3).value = 4
        for pin: UInt in 6...12 where pin != 9 {
            pad(pin).value = 0x5A
            function(pin).value = 5
        }
        Register(0xD000_0024).value = 1 << 25
        function(25).value = 5
        // GP26 is analogue: no digital input, no pull.
        pad(26).value = 0x80
        adc.value = 1
        // READY means that no conversion runs, and it is set before the first one. The first reading must be valid.
        _ = adc.waitFor(1 << 8)
        adc.value = 1 << 2 | 1
        quadrature.sample(UInt8(truncatingIfNeeded: levels >> 10 & 3))
    }

    static func pulse(pan: UInt32, tilt: UInt32) { widths.value = tilt << 16 | pan }
    static func cutOutputs() { widths.value = 0 }

    static var pins: Pins {
        let levels = levels
        var pins: Pins = []
        if levels & 1 << 6 == 0 { pins.insert(.button0) }
        if levels & 1 << 7 == 0 { pins.insert(.button1) }
        if levels & 1 << 8 == 0 { pins.insert(.tracking) }
        if levels & 1 << 12 != 0 { pins.insert(.emergency) }
        return pins
    }

    /// Sampled once a millisecond, which is fast enough for a hand.
    static var edges: UInt16 {
        quadrature.sample(UInt8(truncatingIfNeeded: levels >> 10 & 3))
        return quadrature.edges
    }

    static var pinMillivolts: UInt32? {
        let isReady = adc.value & 1 << 8 != 0
        let value = Register(0x4004_C004).value & 0xFFF
        adc.value = 1 << 2 | 1
        return isReady ? value * 3300 / 4096 : nil
    }

    static func light(_ isOn: Bool) { Register(isOn ? 0xD000_0014 : 0xD000_0018).value = 1 << 25 }
}
