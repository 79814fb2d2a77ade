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
