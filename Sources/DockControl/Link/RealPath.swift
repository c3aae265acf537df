internal import Glibc

/// Returns the absolute path to which a path leads, through all links, or nil if there is no such file.
package func realPath(of path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}
