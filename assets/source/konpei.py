# SPDX-License-Identifier: MIT
"""Konpei, a Pomyu character: her animations as text, and the images next to it."""

from konpei_poses import POSES
from konpei_sheet import BACKGROUND, BANNER, EFFECT, EFFECT_AT, HEIGHT, SMALL, SMALL_AT, WIDTH, cell, images
from image_file import encode_bmp, encode_indexed_png

MIRRORED = ("point_up", "point_down", "kick", "sway_up", "tease")
# Positions of images, in pixels from the upper left corner of the character.
PLACES = {
    "A0": (0, 0, WIDTH, HEIGHT, "where she stands"), "A1": (0, -4, WIDTH, HEIGHT, "a small hop"),
    "A2": (0, -16, WIDTH, HEIGHT, "a jump"), "A3": (-4, 8, WIDTH + 8, HEIGHT - 8, "landing: wide and low"),
    "A4": (-3, 0, WIDTH, HEIGHT, "a shiver"), "A5": (3, 0, WIDTH, HEIGHT, "and back"),
    "B0": (4, 150, 20, 20, "effects: from low at the left"), "B1": (-22, 20, 52, 52, "to high"),
    "B2": (143, 150, 20, 20, "at the right"), "B3": (137, 16, 52, 52, ""),
    "B4": (60, 40, 40, 40, "from the middle"), "B5": (66, -44, 28, 28, "up"),
    "B6": (-20, 78, 40, 40, "around the head: left"), "B7": (134, 78, 40, 40, "right"),
    "B8": (64, 16, 28, 28, "behind"), "B9": (52, 50, 48, 48, "before"),
    "BA": (38, 238, 80, 28, "a ring on the floor"), "BB": (-40, 212, 236, 80, "growing"),
    "BC": (96, 96, 32, 32, "a blow"), "BD": (64, 64, 96, 96, ""),
    "BE": (20, 224, 48, 48, "dust: left"), "BF": (-16, 216, 56, 56, ""),
    "C0": (6, 70, 36, 36, "small images: at the left"), "C1": (0, 24, 36, 36, ""),
    "C2": (128, 60, 36, 36, "at the right"), "C3": (131, 14, 36, 36, ""),
    "C4": (54, 6, 48, 48, "over the head"), "C5": (54, 22, 48, 48, "")}


class Sheet:
    """Assigns numbers to images and positions, and the lines that define them."""

    def __init__(self):
        self.numbers, self.lines = {"-": "--"}, []
        self.define(0x00, "name", *BANNER)
        self.define(0x01, "background", *BACKGROUND, WIDTH, HEIGHT)
        for number, name in enumerate(POSES, 0x10):
            self.define(number, name, *cell(list(POSES).index(name)), WIDTH, HEIGHT)
        for number, name in enumerate(MIRRORED, 0x30):
            x, y = cell(list(POSES).index(name))
            self.define(number, name + "_mirrored", x + WIDTH, y, -WIDTH, HEIGHT)
        for number, (name, position) in enumerate(SMALL_AT.items(), 0x40):
            self.define(number, name, *position, SMALL, SMALL)
        for number, (name, position) in enumerate(EFFECT_AT.items(), 0x50):
            self.define(number, "effect_" + name, *position, EFFECT, EFFECT)
        for number, place in PLACES.items():
            self.lines.append("#" + number + "".join(f"\t{value}" for value in place[:4])
                              + (f"\t// {place[4]}" if place[4] else ""))

    def define(self, number, name, *rect):
        self.numbers[name] = f"{number:02X}"
        self.lines.append(f"#{number:02X}" + "".join(f"\t{value}" for value in rect) + f"\t// {name}")

    def frames(self, text):
        """'step_left*2 -*3 clap_open' as numbers, with dashes for a tween; words that name no image stay as they are."""
        parts = []
        for word in text.split():
            name, _, times = word.partition("*")
            parts.append(self.numbers.get(name, name) * int(times or 1))
        return "".join(parts)


HEADER = """\
// Konpei dances. Drawn and written by assets/source/konpei.py of pchr; MIT license.
#CharName\tKonpei こんぺい
#Artist\tpchr
#CharBMP\tkonpei.png
#CharBMP2P\tkonpei_2p.png
#CharTex\tkonpei_effects.png
#CharFace\tkonpei_face.png
#CharFace2P\tkonpei_face_2p.png
#SelectCG\tkonpei_icon.bmp
#SelectCG2P\tkonpei_icon_2p.bmp
#Anime\t100
#Size\t167\t271
#Wait\t2
#Data\t16
"""

HOP = "A0 - A1 - A0 - A1 A0"
LEFT_STAR = ("B0 -*6 B1", "FF*4 -*3 00", "00 -*6 60")
RIGHT_STAR = ("B2 -*6 B3", "FF*4 -*3 00", "60 -*6 00")

# Number, name, milliseconds per frame, the frame that repetitions start at, and its lines: the command that draws, its
# frames and its other columns.
ANIMATIONS = (
    (1, "neutral", 110, None, (
        ("Patern", "step_left*2 step_mid*2 step_right*2 step_mid step_low", HOP),)),
    (2, "second: the song goes well", 110, None, (
        ("Patern", "clap_open*2 clap_shut*2 clap_open*2 clap_shut*2", HOP),
        ("Layer", "note*8", "C0 -*6 C1"))),
    (3, "ojama: she is on the rival's side", 100, None, (
        ("Patern", "tease*4 tease_mirrored*4", HOP),
        ("Texture", "effect_rose*8", *LEFT_STAR),
        ("Texture", "effect_sky*8", *RIGHT_STAR))),
    (4, "miss", 90, None, (
        ("Patern", "startled*3 flinch*5", "A1 A2 A0*2 A4 A5 A4 A0"),
        ("Layer", "sweat*8", "C2 -*6 C2"))),
    (5, "standing: before the song", 120, None, (
        ("Patern", "wave_in wave_out*2 wave_in wave_out*2 wave_in victory*5"),
        ("Texture", "effect_sparkle*12", "B7 -*10 B7", "00 -*6 FF -*3 00", "00 -*10 80"))),
    (6, "fever", 80, None, (
        ("Patern", "crouch*2 leap*2 star*4 leap crouch*3", "A0*2 A1 -*2 A2 -*2 A0 A3 - A0"),
        ("Texture", "effect_ring*12", "BA -*10 BB", "FF -*10 00"),
        ("Texture", "effect_lemon*12", "B0 -*10 B1", "FF*6 -*5 00", "00 -*10 C0"),
        ("Texture", "effect_rose*12", "B2 -*10 B3", "FF*6 -*5 00", "C0 -*10 00"),
        ("Texture", "effect_mint*12", "B4 -*10 B5", "00 -*4 FF -*5 00", "00 -*10 80"))),
    (7, "great", 80, None, (
        ("Patern", "clap_shut fist_up*4 victory*4", "A0 A1 - A2 - A0*4"),
        ("Texture", "effect_lemon*9", "B4 -*7 B5", "FF*5 -*3 00", "00 -*7 80"),
        ("Texture", "effect_sparkle*9", "B6 -*7 B6", "00 -*3 FF -*3 00", "00 -*7 40"))),
    (8, "good", 90, None, (
        ("Patern", "step_low thumb*6 step_mid", "A0 A1 A0*6"),
        ("Texture", "effect_sparkle*8", "B7 -*6 B7", "00 -*2 FF -*3 00", "00 -*6 40"))),
    (9, "the rival errs", 100, None, (
        ("Patern", "giggle*8", "A0 A1 A0 A1 A0 A1 A0*2"),)),
    (10, "the rival has fever", 90, None, (
        ("Patern", "startled*8", "A2 A0 A4 A5 A4 A5 A4 A0"),
        ("Layer", "sweat*8", "C3 -*5 C2*2"))),
    (11, "the rival is great", 100, None, (
        ("Patern", "tease*3 flinch*3 step_low*2"),)),
    (12, "the rival is good", 100, None, (
        ("Patern", "tease*6 step_mid"),)),
    (14, "dance", 120, 4, (
        ("Patern", "step_low*2 clap_open clap_shut point_up*2 point_down*2 point_up*2 point_down*2 cross step_low"
         " sway_up*2 cross sway_up_mirrored*2 kick*2 step_low kick_mirrored*2 cross point_up_mirrored*2"
         " point_down_mirrored*2 victory*2 step_mid",
         "A0*4 A1 - A0 - A1 - A0 - A0*2 A1 - A0 A1 - A1*2 A0 A1*2 A0 A1 - A0*2 A1 - A0"),
        ("Layer", "F0*4 note*28", "F0*4 C0 -*6 C1 C2 -*6 C3 C0 -*6 C1 C2 -*2 C3"),
        ("Texture", "effect_sparkle*32", "B6 -*14 B8 -*15 B7", "00 -*14 FF -*15 00", "00 -*30 FF"))),
    (15, "win", 100, 4, (
        ("Patern", "crouch leap*2 step_low victory*4 wave_in wave_out*2 wave_in", "A0 A1 A2 A3 A0 - A1 - A0*4"),
        ("Texture", "effect_mint*12", "B0 -*10 B1", "FF*6 -*5 00", "00 -*10 80"),
        ("Layer", "F0*4 heart*8", "F0*4 C2 -*6 C3"))),
    (16, "lose", 130, 3, (
        ("Patern", "startled flinch*2 droop*6 sob*6", "A0*9 A4 A5 A4 A5 A4 A0"),
        ("Layer", "F0*3 gloom*12", "F0*3 C4 -*10 C5"))),
    (17, "win in fever", 80, 5, (
        ("Patern", "crouch*2 leap star*2 leap crouch sway_up*2 star*2 sway_up_mirrored*2",
         "A0 A3 A1 - A2 - A3 A0 A1 - A2 - A0"),
        ("Texture", "effect_ring*13", "BA -*11 BB", "FF -*11 00"),
        ("Texture", "effect_lemon*13", "B0 -*11 B1", "FF*7 -*5 00", "00 -*11 FF"),
        ("Texture", "effect_sky*13", "B2 -*11 B3", "FF*7 -*5 00", "FF -*11 00"),
        ("Layer", "heart*13", "C2 -*11 C3"))),
    (18, "attacked", 90, 4, (
        ("Patern", "flinch*4 dizzy*8", "A4 A5 A4 A5 A4 -*2 A5 -*3 A4"),
        ("Texture", "effect_bolt*4 F0*8", "BC -*2 BD*9", "FF*3 00*9"),
        ("Texture", "F0*4 effect_lemon*8", "F0*4 B6 - B8 - B7 - B9 B6", "FF*12", "00 -*10 FF"),
        ("Texture", "F0*4 effect_rose*8", "F0*4 B7 - B9 - B6 - B8 B7", "FF*12", "FF -*10 00"),
        ("Texture", "F0*4 effect_puff*8", "F0*4 BE -*6 BF", "00*4 C0 -*6 00"))),
)


def text():
    """The character file."""
    sheet = Sheet()
    lines = [*sheet.lines, "#F0\t0\t0\t0\t0\t// nothing", ""]
    for number, title, frame_ms, loop, timelines in ANIMATIONS:
        lines += [f"// {title}", f"#Flame\t{number}\t{frame_ms}"]
        lines += [f"#Loop\t{number}\t{loop}"] if loop else []
        lines += ["\t".join([f"#{kind}", str(number), *map(sheet.frames, columns)]) for kind, *columns in timelines]
    return HEADER + "\n".join(lines) + "\n"


def build():
    """All files of the character by name."""
    files = {"konpei.chp": text().encode()}
    for name, pixels in images().items():
        files[name] = encode_bmp(pixels) if name.endswith(".bmp") else encode_indexed_png(pixels, 128)
    return files
