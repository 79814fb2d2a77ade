# expects: wrong\.pchr: error E\d\d\d
# expects: Error importing 'res://wrong\.pchr'
# expects: Failed loading resource: res://wrong\.pchr
# expects: W\d\d\d
@tool
extends EditorPlugin
## Imports characters, and imports them again when they change.

const Importer := preload("res://addons/pchr/importer.gd")
const Menu := preload("res://addons/pchr/menu.gd")
const Thumbnails := preload("res://addons/pchr/thumbnails.gd")

var count := 0
var files := EditorInterface.get_resource_filesystem()


func _enter_tree() -> void:
	_run.call_deferred()


func check(condition: bool, message: String) -> void:
	if not condition:
		print("FAILED: ", message)


func scan() -> void:
	while files.is_scanning():
		await get_tree().process_frame
	files.scan()
	await files.filesystem_changed


func plugin() -> EditorPlugin:
	for child in get_parent().get_children():
		if child.has_method("import_outdated"):
			return child
	return null


func _run() -> void:
	while files.is_scanning():
		await get_tree().process_frame
	for method in get_method_list():
		var name: String = method.name
		if name.begins_with("test_"):
			print(name)
			await call(name)
			count += 1
	print("Ran %d tests" % count)
	get_tree().quit()


func test_files_of_characters_are_resources() -> void:
	for path: String in ["kiri.pchr", "kaeru.aseprite", "tako/tako.skel"]:
		var character := load("res://" + path) as PchrCharacter
		check(character != null and not character.get_clips().is_empty(), "%s is %s" % [path, character])
	check((load("res://kiri.pchr") as PchrCharacter).rig.contains("springs"), "the rig of Kiri is missing")


func test_other_files_stay_those_of_godot() -> void:
	FileAccess.open("res://notes.json", FileAccess.WRITE).store_string('{"walk": 1}')
	await scan()
	check(load("res://notes.json") is JSON, "notes.json is %s" % load("res://notes.json"))
	check(load("res://tako/tako.json") is JSON, "tako.json is %s" % load("res://tako/tako.json"))
	check(load("res://tako/tako.png") is Texture2D, "tako.png is %s" % load("res://tako/tako.png"))
	check(load("res://hata.gltf") is PackedScene, "hata.gltf is %s" % load("res://hata.gltf"))


func test_a_json_file_is_a_character_if_the_user_says_so() -> void:
	var menu := Menu.new()
	menu.choose(["res://akari/akari_ske.json", "res://akari/akari_tex.png"])
	while not ResourceLoader.exists("res://akari/akari_ske.pchrlink"):
		await get_tree().process_frame
	var akari := load("res://akari/akari_ske.pchrlink") as PchrCharacter
	check(akari != null and not akari.get_clips().is_empty(), "akari_ske.pchrlink is %s" % akari)
	check(load("res://akari/akari_ske.json") is JSON, "akari_ske.json is %s" % load("res://akari/akari_ske.json"))


func test_a_wrong_file_is_an_error_in_the_log() -> void:
	FileAccess.open("res://wrong.pchr", FileAccess.WRITE).store_string("PCHR\u0001")
	await scan()
	check(load("res://wrong.pchr") == null, "wrong.pchr was imported")
	DirAccess.remove_absolute("res://wrong.pchr")
	await scan()


func test_a_change_of_the_rig_imports_again() -> void:
	var kiri: PchrCharacter = load("res://kiri.pchr")
	var changed := kiri.rig + "\n"
	FileAccess.open("res://kiri.rig.json", FileAccess.WRITE).store_string(changed)
	await plugin().import_outdated()
	while kiri.rig != changed:
		await get_tree().process_frame


func test_a_change_of_an_image_imports_again() -> void:
	var akari: PchrCharacter = load("res://akari/akari_ske.pchrlink")
	var before := akari.data
	var path := "res://akari/akari_tex.png"
	var image := Image.new()
	image.load_png_from_buffer(FileAccess.get_file_as_bytes(path))
	image.fill(Color.RED)
	image.save_png(path)
	await plugin().import_outdated()
	while akari.data == before:
		await get_tree().process_frame


func test_nothing_is_imported_again_without_a_change() -> void:
	check(Importer.outdated().is_empty(), "%s are outdated" % Importer.outdated())


func test_thumbnails_show_the_first_clip() -> void:
	var thumbnails := Thumbnails.new()
	check(thumbnails._handles("PchrCharacter") and not thumbnails._handles("Texture2D"), "the wrong types have thumbnails")
	var texture := thumbnails._generate(load("res://akari/akari_ske.pchrlink"), Vector2i(64, 64), {})
	var image := texture.get_image()
	check(image.get_size() == Vector2i(64, 64) and not image.is_invisible(), "the thumbnail is empty")


func test_the_outline_follows_the_node() -> void:
	var sprite := PchrSprite2D.new()
	sprite.character = load("res://kiri.pchr")
	sprite.position = Vector2(100, 50)
	sprite.scale = Vector2(2, 2)
	EditorInterface.get_editor_viewport_2d().add_child(sprite)
	var corners: PackedVector2Array = plugin().call("outline", sprite)
	var view := sprite.get_viewport_transform()
	var expected := view * (Vector2(100, 50) + sprite.get_rect().end * 2)
	check(corners[2].is_equal_approx(expected), "a corner is %s, not %s" % [corners[2], expected])
	sprite.free()


## Clicks with the left mouse button in the 2D view, at a point of the scene.
func click(point: Vector2) -> void:
	var view: Control = EditorInterface.get_base_control().find_children("*", "CanvasItemEditorViewport", true, false)[0]
	for pressed: bool in [true, false]:
		var event := InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_LEFT
		event.pressed = pressed
		event.position = EditorInterface.get_editor_viewport_2d().global_canvas_transform * point
		view.gui_input.emit(event)


func test_a_click_on_a_character_selects_its_node() -> void:
	var scene := Node2D.new()
	scene.name = "Two"
	for offset: float in [0.0, 600.0]:
		var sprite := PchrSprite2D.new()
		sprite.character = load("res://kiri.pchr")
		sprite.position.x = offset
		scene.add_child(sprite)
		sprite.owner = scene
	var packed := PackedScene.new()
	packed.pack(scene)
	scene.free()
	ResourceSaver.save(packed, "res://two.tscn")
	EditorInterface.open_scene_from_path("res://two.tscn")
	while EditorInterface.get_edited_scene_root() == null:
		await get_tree().process_frame
	await get_tree().process_frame
	scene = EditorInterface.get_edited_scene_root()
	for point: Array in [[700, 1], [-100, 0], [1000, -1]]:
		click(Vector2(point[0], 200))
		await get_tree().process_frame
		var expected: Array = [] if point[1] < 0 else [scene.get_child(point[1])]
		var found := EditorInterface.get_selection().get_selected_nodes()
		check(Array(found) == expected, "a click at x = %d selects %s, not %s" % [point[0], found, expected])
	var copy := scene.get_child(0).duplicate()
	check(copy.get_child_count(true) == 0, "a copy has %s" % [copy.get_children(true)])
	copy.free()
	packed.pack(scene)
	check(packed.get_state().get_node_count() == 3, "%d nodes are saved, not 3" % packed.get_state().get_node_count())
	EditorInterface.close_scene()


func test_the_root_of_a_scene_is_saved_alone() -> void:
	var sprite := PchrSprite2D.new()
	sprite.name = "One"
	sprite.character = load("res://kiri.pchr")
	var packed := PackedScene.new()
	packed.pack(sprite)
	sprite.free()
	ResourceSaver.save(packed, "res://one.tscn")
	EditorInterface.open_scene_from_path("res://one.tscn")
	while not EditorInterface.get_edited_scene_root() is PchrSprite2D:
		await get_tree().process_frame
	await get_tree().process_frame
	packed.pack(EditorInterface.get_edited_scene_root())
	check(packed.get_state().get_node_count() == 1, "%d nodes are saved, not 1" % packed.get_state().get_node_count())
	EditorInterface.close_scene()


func test_the_help_shows_the_reference_page() -> void:
	var editor := EditorInterface.get_script_editor()
	editor.goto_help("class_name:PchrSprite2D")
	while true:
		await get_tree().process_frame
		for label: RichTextLabel in editor.find_children("*", "RichTextLabel", true, false):
			var text := label.get_parsed_text()
			if text.begins_with("Class:") and text.contains("PchrSprite2D\nInherits:"):
				check(text.contains("Plays the clips of a character."), "the page has no description")
				return
