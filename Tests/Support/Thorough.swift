internal import Glibc

/// DOCKFACE_THOROUGH: also what takes long and seldom tells anything new (`scripts/test --full`).
public let isThorough = getenv("DOCKFACE_THOROUGH") != nil
