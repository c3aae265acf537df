internal import CUdev
internal import PlainText

/// The system's information about its devices, through libudev.
enum Udev {
    /// Returns the USB device behind a port, or nil if it is not on USB or there is no such port.
    static func identity(ofPort path: String) -> UsbIdentity? {
        guard let name = path.split(separator: "/").last, let udev = udev_new() else { return nil }
        defer { udev_unref(udev) }
        guard let device = udev_device_new_from_subsystem_sysname(udev, "tty", String(name)) else { return nil }
        defer { udev_device_unref(device) }
        return identity(of: device)
    }

    /// Returns the USB device behind `device`, which is a tty.
    private static func identity(of device: OpaquePointer) -> UsbIdentity? {
        // Parents belong to their child, and must not be released.
        guard let usb = udev_device_get_parent_with_subsystem_devtype(device, "usb", "usb_device"),
            let vendor = attribute("idVendor", of: usb).flatMap({ Int($0, radix: 16) }),
            let product = attribute("idProduct", of: usb).flatMap({ Int($0, radix: 16) })
        else { return nil }
        let interface = udev_device_get_parent_with_subsystem_devtype(device, "usb", "usb_interface")
        let number = interface.flatMap { attribute("bInterfaceNumber", of: $0) } ?? "00"
        let chain = attribute("devpath", of: usb) ?? text(udev_device_get_sysname(usb)) ?? "?"
        var root = usb
        while let above = udev_device_get_parent_with_subsystem_devtype(root, "usb", "usb_device") { root = above }
        let controller = udev_device_get_parent(root).flatMap { text(udev_device_get_sysname($0)) } ?? "usb"
        return UsbIdentity(
            vendor: vendor, product: product, serial: attribute("serial", of: usb),
            place: "\(controller)/\(chain):\(number)")
    }

    /// Returns an attribute of a device, which can report any text about itself.
    private static func attribute(_ name: String, of device: OpaquePointer) -> String? {
        text(udev_device_get_sysattr_value(device, name)).flatMap { $0.isEmpty ? nil : ForeignText.line($0) }
    }

    /// Returns a name from the kernel, unchanged, because it is a path.
    static func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
}
