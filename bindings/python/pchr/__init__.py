# SPDX-License-Identifier: MIT
"""Loads, animates and draws Pachario characters.

Lengths are in pixels with y up, angles in degrees counter-clockwise, times in seconds. Parts of a character are numbers
from 0, or names. A transform is an array of three rows: the images of the x axis and the y axis, and the translation.

Arrays show the library's memory and keep it alive. Those of a character cannot be changed. Those of a pose always show
its current values; those of a draw stream keep showing what they showed first.
"""
from ._pchr import (Animator, Bone, Canvas, Character, Clip, Diagnostic, DrawStream, Event, Hit, Image, LoadError, Mesh,
                    Play, Pose, Skin, encode_png, load, placement)

__all__ = ["Animator", "Bone", "Canvas", "Character", "Clip", "Diagnostic", "DrawStream", "Event", "Hit", "Image",
           "LoadError", "Mesh", "Play", "Pose", "Skin", "encode_png", "load", "placement"]
