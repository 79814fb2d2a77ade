extends PchrTest
## Draws each sample character as the tool does, under different transforms.

const SIZE := Vector2i(320, 320)

## Image pixels per unit.
const FILES: Dictionary[String, float] = {
	"akari/akari_ske.json": 0.5,
	"corners.pchr": 0.5,
	"hotaru.px": 4.0,
	"kaeru.aseprite": 4.0,
	"kiri.pchr": 0.4,
	"konpei/konpei.chp": 1.0,
	"quad.pchr": 6.0,
	"tako/tako.skel": 0.75,
}
## What is done to the node, and to the image to undo it.
const LOOKS: Array[String] = ["plain", "flip_h", "flip_v", "mirrored", "turned"]

var viewport := SubViewport.new()
var sprite: PchrSprite2D


func test_all_characters_are_drawn_like_the_tool_draws_them() -> void:
	viewport.size = SIZE
	viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	var background := ColorRect.new()
	background.color = Color("#f4f1ea")
	background.size = SIZE
	viewport.add_child(background)
	root.add_child(viewport)
	var look := 0
	for file in FILES:
		var character := PchrCharacter.open("res://" + file)
		if sprite:
			sprite.free()
		sprite = PchrSprite2D.new()
		sprite.character = character
		sprite.rig_enabled = false
		sprite.smooth = false
		sprite.texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
		viewport.add_child(sprite)
		# What the import loses is not the subject here.
		var converted := folder.path_join(file.get_file().get_basename() + ".pchr")
		FileAccess.open(converted, FileAccess.WRITE).store_buffer(character.data)
		for clip in character.get_clips().slice(-2):
			look += 1
			await save(converted, FILES[file], clip, look * 7 % character.clip_frames(clip), LOOKS[look % LOOKS.size()])


func save(file: String, scale: float, clip: String, frame: int, look: String) -> void:
	sprite.clip = clip
	sprite.frame = frame
	sprite.flip_h = look == "flip_h"
	sprite.flip_v = look == "flip_v"
	sprite.position = SIZE / 2
	sprite.scale = Vector2(-scale if look == "mirrored" else scale, scale)
	sprite.rotation = PI / 2 if look == "turned" else 0.0
	await process_frame
	await RenderingServer.frame_post_draw
	var image := viewport.get_texture().get_image()
	if look == "flip_h" or look == "mirrored":
		image.flip_x()
	elif look == "flip_v":
		image.flip_y()
	elif look == "turned":
		image.rotate_90(COUNTERCLOCKWISE)
	var name := folder.path_join("%s_%s_%s" % [file.get_file().get_basename(), clip, look])
	image.save_png(name + ".png")
	FileAccess.open(name + ".txt", FileAccess.WRITE).store_string("\n".join([file, "--clip", clip, "--frame",
			str(frame), "--zoom", str(scale), "--size", "320x320", "--center", "0,0", "--background", "#f4f1ea"]))
