# expects: PchrCrowd2D.clips has 2 elements, but there are 1 instances
# expects: PchrCrowd2D: there is no instance 7, only 1
# expects: PchrCrowd2D.play\(\): the character has no clip "fly"
extends PchrTest

var kiri := PchrCharacter.open("res://kiri.pchr")


func crowd(positions: PackedVector2Array) -> PchrCrowd2D:
	var made := PchrCrowd2D.new()
	made.character = kiri
	made.clip = "walk"
	made.positions = positions
	root.add_child(made)
	return made


func test_positions_make_instances() -> void:
	var made := crowd([Vector2(10, 20), Vector2(30, 40)])
	equal(made.get_instance_count(), 2, "number of instances")
	equal(made.transforms, [Transform2D(0, Vector2(10, 20)), Transform2D(0, Vector2(30, 40))], "transforms")
	equal(made.clips, PackedInt32Array([-1, -1]), "clips")
	equal(made.speeds, PackedFloat32Array([1, 1]), "speeds")
	made.positions = PackedVector2Array()
	equal(made.get_instance_count(), 0, "number of instances")
	made.free()


func test_instances_are_added_changed_and_removed() -> void:
	var made := crowd([Vector2.ZERO])
	made.playing = false
	made.time = 3
	equal(made.add_instance(Transform2D(0, Vector2(5, 0)), "jump"), 1, "index")
	equal(made.clips[1], kiri.get_clips().find("jump"), "clip")
	equal(made.phases[1], -3.0, "phase")
	made.set_instance_speed(1, 0.5)
	equal(made.phases[1], -1.5, "phase")
	made.set_instance_tint(1, Color.RED)
	made.set_instance_transform(0, Transform2D(0, Vector2(7, 7)))
	equal(made.tints, PackedColorArray([Color.WHITE, Color.RED]), "tints")
	made.remove_instance(0)
	equal(made.get_instance_count(), 1, "number of instances")
	equal(made.get_instance_transform(0).origin, Vector2(5, 0), "position")
	made.free()


func test_time_passes_while_it_plays() -> void:
	var made := crowd([Vector2.ZERO])
	while made.time == 0.0:
		await process_frame
	made.playing = false
	var held := made.time
	await process_frame
	equal(made.time, held, "time while it does not play")
	made.free()


func test_the_rectangle_has_all_instances() -> void:
	var made := crowd([Vector2(100, 0)])
	var one := kiri.get_bounds("walk")
	check(made.get_rect().grow(1).encloses(Rect2(one.position + Vector2(100, 0), one.size)),
			"the rectangle is %s" % made.get_rect())
	check(made.get_rect().size.x < one.size.x * 1.1, "the rectangle is %s" % made.get_rect())
	made.positions = [Vector2(100, 0), Vector2(1100, 0)]
	check(made.get_rect().size.x > 1000, "the rectangle is %s" % made.get_rect())
	made.positions = []
	equal(made.get_rect(), Rect2(), "rectangle of no instances")
	made.free()


func test_a_scene_keeps_the_bind_pose() -> void:
	var made := crowd([Vector2.ZERO])
	made.clip = ""
	var packed := PackedScene.new()
	packed.pack(made)
	var copy: PchrCrowd2D = packed.instantiate()
	equal(copy.clip, "", "clip")
	made.free()
	copy.free()


func test_a_scene_keeps_its_properties() -> void:
	var made := crowd([Vector2(1, 2), Vector2(3, 4)])
	made.smooth = false
	made.playing = false
	made.speed_scale = 2
	made.clips = [3, -1]
	made.phases = [0.5, 0.25]
	made.speeds = [1.5, 0.5]
	made.tints = [Color.RED, Color(0, 1, 0, 0.5)]
	var packed := PackedScene.new()
	packed.pack(made)
	var copy: PchrCrowd2D = packed.instantiate()
	for property: String in ["character", "clip", "smooth", "playing", "speed_scale", "transforms", "clips", "phases",
			"speeds", "tints"]:
		equal(copy.get(property), made.get(property), property)
	made.free()
	copy.free()


func test_a_new_version_of_the_character_is_drawn() -> void:
	var changing := PchrCharacter.open("res://kiri.pchr")
	var made := crowd([Vector2.ZERO])
	made.character = changing
	made.playing = false
	await process_frame
	var before := made.get_rect()
	var drawn: Array[bool] = []
	made.draw.connect(func() -> void: drawn.append(true))
	changing.data = PchrCharacter.open("res://kaeru.aseprite").data
	check(made.get_rect().size.y < before.size.y / 2, "the rectangle is %s" % made.get_rect())
	while drawn.is_empty():
		await process_frame
	made.character = null
	await process_frame
	made.free()


func test_what_does_not_exist_is_an_error() -> void:
	var made := crowd([Vector2.ZERO])
	made.clips = [1, 2]
	made.set_instance_speed(7, 2)
	made.play(0, "fly")
	made.free()
