#!/bin/sh
# A camera without a picture: a plug that is put in.
modprobe v4l2loopback video_nr=0 card_label=tray max_buffers=8
