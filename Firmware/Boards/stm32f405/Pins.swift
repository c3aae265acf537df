internal import Support

/// Servos, inputs, battery and LED.
extension Stm32F405 {
    private enum PortA {
        static var mode: Register { Register(0x4002_0000) }
        static var pull: Register { Register(0x4002_000C) }
        static var set: Register { Register(0x4002_0018) }
        static var lowFunctions: Register { Register(0x4002_0020) }
    }
    private enum PortB {
        static var mode: Register { Register(0x4002_0400) }
        static var pull: Register { Register(0x4002_040C) }
        static var lowFunctions: Register { Register(0x4002_0420) }
    }
    private enum PortC {
        static var pull: Register { Register(0x4002_080C) }
        static var input: Register { Register(0x4002_0810) }
    }
    /// TIM3 with a tick of one microsecond.
    private enum Timer {
        static var control: Register { Register(0x4000_0400) }
        static var update: Register { Register(0x4000_0414) }
        static var mode: Register { Register(0x4000_0418) }
        static var outputs: Register { Register(0x4000_0420) }
        static var prescaler: Register { Register(0x4000_0428) }
        static var period: Register { Register(0x4000_042C) }
        static var pan: Register { Register(0x4000_0434) }
        static var tilt: Register { Register(0x4000_0438) }
    }
    /// TIM4 counts the encoder.
    private enum Encoder {
        static var control: Register { Register(0x4000_0800) }
        static var slave: Register { Register(0x4000_0808) }
        static var mode: Register { Register(0x4000_0818) }
        static var count: Register { Register(0x4000_0824) }
        static var period: Register { Register(0x4000_082C) }
    }
    private enum Adc {
        static var status: Register { Register(0x4001_2000) }
        static var control: Register { Register(0x4001_2008) }
        static var times: Register { Register(0x4001_2010) }
        static var channel: Register { Register(0x4001_2034) }
        static var data: Register { Register(0x4001_204C) }
        static var common: Register { Register(0x4001_2304) }
    }

    static func startPins() {
        // PA0 analogue, PA2, PA3 (USART2), PA5 output, PA6, PA7 (TIM3): functions 7, 7, 2, 2. PA13 and PA14 stay with
        // the debugger.
        PortA.lowFunctions.change(0xFF00_FF00, to: 0x2200_7700)
        // A pull-up keeps an open serial line quiet.
        PortA.pull.change(3 << 6, to: 1 << 6)
        PortA.mode.change(0xFCF3, to: 0xA4A3)
        PortB.lowFunctions.change(0xFF00_0000, to: 0x2200_0000)
        PortB.pull.change(0xF000, to: 0x5000)
        PortB.mode.change(0xF000, to: 0xA000)
        PortC.pull.change(0xFF, to: 0x55)
        guard !isEmulated else { return }
        // Both edges of both pins, filtered over eight samples.
        Encoder.mode.value = 0x3131
        Encoder.slave.value = 3
        Encoder.period.value = 0xFFFF
        Encoder.control.value = 1
        Adc.common.value = 1 << 16
        Adc.times.value = 7
        Adc.channel.value = 0
        Adc.control.value = 1
    }

    static func startServos(megahertz: UInt32) {
        Timer.prescaler.value = megahertz - 1
        Timer.period.value = 19_999
        // PWM mode 1. New widths apply at the end of a period, so no pulse is ever cut short.
        Timer.mode.value = 0x6868
        cutOutputs()
        Timer.outputs.value = 0x11
        Timer.update.value = 1
        Timer.control.value = 1 << 7 | 1
    }

    static func pulse(pan: UInt32, tilt: UInt32) {
        Timer.pan.value = pan
        Timer.tilt.value = tilt
    }

    /// A width of 0 keeps the pin low from the end of this period on, so that a started pulse is complete.
    static func cutOutputs() {
        Timer.pan.value = 0
        Timer.tilt.value = 0
    }

    static var pins: Pins {
        guard !isEmulated else { return [] }
        let levels = PortC.input.value
        var pins: Pins = []
        if levels & 1 << 0 == 0 { pins.insert(.button0) }
        if levels & 1 << 1 == 0 { pins.insert(.button1) }
        if levels & 1 << 2 == 0 { pins.insert(.tracking) }
        if levels & 1 << 3 != 0 { pins.insert(.emergency) }
        return pins
    }

    static var edges: UInt16 { isEmulated ? 0 : UInt16(truncatingIfNeeded: Encoder.count.value) }

    /// Called ten times a second. The conversion started by the last call is ready now.
    static var pinMillivolts: UInt32? {
        guard !isEmulated else { return nil }
        let isReady = Adc.status.value & 1 << 1 != 0
        let value = Adc.data.value & 0xFFF
        Adc.control.value = 1 | 1 << 30
        return isReady ? value * 3300 / 4096 : nil
    }

    static func light(_ isOn: Bool) { PortA.set.value = isOn ? 1 << 5 : 1 << 21 }
}
