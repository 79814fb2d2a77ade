extends PchrTest

const TAIL := Vector2i(133, 235)  ## A pixel of Kiri's tail, where a single opaque mesh is drawn.
const BLUE := Color(0.2, 0.4, 0.8)

var viewport: SubViewport
var sprite: PchrSprite2D
var drawn := 0


func test_frames_are_drawn_like_the_tool_draws_them() -> void:
	show_kiri(Color("#f4f1ea"))
	sprite.texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
	await save("kiri", "kiri.pchr", ["--clip", "walk", "--frame", "7", "--zoom", "0.5"])


func test_imported_skeletons_are_in_one_piece() -> void:
	for import: Array in [["tako", "tako/tako.json", "play", 40], ["akari", "akari/akari_ske.json", "boo", 20]]:
		show_kiri(Color("#f4f1ea"))
		sprite.character = PchrCharacter.open("res://" + import[1])
		sprite.clip = import[2]
		sprite.frame = import[3]
		sprite.texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
		await save(import[0], import[1], ["--clip", import[2], "--frame", str(import[3]), "--zoom", "0.5"])


func test_texels_of_pixel_art_stay_hard() -> void:
	show_kiri(Color("#f4f1ea"))
	sprite.character = PchrCharacter.open("res://kaeru.aseprite")
	sprite.frame = 0
	sprite.scale = Vector2(5, 5)
	await save("kaeru", "kaeru.aseprite", ["--clip", sprite.clip, "--frame", "0", "--zoom", "5"])
	var hard := await image()
	sprite.texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR
	var colors := count_colors(await image())
	check(colors > 2 * count_colors(hard), "%s colors with a linear filter, %s without" % [colors, count_colors(hard)])
	sprite.texture_filter = CanvasItem.TEXTURE_FILTER_PARENT_NODE
	equal(count_colors(await image()), count_colors(hard), "colors with the default filter again")
	sprite.blend_mode = PchrSprite2D.BLEND_MULTIPLY
	check(count_colors(await image()) <= count_colors(hard), "the filter is not that of a canvas item with a blend mode")


func test_modulate_and_tint_multiply_premultiplied_pixels() -> void:
	show_kiri(Color.BLACK)
	var plain := await pixel()
	check(plain.r > 0.3 and plain.a == 1, "the pixel is %s" % plain)
	var color := Color(1, 0.5, 0.25, 0.5)
	var expected := Color(plain.r * 0.5, plain.g * 0.25, plain.b * 0.125)
	for property: String in ["modulate", "self_modulate", "tint"]:
		sprite.set(property, color)
		near(await pixel(), expected, property)
		sprite.set(property, Color.WHITE)


func test_blend_modes() -> void:
	show_kiri(Color.BLACK)
	var color := await pixel()
	show_kiri(BLUE)
	for alpha: float in [1.0, 0.5]:
		sprite.tint.a = alpha
		var source := color * alpha
		sprite.blend_mode = PchrSprite2D.BLEND_NORMAL
		near(await pixel(), source + BLUE * (1 - alpha), "normal %s" % alpha)
		sprite.blend_mode = PchrSprite2D.BLEND_ADD
		near(await pixel(), (source + BLUE).clamp(), "add %s" % alpha)
		sprite.blend_mode = PchrSprite2D.BLEND_MULTIPLY
		near(await pixel(), BLUE * source + BLUE * (1 - alpha), "multiply %s" % alpha)
		sprite.blend_mode = PchrSprite2D.BLEND_SCREEN
		near(await pixel(), source + BLUE - BLUE * source, "screen %s" % alpha)
	sprite.blend_mode = PchrSprite2D.BLEND_NORMAL
	sprite.tint.a = 1
	near(await pixel(), color, "normal again")


func test_what_a_blend_mode_leaves_transparent_stays_as_it_is() -> void:
	show_kiri(BLUE)
	for mode: PchrSprite2D.BlendMode in [PchrSprite2D.BLEND_ADD, PchrSprite2D.BLEND_MULTIPLY, PchrSprite2D.BLEND_SCREEN]:
		sprite.blend_mode = mode
		near((await image()).get_pixel(5, 5), BLUE, "mode %s" % mode)


func test_dark_tint_and_additive_color() -> void:
	show_kiri(Color.BLACK)
	var color := await pixel()
	var light := Color(0.1, 0.2, 0.6)
	for mode: PchrSprite2D.BlendMode in [PchrSprite2D.BLEND_NORMAL, PchrSprite2D.BLEND_SCREEN]:
		sprite.blend_mode = mode
		sprite.dark_tint = light
		near(await pixel(), color + light * (Color.WHITE - color), "dark tint")
		sprite.dark_tint = Color.BLACK
		sprite.additive_color = light
		near(await pixel(), (color + light).clamp(), "additive color")
		sprite.tint.a = 0.5
		near(await pixel(), (color + light).clamp() * 0.5, "additive color at half opacity")
		sprite.tint.a = 1
		sprite.additive_color = Color.BLACK
		near(await pixel(), color, "neither")


func test_a_material_replaces_that_of_the_node() -> void:
	show_kiri(Color.BLACK)
	sprite.tint = Color.RED
	sprite.additive_color = Color(0, 0.25, 0.5)  # Only the node's material adds it.
	var plain := await pixel()
	var shader := Shader.new()
	shader.code = "shader_type canvas_item; void fragment() { COLOR = vec4(COLOR.r, 0.5, 0.25, 1.0); }"
	var material := ShaderMaterial.new()
	material.shader = shader
	var seen := Color(plain.r, 0.5, 0.25)
	for mode: PchrSprite2D.BlendMode in [PchrSprite2D.BLEND_NORMAL, PchrSprite2D.BLEND_SCREEN]:
		sprite.blend_mode = mode
		sprite.material = material
		near(await pixel(), seen, "own material")
		sprite.material = null
		near(await pixel(), plain, "no material")
	var parent := Node2D.new()
	parent.material = material
	viewport.add_child(parent)
	sprite.reparent(parent)
	sprite.use_parent_material = true
	near(await pixel(), seen, "material of the parent")
	sprite.use_parent_material = false
	near(await pixel(), plain, "no material")


func test_lights_light_it_like_other_nodes() -> void:
	show_kiri(Color.BLACK)
	viewport.get_child(0).light_mask = 0
	var color := await pixel()
	var other := ColorRect.new()
	other.color = color
	other.position = Vector2(380, 380)
	other.size = Vector2(20, 20)
	viewport.add_child(other)
	var light := PointLight2D.new()
	var picture := Image.create_empty(8, 8, false, Image.FORMAT_RGBA8)
	picture.fill(Color.WHITE)
	light.texture = ImageTexture.create_from_image(picture)
	light.texture_scale = 100
	light.position = Vector2(200, 200)
	light.color = Color(0.5, 0.4, 0.3)  # Above 1, what is premultiplied is not cut off.
	viewport.add_child(light)
	var dark := CanvasModulate.new()
	dark.color = Color(0.4, 0.5, 0.6)
	viewport.add_child(dark)
	for blend: Light2D.BlendMode in [Light2D.BLEND_MODE_ADD, Light2D.BLEND_MODE_SUB, Light2D.BLEND_MODE_MIX]:
		light.blend_mode = blend
		for alpha: float in [1.0, 0.5]:
			sprite.tint.a = alpha
			other.color.a = alpha
			var seen := await image()
			near(seen.get_pixelv(TAIL), seen.get_pixel(390, 390), "light %s, alpha %s" % [blend, alpha])
	# What multiplies is not lit a second time.
	light.blend_mode = Light2D.BLEND_MODE_ADD
	sprite.tint.a = 1
	other.color = Color.WHITE
	viewport.get_child(0).light_mask = 1
	viewport.get_child(0).color = Color.WHITE
	sprite.blend_mode = PchrSprite2D.BLEND_MULTIPLY
	var seen := await image()
	near(seen.get_pixelv(TAIL), color * seen.get_pixel(390, 390), "multiply")
	near(seen.get_pixel(5, 5), seen.get_pixel(390, 390), "background")


func test_layers_follow_the_light_mask_and_the_visibility_layer() -> void:
	show_kiri(Color.BLACK)
	var color := await pixel()
	var light := PointLight2D.new()
	var picture := Image.create_empty(8, 8, false, Image.FORMAT_RGBA8)
	picture.fill(Color.WHITE)
	light.texture = ImageTexture.create_from_image(picture)
	light.texture_scale = 100
	light.position = Vector2(200, 200)
	light.blend_mode = Light2D.BLEND_MODE_SUB
	viewport.add_child(light)
	viewport.get_child(0).light_mask = 0
	sprite.blend_mode = PchrSprite2D.BLEND_SCREEN
	near(await pixel(), Color.BLACK, "in the light")
	sprite.light_mask = 2
	near(await pixel(), color, "with another light mask")
	sprite.visibility_layer = 2
	viewport.canvas_cull_mask = 1
	near(await pixel(), Color.BLACK, "on a layer that is not shown")


func test_it_works_in_groups_and_as_a_mask() -> void:
	show_kiri(Color.BLACK)
	var color := await pixel()
	var group := CanvasGroup.new()
	group.self_modulate = Color(1, 1, 1, 0.5)
	viewport.add_child(group)
	sprite.reparent(group)
	near(await pixel(), color * 0.5, "in a group at half opacity")
	sprite.reparent(viewport)
	sprite.clip_children = CanvasItem.CLIP_CHILDREN_ONLY
	var child := ColorRect.new()
	child.color = BLUE
	child.position = Vector2(-1000, -1000)
	child.size = Vector2(2000, 2000)
	sprite.add_child(child)
	near(await pixel(), BLUE, "child inside")
	near((await image()).get_pixel(5, 5), Color.BLACK, "child outside")
	child.hide()
	near(await pixel(), Color.BLACK, "mask")
	sprite.clip_children = CanvasItem.CLIP_CHILDREN_AND_DRAW
	near(await pixel(), color, "mask that is drawn")
	child.show()
	near(await pixel(), BLUE, "child over it")
	sprite.clip_children = CanvasItem.CLIP_CHILDREN_DISABLED
	near((await image()).get_pixel(5, 5), BLUE, "child that is not clipped")


func test_y_sorting_and_z_index_order_all_of_it() -> void:
	show_kiri(Color.BLACK)
	sprite.blend_mode = PchrSprite2D.BLEND_SCREEN
	var color := await pixel()
	var sorted := Node2D.new()
	sorted.y_sort_enabled = true
	viewport.add_child(sorted)
	var cover := ColorRect.new()
	cover.color = BLUE
	cover.position = Vector2(0, 0)
	cover.size = viewport.size
	var holder := Node2D.new()
	holder.add_child(cover)
	sorted.add_child(holder)
	sprite.reparent(sorted)
	near(await pixel(), color + BLUE - color * BLUE, "in front of what is above")
	holder.position.y = 300
	cover.position.y = -300
	near(await pixel(), BLUE, "behind what is below")
	sprite.z_index = 1
	near(await pixel(), color + BLUE - color * BLUE, "with a higher z index")


func test_nothing_is_drawn_off_screen_or_for_a_held_frame() -> void:
	show_kiri(Color.BLACK)
	sprite.rig_enabled = false
	sprite.smooth = true
	sprite.draw.connect(func() -> void: drawn += 1)
	sprite.play()
	await until(func() -> bool: return drawn > 3, "draws while it plays")
	sprite.position = Vector2(5000, 0)
	await until(func() -> bool: return await redraws_in(3) == 0, "stops drawing off screen")
	var time := sprite.time
	await until(func() -> bool: return sprite.time != time, "plays off screen")
	sprite.position = Vector2(200, 200)
	await until(func() -> bool: return await redraws_in(3) > 0, "draws again")
	sprite.smooth = false
	sprite.speed_scale = 0
	await until(func() -> bool: return await redraws_in(3) == 0, "stops drawing a held frame")
	check(sprite.playing, "it does not play")
	sprite.speed_scale = 1
	await until(func() -> bool: return await redraws_in(3) > 0, "draws the next frame")


func until(condition: Callable, what: String) -> void:
	for i in 600:
		if await condition.call():
			return
		await process_frame
	check(false, "it never " + what)


func redraws_in(frames: int) -> int:
	var before := drawn
	for i in frames:
		await process_frame
	return drawn - before


## Shows frame 7 of Kiri's walk in `sprite`, in the middle of `viewport`.
func show_kiri(background: Color) -> void:
	if viewport:
		viewport.free()
	viewport = SubViewport.new()
	viewport.size = Vector2i(400, 400)
	viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	var rect := ColorRect.new()
	rect.color = background
	rect.size = viewport.size
	viewport.add_child(rect)
	sprite = PchrSprite2D.new()
	sprite.character = PchrCharacter.open("res://kiri.pchr")
	sprite.clip = "walk"
	sprite.smooth = false
	sprite.frame = 7
	sprite.scale = Vector2(0.5, 0.5)
	sprite.position = Vector2(200, 200)
	viewport.add_child(sprite)
	root.add_child(viewport)


func image() -> Image:
	await process_frame
	await RenderingServer.frame_post_draw
	return viewport.get_texture().get_image()


func pixel() -> Color:
	return (await image()).get_pixelv(TAIL)


func near(found: Color, expected: Color, what: String) -> void:
	for i in 3:
		check(absf(found[i] - expected[i]) <= 3 / 255.0, "%s: the pixel is %s, but %s was expected" % [what, found, expected])


func count_colors(picture: Image) -> int:
	var colors := {}
	for y in picture.get_height():
		for x in picture.get_width():
			colors[picture.get_pixel(x, y)] = true
	return colors.size()


## Saves the image for a comparison with what the tool renders.
func save(name: String, character: String, arguments: Array[String]) -> void:
	(await image()).save_png(folder.path_join(name + ".png"))
	var all := [character] + arguments + ["--size", "400x400", "--center", "0,0", "--background", "#f4f1ea"]
	FileAccess.open(folder.path_join(name + ".txt"), FileAccess.WRITE).store_string("\n".join(all))
