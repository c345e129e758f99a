"""hardware: camera, panel, lamps; one module per device and back end.

Imports the frame type of `vision`, no other room. Importing this package loads no driver: not OpenCV, not gpiozero.
"""
