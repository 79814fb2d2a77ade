extends PchrTest

const SIZE := Vector2i(480, 400)
const LOOPING: Array[String] = ["idle", "walk", "run", "hop"]


func drawn(nodes: Array[Node2D], look := Callable()) -> Image:
	var viewport := SubViewport.new()
	viewport.size = SIZE
	viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	var background := ColorRect.new()
	background.color = Color("#f4f1ea")
	background.size = SIZE
	viewport.add_child(background)
	for node in nodes:
		viewport.add_child(node)
	root.add_child(viewport)
	await RenderingServer.frame_post_draw
	for node in nodes:
		if node is PchrCrowd2D:
			(node as PchrCrowd2D).time += 0.25
	await process_frame
	await RenderingServer.frame_post_draw
	if look.is_valid():
		look.call(viewport.get_viewport_rid())
	var image := viewport.get_texture().get_image()
	viewport.free()
	return image


func same(sprites: Image, crowd: Image, name: String) -> void:
	sprites.save_png(folder.path_join(name + "_sprites.png"))
	crowd.save_png(folder.path_join(name + "_crowd.png"))
	var expected := sprites.get_data()
	var found := crowd.get_data()
	equal(found.size(), expected.size(), "size of the image")
	var wrong := 0
	for i in expected.size():
		if absi(expected[i] - found[i]) > 3:
			wrong += 1
	check(expected.count(expected[0]) < expected.size() / 4, "%s: nothing was drawn" % name)
	# An edge can move by a rounding error, and with it pixels that are inside of it or not.
	check(wrong < 40, "%s: %d values differ by more than 3" % [name, wrong])


## Draws the same instances as sprites and as a crowd whose time is `now`. Each is a clip, a time, a transform and a
## tint. They are added when their clips begin.
func compare(character: PchrCharacter, smooth: bool, instances: Array[Array], name: String, now := 0.0,
		filter := CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS) -> void:
	var sprites: Array[Node2D] = []
	var crowd := PchrCrowd2D.new()
	crowd.character = character
	crowd.smooth = smooth
	crowd.playing = false
	crowd.modulate = Color(0.9, 1, 0.8, 0.95)
	crowd.texture_filter = filter
	var tints := PackedColorArray()
	for instance in instances:
		var sprite := PchrSprite2D.new()
		sprite.character = character
		sprite.smooth = smooth
		sprite.clip = instance[0]
		sprite.time = fmod(instance[1], character.clip_seconds(instance[0])) if instance[0] in LOOPING else instance[1]
		sprite.transform = instance[2]
		sprite.tint = instance[3]
		sprite.modulate = crowd.modulate
		sprite.texture_filter = crowd.texture_filter
		sprites.append(sprite)
		crowd.time = now - instance[1]
		crowd.add_instance(instance[2], instance[0])
		tints.append(instance[3])
	crowd.tints = tints
	crowd.time = now - 0.25
	same(await drawn(sprites), await drawn([crowd]), name)


func test_instances_look_like_sprites() -> void:
	var kiri := PchrCharacter.open("res://kiri.pchr")
	kiri.rig = ""  # A crowd has no springs.
	var instances: Array[Array] = []
	var clips := kiri.get_clips()
	for i in 12:
		var transform := Transform2D(i * 0.2, Vector2(-0.3 if i % 3 == 0 else 0.3, 0.3), 0.0,
				Vector2(60 + i % 4 * 120, 80 + i / 4 * 120))
		var tint := Color(1, 1 - i * 0.05, 0.5 + i * 0.04, 1.0 - i % 2 * 0.3)
		instances.append([clips[i % clips.size()], 0.083 * i, transform, tint])
	await compare(kiri, true, instances, "smooth")
	await compare(kiri, false, instances, "held")


func test_loops_and_ends_are_the_same() -> void:
	var kiri := PchrCharacter.open("res://kiri.pchr")
	kiri.rig = ""
	var instances: Array[Array] = []
	for clip in kiri.get_clips():
		for time: float in [1.01, 0.995, 7.3]:
			var i := instances.size()
			var origin := Vector2(30 + i % 8 * 60, 60 + i / 8 * 90)
			instances.append([clip, kiri.clip_seconds(clip) * time, Transform2D(0, Vector2(0.2, 0.2), 0, origin),
					Color.WHITE])
	await compare(kiri, true, instances, "loops")
	await compare(kiri, true, instances, "after_a_day", 86400.0)
	# Half precision would show the frame before.
	await compare(kiri, false, [["wave", 62.0 / 30 + 0.0001, Transform2D(0, Vector2(200, 300)), Color.WHITE]], "frame_62")


func test_phases_and_speeds_are_those_of_sprites() -> void:
	var kiri := PchrCharacter.open("res://kiri.pchr")
	kiri.rig = ""
	var crowd := PchrCrowd2D.new()
	crowd.character = kiri
	crowd.clip = "walk"
	crowd.playing = false
	crowd.positions = [Vector2(100, 300), Vector2(240, 300), Vector2(380, 300)]
	crowd.phases = [0.125, 0.5, -0.25]
	crowd.speeds = [1.0, 2.0, 0.5]
	var sprites: Array[Node2D] = []
	for i in 3:
		var sprite := PchrSprite2D.new()
		sprite.character = kiri
		sprite.clip = "walk"
		sprite.position = crowd.positions[i]
		sprite.time = fposmod(crowd.phases[i] + 0.25 * crowd.speeds[i], 1.0)
		sprites.append(sprite)
	same(await drawn(sprites), await drawn([crowd]), "phases")


const SHADER := """shader_type canvas_item;
render_mode blend_premul_alpha;
%s
#include "res://addons/pchr/crowd.gdshaderinc"
void vertex() {
	PCHR_VERTEX
}
void fragment() {
	COLOR = PCHR_PIXEL;
	COLOR.rgb *= %s;
}
"""


func test_a_material_of_the_user_is_used() -> void:
	for path: String in ["kiri.pchr", "kaeru.aseprite"]:
		var images: Array[Image] = []
		for factor: String in ["", "1.0", "0.0"]:
			var crowd := PchrCrowd2D.new()
			crowd.character = PchrCharacter.open("res://" + path)
			crowd.clip = crowd.character.get_clips()[-1]
			crowd.playing = false
			var size := Vector2.ONE * 600 / crowd.character.get_bounds().size.y
			crowd.transforms = [Transform2D(0, size, 0, Vector2(300, 380)), Transform2D(0, size / 2, 0, Vector2(90, 380))]
			crowd.texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
			var material := ShaderMaterial.new()
			material.shader = Shader.new()
			material.shader.code = SHADER % ["#define PCHR_IMAGES" if path.begins_with("kaeru") else "", factor]
			if factor:
				crowd.material = material
			images.append(await drawn([crowd]))
		same(images[0], images[1], path.get_basename() + "_material")
		images[2].save_png(folder.path_join(path.get_basename() + "_black.png"))
		var background := images[0].get_pixel(0, 0)
		for y in SIZE.y:
			for x in SIZE.x:
				var color := images[2].get_pixel(x, y)
				if color.r > background.r + 0.01:
					return check(false, "pixel %d, %d is %s with a black material" % [x, y, color])
		check(images[2].get_data() != images[0].get_data(), "%s: the material is not used" % path)


func test_a_crowd_is_one_call_in_view_and_none_out_of_view() -> void:
	var calls: Array[int] = []
	for origin: Vector2 in [Vector2(200, 300), Vector2(5000, 300), Vector2(200, 750), Vector2(200, 850)]:
		var crowd := PchrCrowd2D.new()
		crowd.character = PchrCharacter.open("res://kiri.pchr")
		var positions := PackedVector2Array()
		for i in 100:
			positions.append(origin + Vector2(i, 0))
		crowd.positions = positions
		crowd.clip = "jump"  # Its frames reach 126 pixels above the bind pose.
		await drawn([crowd], func(viewport: RID) -> void:
			calls.append(RenderingServer.viewport_get_render_info(viewport,
					RenderingServer.VIEWPORT_RENDER_INFO_TYPE_CANVAS,
					RenderingServer.VIEWPORT_RENDER_INFO_DRAW_CALLS_IN_FRAME)))
	equal(calls.map(func(count: int) -> int: return count - calls[1]), [1, 0, 1, 0], "calls for crowds")


func test_pixel_art_with_two_images() -> void:
	var kaeru := PchrCharacter.open("res://kaeru.aseprite")
	var instances: Array[Array] = []
	for i in 16:
		instances.append([kaeru.get_clips()[i % kaeru.get_clips().size()], 0.07 * i,
				Transform2D(0, Vector2(2, 2), 0, Vector2(60 + i % 4 * 120, 80 + i / 4 * 100)), Color.WHITE])
	await compare(kaeru, false, instances, "kaeru_linear")
	await compare(kaeru, false, instances, "kaeru", 0.0, CanvasItem.TEXTURE_FILTER_PARENT_NODE)

