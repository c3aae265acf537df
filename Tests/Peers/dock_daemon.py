class DaemonCases: pass
