#!/usr/bin/env python3
"""Plots the CSV of the program `scaling` as an SVG with one panel per dimension, both axes logarithmic.

    scaling | plot_scaling.py FILE.svg

Prints the exponent of each line's last decade: 1 is linear, and 0 does not depend on the size.
"""
import collections
import csv
import math
import sys

COLORS = ["#1b6ca8", "#c8553d", "#4c9f70", "#8d6a9f", "#b8860b", "#555555"]
WIDTH, HEIGHT, LEFT, TOP, GAP = 330, 260, 48, 34, 130

if len(sys.argv) != 2:
    sys.exit(__doc__)
panels = collections.defaultdict(lambda: collections.defaultdict(list))
for row in csv.DictReader(sys.stdin):
    panels[row["dimension"]][row["work"]].append((float(row["size"]), float(row["cycles"])))
names = list(dict.fromkeys(work for lines in panels.values() for work in lines))

svg = []


def text(x, y, content, color="#333333", anchor="start"):
    svg.append(f'<text x="{x:.0f}" y="{y:.0f}" fill="{color}" text-anchor="{anchor}">{content}</text>')


def line(points, color, style=""):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    svg.append(f'<polyline points="{path}" fill="none" stroke="{color}" {style}/>')


def exponent(points):
    """Returns the slope between the last size and one that is at least ten times smaller."""
    size, cycles = points[-1]
    before = [point for point in points if point[0] <= size / 10][-1]
    return math.log(cycles / before[1]) / math.log(size / before[0])


def power_of_ten(number):
    return f"{10 ** number:,}" if number < 5 else f'10<tspan dy="-4" font-size="8">{number}</tspan>'


def panel(dimension, lines, left, top):
    sizes = [size for points in lines.values() for size, _ in points]
    cycles = [cycle for points in lines.values() for _, cycle in points]
    x_low, x_high = math.log10(min(sizes)), math.log10(max(sizes))
    y_low, y_high = math.floor(math.log10(min(cycles))), math.ceil(math.log10(max(cycles)))

    def place(size, cycle):
        return (left + (math.log10(size) - x_low) / (x_high - x_low) * WIDTH,
                top + (y_high - math.log10(cycle)) / (y_high - y_low) * HEIGHT)

    text(left, top - 12, f"cycles by {dimension}")
    for power in range(y_low, y_high + 1):
        y = place(min(sizes), 10.0 ** power)[1]
        line([(left, y), (left + WIDTH, y)], "#dddddd")
        text(left - 6, y + 4, power_of_ten(power), anchor="end")
    for power in range(math.ceil(x_low), math.floor(x_high) + 1):
        x = place(10.0 ** power, 10.0 ** y_low)[0]
        line([(x, top), (x, top + HEIGHT)], "#dddddd")
        text(x, top + HEIGHT + 16, power_of_ten(power), anchor="middle")
    # What a linear cost looks like.
    size = max(sizes) / 10 ** (y_high - y_low) if y_high - y_low < x_high - x_low else min(sizes)
    start = 10.0 ** y_low
    line([place(size, start), place(max(sizes), start * max(sizes) / size)], "#999999", 'stroke-dasharray="3 4"')
    labels = sorted(lines, key=lambda work: -lines[work][-1][1])
    y_label = -math.inf
    for work in labels:
        color = COLORS[names.index(work) % len(COLORS)]
        points = [place(*point) for point in lines[work]]
        line(points, color, 'stroke-width="1.8"')
        y_label = max(points[-1][1] + 4, y_label + 13)
        text(left + WIDTH + 6, y_label, f"{work} (n<tspan dy='-4' font-size='8'>{exponent(lines[work]):.2f}</tspan>"
             "<tspan dy='4'>)</tspan>", color)


for number, (dimension, lines) in enumerate(panels.items()):
    column, row = number % 2, number // 2
    panel(dimension, lines, LEFT + column * (WIDTH + GAP + LEFT), TOP + row * (HEIGHT + TOP + 34))
    for work, points in lines.items():
        print(f"{dimension:12} {work:12} n^{exponent(points):.2f}")
rows = (len(panels) + 1) // 2
width, height = 2 * (WIDTH + GAP + LEFT), rows * (HEIGHT + TOP + 34)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
               f'height="{height}" font-family="sans-serif" font-size="11">\n'
               f'<rect width="{width}" height="{height}" fill="white"/>\n' + "\n".join(svg) + "\n</svg>\n")
