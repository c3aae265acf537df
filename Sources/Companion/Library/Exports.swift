// A program says `import Companion` and has what it speaks of: modes and errors of the dock, kinds of subjects, angles and
// rectangles. Without this it would have to know in which module of ours each of them is at home.
@_exported public import DockControl
@_exported public import FaceTracker
@_exported public import Geometry
