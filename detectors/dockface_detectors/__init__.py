"""Detector stages for dockface: frames in, face rectangles out, one process each."""
