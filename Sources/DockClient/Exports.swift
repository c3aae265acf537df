// A program that imports `DockClient` also gets the types in its interface: topics and their data, errors and modes of
// the dock, angles and rectangles, pictures. Without these exports it would have to import the module of each type.
@_exported public import ControlProtocol
@_exported public import DockTypes
@_exported public import Geometry
@_exported public import PictureShare
