internal import Glibc

/// Where a path leads to, through all links, from the root; nil: there is nothing.
package func realPath(of path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}
