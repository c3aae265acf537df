internal import Glibc

/// DOCKFACE_THOROUGH: also runs tests that take long and seldom find anything new (`scripts/test --full`).
public let isThorough = getenv("DOCKFACE_THOROUGH") != nil
