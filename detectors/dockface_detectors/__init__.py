"""Detector stages for dockface: pictures in, face rectangles out, one process each."""
