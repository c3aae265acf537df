// A program that imports `Companion` also gets the types in its interface: modes and errors of the dock, topics, kinds
// of subjects, angles and rectangles. Without these exports it would have to import the module of each type.
@_exported public import ControlProtocol
@_exported public import DockControl
@_exported public import DockTypes
@_exported public import FaceTracker
@_exported public import Geometry
