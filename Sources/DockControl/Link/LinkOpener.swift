public import DockTypes

/// Opens the port of a session again.
package typealias LinkReopening = () throws(DockError) -> any ByteLink

/// Opens the right kind of link for a port name: libserialport for real ports, a plain descriptor for ptys and gadgets.
public enum LinkOpener {
    /// Returns whether libserialport cannot open the path because it is not a serial device of the kernel.
    public static func isPseudoTerminal(_ path: String) -> Bool {
        let target = realPath(of: path) ?? path
        return target.hasPrefix("/dev/pts/") || target.hasPrefix("/dev/ttyGS")
    }

    /// Opens a port by path.
    /// - Throws: `DockError`: `notConnected`, `permission`, `portBusy`, `cannotOpen`.
    public static func open(_ path: String, serial: RigProfile.Serial) throws(DockError) -> any ByteLink {
        guard isPseudoTerminal(path) else { return try SerialPort(path: path, serial: serial) }
        return try DescriptorLink(path: path, baud: serial.baud)
    }
}
