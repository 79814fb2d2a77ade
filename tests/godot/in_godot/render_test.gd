# expects: PchrCharacter.render\(\): the size is 0 x 64, but both must be 1 to 1024
# expects: PchrCharacter.render\(\): the character has no frame 30 of a clip "walk"
# expects: PchrCharacter.render\(\): the character has no frame 0 of a clip "fly"
extends PchrTest

var kiri := PchrCharacter.open("res://kiri.pchr")


func test_a_frame_fills_its_image() -> void:
	var image: Image = kiri.render("walk", 7, 96, 128)
	equal(image.get_size(), Vector2i(96, 128), "size")
	var used := image.get_used_rect()
	check(used.size.y > 90 and used.size.x > 30, "the used part of the image is %s" % used)
	equal(image.get_pixel(0, 0).a, 0.0, "opacity of a corner")
	image.save_png(folder.path_join("render.png"))


func test_frames_differ() -> void:
	var first: Image = kiri.render("walk", 0, 32, 32)
	var later: Image = kiri.render("walk", 15, 32, 32)
	check(first.get_data() != later.get_data(), "frames 0 and 15 are the same")


func test_without_a_clip_it_is_the_bind_pose() -> void:
	var image: Image = kiri.render("", 0, 32, 32)
	check(not image.is_invisible(), "the image is empty")


func test_pixel_art_keeps_its_pixels() -> void:
	var kaeru := PchrCharacter.open("res://kaeru.aseprite")
	var bounds := kaeru.get_bounds(kaeru.get_clips()[0])
	var image: Image = kaeru.render(kaeru.get_clips()[0], 0, int(bounds.size.x) * 4, int(bounds.size.y) * 4)
	for y in image.get_height():
		for x in image.get_width():
			var block := Vector2i(x - x % 4, y - y % 4)
			if image.get_pixel(x, y) != image.get_pixelv(block):
				check(false, "pixel %d, %d is not like the rest of its block" % [x, y])
				return


func test_wrong_arguments_are_errors() -> void:
	equal(kiri.render("walk", 0, 0, 64), null, "image without width")
	equal(kiri.render("walk", 30, 64, 64), null, "image after the last frame")
	equal(kiri.render("fly", 0, 64, 64), null, "image of a clip that does not exist")
