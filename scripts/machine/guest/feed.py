"""In the machine: feed the loopback camera with a film, as a webcam sees a tray. feed.py DEVICE

A film is a folder with move-NNN.jpg, shown once, and rest-N.jpg, shown in turn for ever (a sensor never gives the same
picture twice). /run/feed/film names the film to show; /run/feed/at says which one has come to rest.
"""

import fcntl
import os
import struct
import sys
import time

WIDTH, HEIGHT = 640, 360
FPS = 6
FILMS = "/run/machine/films"
VIDIOC_S_FMT = 0xC0D05605
OUTPUT, NO_FIELD = 2, 1


def open_camera(path):
    device = os.open(path, os.O_RDWR)
    # struct v4l2_format with its struct v4l2_pix_format (linux/videodev2.h).
    pixels = struct.pack("<II4sIIIII", WIDTH, HEIGHT, b"MJPG", NO_FIELD, 0, WIDTH * HEIGHT * 2, 7, 0)
    fcntl.ioctl(device, VIDIOC_S_FMT, struct.pack("<II", OUTPUT, 0) + pixels.ljust(200, b"\0"))
    return device


def pictures(name):
    folder = f"{FILMS}/{name}"
    kinds = {"move": [], "rest": []}
    for file in sorted(os.listdir(folder)):
        with open(f"{folder}/{file}", "rb") as picture:
            kinds[file[:4]].append(picture.read())
    return kinds["move"], kinds["rest"]


def main():
    device = open_camera(sys.argv[1])
    shown, at, moving, resting = None, 0, [], []
    due = time.monotonic()
    while True:
        with open("/run/feed/film") as file:
            wanted = file.read().strip()
        if wanted and wanted != shown:
            moving, resting = pictures(wanted)
            # What is there when the power comes has lain there for long.
            shown, at = wanted, 0 if shown is not None else len(moving)
        os.write(device, moving[at] if at < len(moving) else resting[(at - len(moving)) % len(resting)])
        at += 1
        if at == len(moving) + 2:
            with open("/run/feed/at", "w") as file:
                file.write(shown)
        due = max(due + 1 / FPS, time.monotonic())
        time.sleep(max(0.0, due - time.monotonic()))


main()
