extends PchrTest


func test_a_skin_tints_and_replaces_a_mesh() -> void:
	var color := Color(1, 0.5, 0.25, 0.5)
	var plain := await pixel(PchrSkin.new())
	var skin := PchrSkin.new()
	skin.tints = {"tail": color}
	near(await pixel(skin), Color(plain.r * 0.5, plain.g * 0.25, plain.b * 0.125), "with a tint")
	skin.tints = {"head": color}
	near(await pixel(skin), plain, "with a tint of another mesh")
	var image := Image.create_empty(4, 4, false, Image.FORMAT_RGBA8)
	image.fill(color)
	skin.textures = {"tail": ImageTexture.create_from_image(image)}
	near(await pixel(skin), Color(0.5, 0.25, 0.125), "with a texture")
	skin.hidden_meshes = ["tail"]
	near(await pixel(skin), Color.BLACK, "without the mesh")


func test_a_skin_is_that_of_several_characters() -> void:
	var image := Image.create_empty(4, 4, false, Image.FORMAT_RGBA8)
	image.fill(Color.BLUE)
	var skin := PchrSkin.new()
	skin.textures = {"tail": ImageTexture.create_from_image(image)}
	var drawn: Array[SubViewport] = [view(skin), view(skin)]
	await process_frame
	await RenderingServer.frame_post_draw
	for i in 2:
		near(pixel_of(drawn[i]), Color.BLUE, "in viewport %d" % i)
		drawn[i].free()


func near(found: Color, expected: Color, what: String) -> void:
	for i in 3:
		check(absf(found[i] - expected[i]) <= 3 / 255.0, "%s the pixel is %s, not %s" % [what, found, expected])


func pixel(skin: PchrSkin) -> Color:
	var viewport := view(skin)
	await process_frame
	await RenderingServer.frame_post_draw
	var seen := pixel_of(viewport)
	viewport.free()
	return seen


## Returns a pixel of Kiri's tail, where a single mesh is drawn.
func pixel_of(viewport: SubViewport) -> Color:
	return viewport.get_texture().get_image().get_pixel(133, 235)


## Draws Kiri over black.
func view(skin: PchrSkin) -> SubViewport:
	var viewport := SubViewport.new()
	viewport.size = Vector2i(400, 400)
	viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	var background := ColorRect.new()
	background.color = Color.BLACK
	background.size = viewport.size
	viewport.add_child(background)
	var made := PchrSprite2D.new()
	made.character = PchrCharacter.open("res://kiri.pchr")
	made.skin = skin
	made.clip = "walk"
	made.scale = Vector2(0.5, 0.5)
	made.position = Vector2(200, 200)
	made.frame = 7
	viewport.add_child(made)
	root.add_child(viewport)
	return viewport
