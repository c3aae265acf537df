// A port of an app imports only this module where the app imported DockKit. It also gets Foundation, as from DockKit,
// and the library's other types, such as `Vector3D` and `DockKitError`. This module and `Companion` share names, such as
// `DockAccessory`. A file that imports only this module sees those of this module.
@_exported public import Companion
@_exported public import Foundation
