internal import Glibc

/// The absolute path that a path leads to, through all links; nil: no such file.
package func realPath(of path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}
