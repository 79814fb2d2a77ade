# expects: main\.tscn: error E\d\d\d
# expects: (?m)hata\.gltf: error E171: .* turns around another axis than z \(line 1, column 1\)$
# expects: res://kiri\.rig\.json: error E\d\d\d
# expects: saved\.rig\.json: error E\d\d\d
# expects: PchrCharacter.open\(\): bind_frame is nan, but it must be 0 or more
# expects: PchrCharacter.open\(\): bind_frame is -1.000000, but it must be 0 or more
# expects: PchrCharacter.open\(\): frames_per_second is inf, but it must be 0 or more
extends PchrTest


func test_a_character_tells_what_it_has() -> void:
	var kiri := PchrCharacter.open("res://kiri.pchr")
	check("walk" in kiri.get_clips(), "Kiri has no clip walk")
	check("head" in kiri.get_bones(), "Kiri has no bone head")
	check(not kiri.get_meshes().is_empty(), "Kiri has no meshes")
	equal(kiri.clip_frames("walk"), 30, "number of frames")
	equal(kiri.clip_seconds("walk"), 1.0, "duration")
	equal(kiri.clip_frames("fly"), 0, "number of frames of a clip that does not exist")
	var bounds := kiri.get_bounds("walk")
	check(bounds.has_point(Vector2(0, -200)) and bounds.size.y < 700, "the bounds of walk are %s" % bounds)
	check(kiri.get_bounds().encloses(bounds), "the bounds of all clips are %s" % kiri.get_bounds())
	check(kiri.get_texture(0) is Texture2D, "image 0 has no texture")
	equal(kiri.get_texture(99), null, "texture of an image that does not exist")


func test_other_formats_become_v1() -> void:
	var kaeru := PchrCharacter.open("res://kaeru.aseprite")
	check(not kaeru.get_clips().is_empty(), "Kaeru has no clips")
	equal(kaeru.data.slice(0, 4).get_string_from_ascii(), "PCHR", "first bytes")


func test_imports_keep_their_bind_pose() -> void:
	for path: String in ["res://tako/tako.json", "res://akari/akari_ske.json"]:
		var made := PchrCharacter.open(path)
		equal(made.get_clips()[0], "bind", "first clip of %s" % path)
		var sprite := PchrSprite2D.new()
		sprite.character = made
		equal(sprite.clip, String(made.get_clips()[1]), "clip that a node shows of %s" % path)
		sprite.free()


func test_imports_keep_their_markers() -> void:
	for import: Array in [["res://tako/tako.json", "play", "toss"], ["res://akari/akari_ske.json", "boo", "boo"]]:
		var sprite := PchrSprite2D.new()
		sprite.character = PchrCharacter.open(import[0])
		var told: Array[String] = []
		sprite.marker.connect(func(name: StringName, _clip: StringName, _frame: int) -> void: told.append(name))
		sprite.play(import[1])
		sprite.advance(0.9)
		equal(told, [import[2]] as Array[String], "markers of %s" % import[0])
		sprite.free()


func test_a_rig_file_keeps_the_markers_of_the_character() -> void:
	for name: String in DirAccess.get_files_at("res://tako"):
		DirAccess.copy_absolute("res://tako".path_join(name), folder.path_join(name))
	write(folder.path_join("tako.rig.json"), '{"springs": [{"bones": "face"}]}')
	var tako := PchrCharacter.open(folder.path_join("tako.json"))
	check(tako.rig.contains("toss") and tako.rig.contains("springs"), "the rig is %s" % tako.rig)


func test_parts_without_opacity_are_hidden() -> void:
	for name: String in DirAccess.get_files_at("res://tako"):
		DirAccess.copy_absolute("res://tako".path_join(name), folder.path_join(name))
	var path := folder.path_join("tako.json")
	var file: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(path))
	for color: String in ["ffffff00", "ffffffff"]:
		var slots := {}
		for slot: Dictionary in file.slots:
			slots[slot.name] = {"rgba": [{"color": color}]}
		file.animations.drift.slots = slots
		write(path, JSON.stringify(file))
		var is_empty := not PchrCharacter.open(path).get_bounds("drift").has_area()
		equal(is_empty, color.ends_with("00"), "whether nothing shows with %s" % color)


func test_the_bind_pose_can_be_chosen() -> void:
	var kiri := PchrCharacter.open("res://kiri.pchr")
	var walk := bone_in(kiri, "walk", 7)
	check(bone_in(kiri, "bind", 0) != walk, "frame 7 of walk is the bind pose")
	var chosen := PchrCharacter.open("res://kiri.pchr", {"bind_clip": "walk", "bind_frame": 7})
	equal(bone_in(chosen, "bind", 0), walk, "hand in the bind pose of the options")
	var path := folder.path_join("kiri.pchr")
	DirAccess.copy_absolute("res://kiri.pchr", path)
	var bind := '{"bind": {"clip": "walk", "frame": 7}, "springs": [{"bones": "tail_1"}]}'
	write(folder.path_join("kiri.rig.json"), bind)
	chosen = PchrCharacter.open(path)
	equal(bone_in(chosen, "bind", 0), walk, "hand in the bind pose of the rig file")
	check(chosen.rig.contains("tail_1"), "the rig is %s" % chosen.rig)
	equal(PchrCharacter.open("res://kiri.pchr", {"bind_clip": "bind"}).data, kiri.data, "data with the pose it has")


func write(path: String, text: String) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()


func bone_in(character: PchrCharacter, clip: String, frame: int) -> Transform2D:
	var sprite := PchrSprite2D.new()
	sprite.character = character
	sprite.rig_enabled = false
	sprite.smooth = false
	sprite.clip = clip
	sprite.frame = frame
	var found := sprite.get_bone_transform("near_hand")
	sprite.free()
	return found


func test_warnings_of_a_kind_are_one() -> void:
	var konpei := PchrCharacter.open("res://konpei/konpei.chp")
	var kinds := {}
	for warning in konpei.get_warnings():
		var id := warning.get_slice("warning ", 1).get_slice(":", 0)
		check(id.length() == 4 and id not in kinds, "not the first of its kind: %s" % warning)
		kinds[id] = warning
	check("W305" in kinds and kinds["W305"].contains(" more like it"), "the warnings are %s" % [kinds])


func test_side_files_are_found() -> void:
	var tako := PchrCharacter.open("res://tako/tako.json")
	check(tako != null and "play" in tako.get_clips(), "Tako did not load")


func test_images_are_found_whatever_the_case_of_their_names() -> void:
	for file in DirAccess.get_files_at("res://konpei"):
		if not file.ends_with(".import"):
			var name := file if file.ends_with(".chp") else file.to_upper()
			DirAccess.copy_absolute("res://konpei".path_join(file), folder.path_join(name))
	var konpei := PchrCharacter.open(folder.path_join("konpei.chp"))
	for warning in konpei.get_warnings():
		check(warning.begins_with(folder.path_join("konpei.chp")), "a warning does not name the file: %s" % warning)
		check(not warning.contains("W227"), "an image was not found: %s" % warning)
	var image := folder.path_join("KONPEI.PNG")
	check(image in konpei.get_files(), "the files are %s" % [konpei.get_files()])


func test_a_wrong_file_is_null_and_an_error() -> void:
	equal(PchrCharacter.open("res://main.tscn"), null, "a scene as a character")
	equal(PchrCharacter.open("res://hata.gltf"), null, "a 3D file as a character")


func test_errors_of_rigs_name_their_files() -> void:
	var kiri := PchrCharacter.open("res://kiri.pchr")
	kiri.rig = "[]"
	ResourceSaver.save(kiri, folder.path_join("saved.res"))
	var sprite := PchrSprite2D.new()
	for character: PchrCharacter in [kiri, load(folder.path_join("saved.res"))]:
		sprite.character = character
		sprite.advance(0)
	sprite.free()


func test_wrong_options_are_errors() -> void:
	for options: Dictionary in [{"bind_frame": NAN}, {"bind_frame": -1}, {"frames_per_second": INF}]:
		equal(PchrCharacter.open("res://kiri.pchr", options), null, "character with %s" % options)


func test_a_saved_resource_is_the_same() -> void:
	var kiri := PchrCharacter.open("res://kiri.pchr")
	var path := folder.path_join("kiri.res")
	equal(ResourceSaver.save(kiri, path), OK, "result of saving")
	var loaded: PchrCharacter = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	equal(loaded.get_clips(), kiri.get_clips(), "clips")
	equal(loaded.rig, kiri.rig, "rig")
	check(loaded.rig.contains("springs"), "the rig was not loaded")
