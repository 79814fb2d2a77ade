# expects: PchrSkin.hidden_meshes: the character has no mesh "wing", only tail, scarf
# expects: PchrSkin.textures: a texture is empty
# expects: PchrSkin.textures: a texture is no Texture2D
extends PchrTest

var kiri := PchrCharacter.open("res://kiri.pchr")
var point := Vector2.ZERO  ## A place of the head.


func sprite() -> PchrSprite2D:
	var made := PchrSprite2D.new()
	made.character = kiri
	made.clip = "bind"
	root.add_child(made)
	point = made.get_bone_transform("hood").translated_local(Vector2(0, -60)).origin
	return made


func test_hidden_meshes_are_not_hit() -> void:
	var made := sprite()
	var mesh := made.hit_test(point)
	check(mesh != "", "nothing is at %s" % point)
	var skin := PchrSkin.new()
	skin.hidden_meshes = [mesh]
	made.skin = skin
	check(made.hit_test(point) != mesh, "%s is not hidden" % mesh)
	skin.hidden_meshes = []
	equal(made.hit_test(point), mesh, "mesh after it is shown again")
	made.free()


func test_a_texture_replaces_that_of_a_mesh() -> void:
	var made := sprite()
	var mesh := made.hit_test(point)
	var skin := PchrSkin.new()
	skin.textures = {mesh: ImageTexture.create_from_image(Image.create_empty(4, 4, false, Image.FORMAT_RGB8))}
	made.skin = skin
	equal(made.hit_test(point), mesh, "mesh with an opaque texture")
	skin.textures = {mesh: ImageTexture.create_from_image(Image.create_empty(4, 4, false, Image.FORMAT_RGBA8))}
	check(made.hit_test(point) != mesh, "%s is not transparent" % mesh)
	await process_frame
	made.free()


func test_wrong_parts_are_errors() -> void:
	var made := sprite()
	var skin := PchrSkin.new()
	skin.hidden_meshes = ["wing"]
	skin.textures = {"tail": null}
	made.skin = skin
	made.hit_test(point)
	var node := Node.new()
	for wrong: Variant in [node, Resource.new(), Image.new(), 5, "tail"]:
		skin.textures = {"tail": wrong}
		made.hit_test(point)
	node.free()
	skin.textures = {"tail": node}
	made.hit_test(point)
	skin.tints = {"tail": "red", "scarf": node, "head": null}
	check(made.hit_test(point) != "", "nothing is at %s" % point)
	made.free()


func test_dictionaries_cannot_be_changed_unnoticed() -> void:
	var skin := PchrSkin.new()
	var tints := {"tail": Color.RED}
	skin.tints = tints
	tints["scarf"] = Color.BLUE
	equal(skin.tints, {"tail": Color.RED}, "tints")
	check(skin.tints.is_read_only() and skin.textures.is_read_only(), "the dictionaries can be changed")


func test_a_saved_skin_is_the_same() -> void:
	var skin := PchrSkin.new()
	skin.hidden_meshes = ["tail"]
	skin.tints = {"scarf": Color.RED}
	var path := folder.path_join("skin.tres")
	equal(ResourceSaver.save(skin, path), OK, "result of saving")
	var loaded: PchrSkin = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	equal(loaded.hidden_meshes, skin.hidden_meshes, "hidden meshes")
	equal(loaded.tints, skin.tints, "tints")
