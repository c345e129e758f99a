// The table: a tray, a mast that holds camera and ring light over its middle, and a box for the panel.
// All lengths in millimetres. Render with `make model`, or one part by hand:
//   openscad -D 'part="tray"' -o tray.stl table.scad
// part: all, tray, foot, mast, head, ring, box, lid

part = "all";

// ---- what you choose ------------------------------------------------------------------------------------------------
tray_width = 300;        // inside, left to right
tray_depth = 220;        // inside, front to back
tray_wall = 35;          // height of the wall over the felt: dice must not jump out
wall = 4;                // thickness of walls and floor
felt = 2;                // thickness of what lies on the floor; dark, matt, without a pattern
rim = 12;                // width of the flat rim, for the four marks that `calibrate --marks` prints
lens_height = 330;       // from felt to lens: `python scripts/optics.py` says how much for your camera
camera_hole = 21;        // between the camera board's screws, across (Raspberry Pi modules: 21)
camera_hole_down = 12.5; // and down (Raspberry Pi modules: 12.5)
lens_hole = 14;          // hole for the lens
ring_inner = 60;         // ring light: inner and outer diameter; wider than the lens sees
ring_outer = 120;
buttons = 8;             // 3, 8 or 11
button_hole = 24;        // arcade buttons of 24 mm; 30 for the large ones
tube = 20;               // the mast is a square tube of this width, aluminium or printed
slack = 0.3;             // between parts that slide into each other

// ---- what follows from it -------------------------------------------------------------------------------------------
$fn = 48;
outer_w = tray_width + 2 * (wall + rim);
outer_d = tray_depth + 2 * (wall + rim);
arm = outer_d / 2 + tube / 2 + 14;       // from the mast's middle to the tray's
mast_height = lens_height + 40;
columns = buttons == 3 ? 3 : buttons == 8 ? 8 : 8;
pitch = button_hole + 12;
box_w = columns * pitch + 20;
box_d = buttons == 11 ? 2 * pitch + 40 : pitch + 60;
box_h = 45;

module rounded(w, d, h, r = 6) {
    linear_extrude(h) offset(r) offset(-r) square([w, d], center = true);
}

// A tray that is printed in two halves or glued from plywood; the rim is flat so that marks lie in one plane.
module tray() {
    difference() {
        union() {
            rounded(tray_width + 2 * wall, tray_depth + 2 * wall, wall + felt + tray_wall);
            translate([0, 0, felt + tray_wall]) rounded(outer_w, outer_d, wall);
        }
        translate([0, 0, wall]) rounded(tray_width, tray_depth, felt + tray_wall + 1, 10);
    }
}

// Stands behind the tray, is screwed to its back wall under the rim, and takes the mast.
module foot() {
    difference() {
        rounded(tube + 24, tube + 24, 60, 4);
        translate([0, 0, 6]) linear_extrude(60) square(tube + slack, center = true);
        for (z = [20, 45]) translate([0, 0, z]) rotate([90, 0, 0]) cylinder(d = 4.3, h = 100, center = true);
    }
    tongue = arm - (tube + 24) / 2 - (tray_depth / 2 + wall);
    difference() {
        translate([0, -(tube + 24) / 2 - tongue / 2, (felt + tray_wall) / 2])
            cube([tube + 24, tongue, felt + tray_wall], center = true);
        for (x = [-14, 14]) translate([x, -(tube + 24) / 2, 18]) rotate([90, 0, 0]) cylinder(d = 4.3, h = 80, center = true);
    }
}

module mast() {
    difference() {
        linear_extrude(mast_height) square(tube, center = true);
        // The cable goes up inside.
        translate([0, 0, -1]) linear_extrude(mast_height + 2) square(tube - 5, center = true);
        for (z = [14, 39, mast_height - 14]) translate([0, 0, z]) rotate([90, 0, 0]) cylinder(d = 4.3, h = 60, center = true);
    }
}

// An arm from the mast to over the tray's middle, with the camera's plate at its end.
module head() {
    plate = camera_hole + 16;
    difference() {
        union() {
            translate([0, -arm / 2, 6]) cube([tube + 8, arm, 12], center = true);
            rounded(tube + 14, tube + 14, 30, 4);
            translate([0, -arm, 0]) rounded(plate, plate, 6, 4);
            translate([0, -arm, 0]) cylinder(d = ring_inner + 12, h = 4);
        }
        translate([0, 0, -1]) linear_extrude(32) square(tube + slack, center = true);
        translate([0, 0, 14]) rotate([90, 0, 0]) cylinder(d = 4.3, h = 60, center = true);
        translate([0, -arm, -1]) cylinder(d = lens_hole, h = 20);
        for (x = [-1, 1], y = [-1, 1])
            translate([x * camera_hole / 2, -arm + y * camera_hole_down / 2, -1]) cylinder(d = 2.2, h = 20);
        for (a = [45 : 90 : 315])
            translate([0, -arm, -1]) rotate(a) translate([ring_inner / 2 + 2, 0, 0]) cylinder(d = 3.3, h = 8);
    }
}

// Carries the LED strip on its inner wall; a diffuser of opal acrylic lies in the groove below.
module ring() {
    difference() {
        cylinder(d = ring_outer, h = 20);
        translate([0, 0, 3]) cylinder(d = ring_outer - 6, h = 20);
        translate([0, 0, -1]) cylinder(d = ring_inner, h = 30);
        translate([0, 0, 17]) cylinder(d = ring_outer - 3, h = 4);
        for (a = [45 : 90 : 315]) rotate(a) translate([ring_inner / 2 + 2, 0, -1]) cylinder(d = 3.3, h = 8);
    }
    difference() {
        cylinder(d = ring_inner + 10, h = 17);
        translate([0, 0, -1]) cylinder(d = ring_inner, h = 30);
        for (a = [45 : 90 : 315]) rotate(a) translate([ring_inner / 2 + 2, 0, -1]) cylinder(d = 3.3, h = 30);
    }
}

function places() = buttons == 11
    ? concat([for (i = [0 : 7]) [(i - 3.5) * pitch, -pitch / 2]], [for (i = [0 : 2]) [(i - 1) * pitch, pitch / 2]])
    : [for (i = [0 : columns - 1]) [(i - (columns - 1) / 2) * pitch, 0]];

module box() {
    difference() {
        rounded(box_w, box_d, box_h);
        translate([0, 0, wall]) rounded(box_w - 2 * wall, box_d - 2 * wall, box_h);
        // cable to the computer, and one for the supply of the lamps
        for (x = [-20, 20]) translate([x, box_d / 2, box_h / 2]) rotate([90, 0, 0]) cylinder(d = 10, h = 30, center = true);
    }
    for (x = [-1, 1], y = [-1, 1]) translate([x * (box_w / 2 - 9), y * (box_d / 2 - 9), 0]) difference() {
        cylinder(d = 10, h = box_h);
        translate([0, 0, box_h - 15]) cylinder(d = 2.8, h = 20);
    }
}

module lid() {
    difference() {
        rounded(box_w, box_d, 3);
        for (p = places()) translate([p[0], p[1], -1]) cylinder(d = button_hole + slack, h = 6);
        for (x = [-1, 1], y = [-1, 1])
            translate([x * (box_w / 2 - 9), y * (box_d / 2 - 9), -1]) cylinder(d = 3.3, h = 6);
    }
}

module all() {
    back = arm;
    color("SaddleBrown") tray();
    color("DarkGreen") translate([0, 0, wall]) rounded(tray_width, tray_depth, felt, 10);
    color("DimGray") translate([0, back, 0]) foot();
    color("Silver") translate([0, back, 6]) mast();
    z = wall + felt + lens_height;
    color("DimGray") translate([0, back, z]) head();
    color("White") translate([0, 0, z]) mirror([0, 0, 1]) ring();
    color("DimGray") translate([0, -outer_d / 2 - box_d / 2 - 15, 0]) box();
    color("Black") translate([0, -outer_d / 2 - box_d / 2 - 15, box_h]) lid();
    for (p = places()) color("Crimson")
        translate([p[0], -outer_d / 2 - box_d / 2 - 15 + p[1], box_h + 3]) cylinder(d = button_hole - 2, h = 6);
    for (d = [[-90, -40, 20], [-20, 30, 50], [60, -50, 10], [90, 50, 70], [10, -70, 35]]) color("Ivory")
        translate([d[0], d[1], wall + felt]) rotate(d[2]) translate([-8, -8, 0]) cube(16);
    // What the camera sees, as four thin rods.
    for (x = [-1, 1], y = [-1, 1]) color("Gold") hull() {
        translate([0, 0, z]) sphere(0.8);
        translate([x * (tray_width / 2 + 15), y * (tray_depth / 2 + 15), wall + felt]) sphere(0.8);
    }
}

if (part == "all") all();
if (part == "tray") tray();
if (part == "foot") foot();
if (part == "mast") mast();
if (part == "head") head();
if (part == "ring") ring();
if (part == "box") box();
if (part == "lid") lid();
