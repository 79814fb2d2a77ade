#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks exported animations with Pillow, and with webpinfo, giftext and pngcheck if installed."""
import pathlib
import shutil
import signal
import subprocess
import tempfile

from PIL import Image, ImageChops, ImageStat

from reading import KIRI, KONPEI, OUT, PCHR, check, clip_of, end, frames_of, pchr, same


def over(image, color):
    result = Image.new("RGBA", image.size, color)
    result.alpha_composite(image)
    return result.convert("RGB")


def largest_difference(a, b):
    return max(high for _, high in ImageChops.difference(a, b).getextrema())


def same_images(what, a, b):
    """Checks for equal alpha, and for equal colors of visible pixels."""
    same(f"{what}: frames", len(a), len(b))
    for index, (x, y) in enumerate(zip(a, b)):
        same(f"{what}: size", x.size, y.size)
        same(f"{what}: alpha of {index}", x.getchannel("A").tobytes(), y.getchannel("A").tobytes())
        for color in ("black", "white"):
            same(f"{what}: frame {index} over {color}", over(x, color).tobytes(), over(y, color).tobytes())


def run_if_there(program, *arguments):
    if not shutil.which(program):
        print(f"{program} is not installed")
        return None
    done = subprocess.run([program, *map(str, arguments)], capture_output=True)
    same(f"{program} {' '.join(map(str, arguments))}", done.returncode, 0)
    return done.stdout.decode(errors="replace")


def sequence(folder, *arguments):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pchr("render", *arguments, "-o", folder / "{clip}_{frame:03}.png")
    return sorted(folder.iterdir())


def check_animations(file, clip, size):
    """Compares all formats of one clip with a sequence of PNGs, frame by frame."""
    name = clip["name"]
    options = [file, "--clip", name, "--size", size]
    paths = sequence(OUT / "sequence", *options)
    same(f"{name}: images of a sequence", len(paths), clip["frames"])
    images = [Image.open(path).convert("RGBA") for path in paths]
    middle = clip["frames"] // 2
    pchr("render", *options, "--frame", middle, "-o", OUT / "one.png")
    same(f"{name}: a frame alone", (OUT / "one.png").read_bytes(), paths[middle].read_bytes())
    for kind in ("apng", "webp", "gif"):
        animation = OUT / f"{name}.{kind}"
        pchr("render", *options, "-o", animation)
        first = animation.read_bytes()
        pchr("render", *options, "-o", animation)
        same(f"{animation}: the same bytes twice", animation.read_bytes(), first)
        shown = OUT / f"{name}.png"
        if kind == "apng":
            animation = shutil.copy(animation, shown)
        frames, durations, loop = frames_of(animation)
        same(f"{animation}: loops", loop, 0 if clip["loop"] else (1 if kind != "gif" else None))
        tolerance = {"apng": 0.01, "webp": 1, "gif": 20}[kind]
        if kind != "gif" or clip["frames"] / clip["seconds"] <= 50:
            check(f"{animation}: {sum(durations)} ms", abs(sum(durations) - clip["seconds"] * 1000) <= tolerance)
        if kind == "gif":
            check_gif(animation, frames, images)
        else:
            same_images(str(animation), frames, images)
    run_if_there("webpinfo", "-quiet", OUT / f"{name}.webp")
    run_if_there("giftext", OUT / f"{name}.gif")
    run_if_there("pngcheck", "-q", OUT / f"{name}.png")
    check_raw(options, images)


def check_gif(animation, frames, images):
    same(f"{animation}: frames", len(frames), len(images))
    before = None
    for index, (frame, image) in enumerate(zip(frames, images)):
        same(f"{animation}: alpha of {index}", sorted({0, 255} | set(frame.getchannel("A").getdata())), [0, 255])
        there = image.getchannel("A").point(lambda a: 255 if a >= 128 else 0)
        same(f"{animation}: opaque pixels of {index}", frame.getchannel("A").tobytes(), there.tobytes())
        wrong = ImageStat.Stat(ImageChops.difference(frame.convert("RGB"), image.convert("RGB")), there)
        check(f"{animation}: mean error {wrong.mean} of {index}", max(wrong.mean) < 6)
        if before:
            # Static pixels do not flicker.
            moved = ImageChops.difference(before[1], image).convert("RGBA")
            still = ImageChops.invert(max_of(moved)).point(lambda v: 255 if v == 255 else 0)
            changed = max_of(ImageChops.difference(before[0], frame))
            same(f"{animation}: flicker in {index}", ImageChops.multiply(changed, still).getbbox(), None)
        before = (frame, image)


def max_of(image):
    bands = image.split()
    result = bands[0]
    for band in bands[1:]:
        result = ImageChops.lighter(result, band)
    return result


def check_raw(options, images):
    size = images[0].size
    raw = pchr("render", *options, "--format", "rgba", "-o", "-").stdout
    same("bytes of RGBA", len(raw), size[0] * size[1] * 4 * len(images))
    same("RGBA", raw, b"".join(image.tobytes() for image in images))


def check_y4m():
    stream = pchr("render", KIRI, "--clip", "walk", "--size", "50x40", "--format", "y4m", "--background", "#0000ff",
                  "--frames", "0..4", "-o", "-").stdout
    header, _, rest = stream.partition(b"\n")
    same("Y4M header", header.split()[:4], [b"YUV4MPEG2", b"W50", b"H40", b"F30:1"])
    frame = len(b"FRAME\n") + 50 * 40 * 3
    same("bytes of Y4M", len(rest), 5 * frame)
    # BT.601 blue in the first pixel of each plane.
    planes = rest[len(b"FRAME\n"):frame]
    same("blue", [planes[0], planes[2000], planes[4000]], [41, 240, 110])
    uneven = subprocess.run([PCHR, "render", KONPEI, "--clip", "01_neutral", "--format", "y4m", "-o", "-"],
                            capture_output=True)
    same("uneven frames in Y4M", (uneven.returncode, uneven.stdout), (2, b""))


def check_options():
    walk = clip_of(KIRI, "walk")
    small = [KIRI, "--clip", "walk", "--size", "40x40"]
    for extra, count, seconds in (
        (["--frames", "3..7"], 5, 5 / 30),
        (["--fps", "12"], 12, 1),
        (["--fps", "60", "--smooth"], 60, 1),
        (["--speed", "2"], walk["frames"], 0.5),
        (["--fps", "10", "--speed", "0.5"], 20, 2),
        (["--frames", "3..7", "--fps", "60"], 10, 10 / 60),
    ):
        pchr("render", *small, *extra, "-o", OUT / "options.webp")
        frames, durations, _ = frames_of(OUT / "options.webp")
        check(f"{extra}: {len(frames)} frames", len(frames) == count)
        check(f"{extra}: {sum(durations)} ms", abs(sum(durations) - seconds * 1000) <= 1)
    paths = sequence(OUT / "numbers", *small, "--frames", "3..7")
    same("numbers", [path.name for path in paths], [f"walk_{i:03}.png" for i in range(3, 8)])
    same("written twice", len(sequence(OUT / "twice", *small, "--loops", "2")), 2 * walk["frames"])
    for kind, loops, stored in (("gif", 1, None), ("gif", 3, 2), ("webp", 3, 3), ("apng", 3, 3)):
        pchr("render", *small, "--loops", loops, "-o", OUT / f"loops.{kind}")
        same(f"loops of {kind}", frames_of(shutil.copy(OUT / f"loops.{kind}", OUT / "loops.png"))[2], stored)
    pchr("render", *small, "--quality", "30", "-o", OUT / "lossy.webp")
    pchr("render", *small, "-o", OUT / "lossless.webp")
    check("lossy is smaller", (OUT / "lossy.webp").stat().st_size < (OUT / "lossless.webp").stat().st_size)
    shutil.rmtree(OUT / "all", ignore_errors=True)
    (OUT / "all").mkdir()
    pchr("render", KIRI, "--all-clips", "--size", "32x32", "-o", OUT / "all" / "{file}_{clip}.gif")
    same("all clips", sorted(path.name for path in (OUT / "all").iterdir()),
         ["kiri_idle.gif", "kiri_jump.gif", "kiri_run.gif", "kiri_walk.gif", "kiri_wave.gif"])


def check_matte():
    """Checks that soft edges look as if drawn on the matte color."""
    options = [KIRI, "--clip", "walk", "--size", "160x160", "--frames", "0..2"]
    pchr("render", *options, "--matte", "#20a040", "-o", OUT / "matte.gif")
    pchr("render", *options, "--background", "#20a040", "-o", OUT / "behind.webp")
    for index, (matte, behind) in enumerate(zip(frames_of(OUT / "matte.gif")[0], frames_of(OUT / "behind.webp")[0])):
        wrong = ImageStat.Stat(ImageChops.difference(over(matte, "#20a040"), behind.convert("RGB")))
        check(f"matte: mean error {wrong.mean} of {index}", max(wrong.mean) < 3)
        check("matte: soft edges", 0 in matte.getchannel("A").getdata())


def check_straight_alpha():
    """Checks that a transparent PNG over a color equals rendering on that color."""
    for file, clip in ((KIRI, "walk"), (KONPEI, "05_standing")):
        options = [file, "--clip", clip, "--frame", "1", "--size", "300x300"]
        pchr("render", *options, "-o", OUT / "alpha.png")
        image = Image.open(OUT / "alpha.png")
        for color in ("#000000", "#ffffff", "#3a7bd5"):
            pchr("render", *options, "--background", color, "-o", OUT / "color.png")
            difference = largest_difference(over(image, color), Image.open(OUT / "color.png").convert("RGB"))
            # One of 255, plus one for the rounding of over().
            check(f"{clip} over {color}: {difference} of 255", difference <= 2)


def check_exact_scale():
    """Checks that texels of pixel art are whole pixels at integer scales."""
    options = [KONPEI, "--clip", "01_neutral", "--frame", "0", "--margin", "0"]
    pchr("render", *options, "--scale", "1", "-o", OUT / "1.png")
    pchr("render", *options, "--scale", "2", "-o", OUT / "2.png")
    one, two = Image.open(OUT / "1.png"), Image.open(OUT / "2.png")
    same("twice the size", two.size, (one.size[0] * 2, one.size[1] * 2))
    same("texels are pixels", two.tobytes(), one.resize(two.size, Image.NEAREST).tobytes())


def check_interrupt():
    """Checks that Ctrl-C keeps existing files."""
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        target = pathlib.Path(folder) / "animation.gif"
        target.write_text("precious")
        running = subprocess.Popen([PCHR, "render", KIRI, "--clip", "walk", "--loops", "3", "--fps", "3000", "--size",
                                    "400x400", "--format", "rgba", "-o", str(target)], stderr=subprocess.PIPE)
        while running.poll() is None and not any(p.name.startswith(".pchr.") for p in pathlib.Path(folder).iterdir()):
            pass
        running.send_signal(signal.SIGINT)
        same("output after Ctrl-C", running.communicate()[1], b"")
        same("ended by the signal", running.returncode, -signal.SIGINT)
        same("remaining files", [path.name for path in pathlib.Path(folder).iterdir()], ["animation.gif"])
        same("existing file", target.read_text(), "precious")


def check_closed_pipe():
    running = subprocess.Popen([PCHR, "render", KIRI, "--clip", "walk", "--format", "rgba", "-o", "-"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    running.stdout.read(10)
    running.stdout.close()
    errors = running.stderr.read()
    running.stderr.close()
    same("a closed pipe", (running.wait(), errors), (-signal.SIGPIPE, b""))


check_animations(KIRI, clip_of(KIRI, "walk"), "120x100")
check_animations(KONPEI, clip_of(KONPEI, "05_standing"), "90x110")
check_animations(KIRI, clip_of(KIRI, "jump"), "61x53")
check_y4m()
check_options()
check_matte()
check_straight_alpha()
check_exact_scale()
check_interrupt()
check_closed_pipe()
end()
