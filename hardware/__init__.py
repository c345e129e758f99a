"""hardware: camera, panel, lamps; one module per device and back end. Imports the frame type of `vision`, no other room."""
