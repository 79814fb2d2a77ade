# expects: was freed or unreferenced while a signal is being emitted from it
# expects: PchrSprite2D.play\(\): the character has no clip "fly"
# expects: PchrSprite2D.set_clip\(\): the character has no clip "swim", only bind, idle, walk, wave, jump, run
extends PchrTest

var kiri := PchrCharacter.open("res://kiri.pchr")


func sprite() -> PchrSprite2D:
	var made := PchrSprite2D.new()
	made.character = kiri
	root.add_child(made)
	return made


func test_the_first_clip_that_is_not_the_bind_pose_is_the_default() -> void:
	var made := sprite()
	equal(made.clip, "idle", "clip")
	equal(made.playing, false, "playing")
	made.free()


func test_undoing_another_character_restores_the_clip() -> void:
	var made := sprite()
	made.clip = "jump"
	made.character = PchrCharacter.open("res://tako/tako.json")
	equal(made.clip, "drift", "clip")
	made.character = PchrCharacter.open("res://kaeru.aseprite")
	made.character = kiri
	equal(made.clip, "jump", "clip after undoing")
	made.character = PchrCharacter.open("res://tako/tako.json")
	made.play("drift")
	made.character = kiri
	equal(made.clip, "idle", "clip after one that the other character has")
	made.free()


func test_the_inspector_lists_the_clips() -> void:
	var made := sprite()
	for property in made.get_property_list():
		if property.name == "clip":
			equal(property.hint, PROPERTY_HINT_ENUM, "hint")
			equal(property.hint_string, ",".join(kiri.get_clips()), "hint string")
	made.free()


func test_the_inspector_accepts_names_with_commas() -> void:
	var changed := PchrCharacter.new()
	var data := PchrCharacter.open("res://kiri.pchr").data
	changed.data = data.hex_encode().replace("walk".to_utf8_buffer().hex_encode(), "wa,k".to_utf8_buffer().hex_encode()).hex_decode()
	check("wa,k" in changed.get_clips(), "the clips are %s" % [changed.get_clips()])
	var made := sprite()
	made.character = changed
	for property in made.get_property_list():
		if property.name == "clip":
			equal(property.hint, PROPERTY_HINT_ENUM_SUGGESTION, "hint")
			equal(property.hint_string, "bind,idle,wave,jump,run", "hint string")
	made.free()


func test_numbers_that_are_none_do_no_harm() -> void:
	var made := sprite()
	made.play("walk")
	for wrong: float in [NAN, INF, -INF, 1e300]:
		made.speed_scale = wrong
		made.advance(0.1)
		made.speed_scale = 1
		made.seek(wrong)
		made.advance(wrong)
		made.crossfade("idle", wrong)
		made.advance(0.1)
		made.play_layer(1, "wave", wrong, PchrSprite2D.LOOP_ONCE, wrong)
		made.advance(0.1)
		made.set_layer_weight(1, wrong)
		made.set_layer(1, wrong)
		made.set_bone_rotation("head", wrong)
		made.set_bone_position("head", Vector2(wrong, wrong))
		made.wind = Vector2(wrong, wrong)
		made.advance(0.1)
		made.hit_test(Vector2(wrong, wrong))
		check(is_finite(made.time) and made.get_bounds().is_finite(), "%f is in the pose" % wrong)
		made.stop_layer(1)
		made.wind = Vector2.ZERO
		made.clear_bone()
		made.play("walk")
		made.seek(0.25)
		made.advance(0.1)
		equal(made.time, 0.35, "time after %f" % wrong)
	made.free()


func test_a_game_adds_no_nodes() -> void:
	var made := sprite()
	made.play("walk")
	await made.draw
	await process_frame
	equal(made.get_child_count(true), 0, "number of children")
	made.free()


func test_time_passes_while_it_plays() -> void:
	var made := sprite()
	made.play("walk")
	while made.time == 0.0:
		await process_frame
	made.pause()
	var paused := made.time
	await process_frame
	await process_frame
	equal(made.time, paused, "time while paused")
	made.stop()
	equal(made.time, 0.0, "time after stop()")
	made.free()


func test_time_and_frame_can_be_set() -> void:
	var made := sprite()
	made.clip = "walk"
	made.frame = 15
	equal(made.frame, 15, "frame")
	equal(made.time, 0.5, "time")
	made.time = 0.2
	equal(made.frame, 6, "frame")
	made.free()


func test_times_and_frames_beyond_a_clip_are_its_ends() -> void:
	var made := sprite()
	for clip: String in ["walk", "jump"]:  # One loops, and one does not.
		made.clip = clip
		made.smooth = false
		var last := kiri.clip_frames(clip) - 1
		for ended: bool in [false, true]:
			if ended:
				made.loop = PchrSprite2D.LOOP_ONCE
				made.play(clip)
				made.advance(100)
			for frame: int in [last + 1, 100000, 0x100000003]:
				made.frame = 0
				made.frame = frame
				equal(made.frame, last, "%s: frame after %d" % [clip, frame])
			made.frame = last
			var pose := made.get_bone_transform("near_hand")
			made.frame = 100000
			equal(made.get_bone_transform("near_hand"), pose, "%s: hand" % clip)
			made.frame = -1
			equal(made.frame, 0, "%s: frame after -1" % clip)
			made.time = 1e6
			var loops := clip == "walk" and not ended  # Its end is its start.
			equal(made.time, 0.0 if loops else kiri.clip_seconds(clip), "%s: time after 1e6" % clip)
			equal(made.frame, 0 if loops else last, "%s: frame after 1e6 s" % clip)
			made.time = -1
			equal(made.time, 0.0, "%s: time after -1" % clip)
	made.free()


func test_a_clip_that_plays_goes_on() -> void:
	var made := sprite()
	made.play("walk")
	made.advance(0.5)
	made.play("walk")
	made.crossfade("walk")
	equal(made.time, 0.5, "time after play() of the same clip")
	made.pause()
	made.play()
	equal(made.time, 0.5, "time after pause() and play()")
	equal(made.playing, true, "playing after pause() and play()")
	made.play("idle")
	equal(made.time, 0.0, "time after play() of another clip")
	made.free()


func test_a_clip_that_ends_says_so_once() -> void:
	var made := sprite()
	var ended: Array[StringName] = []
	made.clip_finished.connect(func(clip: StringName) -> void: ended.append(clip))
	made.loop = PchrSprite2D.LOOP_ONCE
	made.speed_scale = 20
	made.play("walk")
	while made.playing:
		await process_frame
	equal(ended, [&"walk"] as Array[StringName], "clips that ended")
	equal(made.frame, 29, "last frame")
	made.free()


func test_a_node_can_be_freed_when_its_clip_ends() -> void:
	var made := sprite()
	made.clip_finished.connect(func(_clip: StringName) -> void: made.queue_free())
	made.loop = PchrSprite2D.LOOP_ONCE
	made.play("walk")
	while is_instance_valid(made):
		await process_frame


func test_the_parent_can_be_freed_when_clips_start() -> void:
	var parent := Node2D.new()
	root.add_child(parent)
	var made := sprite()
	made.reparent(parent)
	made.clip_started.connect(func(_clip: StringName) -> void: parent.free())
	made.play("walk")
	made.play_layer(1, "wave")
	while is_instance_valid(made):
		await process_frame


func test_the_character_can_change_when_clips_start() -> void:
	var made := sprite()
	var other := PchrCharacter.open("res://kaeru.aseprite")
	made.clip_started.connect(func(_clip: StringName) -> void: made.character = other)
	made.play("walk")
	made.play_layer(1, "wave")
	while made.character == kiri:
		await process_frame
	await process_frame
	equal(made.clip, "idle", "clip")
	made.free()


func test_only_characters_are_accepted() -> void:
	var made := sprite()
	var node := Node.new()
	for wrong: Variant in [node, GradientTexture2D.new(), PchrSkin.new(), 5, "kiri"]:
		made.set("character", wrong)
		equal(made.character, kiri, "character after %s" % wrong)
		made.set("skin", wrong if not wrong is PchrSkin else kiri)
		equal(made.skin, null, "skin after %s" % wrong)
	node.free()
	made.set("character", node)
	equal(made.character, kiri, "character after a freed node")
	made.free()


func test_threads_make_nodes_of_one_character() -> void:
	var threads: Array[Thread] = []
	for i in 8:
		threads.append(Thread.new())
		threads[i].start(_make_nodes)
	for thread in threads:
		thread.wait_to_finish()
	kiri.pixel_art = false  # Draws the nodes again that are left.


func _make_nodes() -> void:
	var all: Array[PchrSprite2D] = []
	for i in 2000:
		all.append(PchrSprite2D.new())
		all[i].character = kiri
		all[i].play("walk")
		all[i].advance(0.1)
	for made in all:
		made.free()


func test_a_clip_that_does_not_exist_is_an_error() -> void:
	var made := sprite()
	made.play("fly")
	equal(made.clip, "idle", "clip")
	made.clip = "swim"
	made.free()


func test_pausing_the_tree_holds_it() -> void:
	var made := sprite()
	made.play("walk")
	paused = true
	await process_frame
	var before := made.time
	await process_frame
	equal(made.time, before, "time while the tree is paused")
	paused = false
	made.free()


func test_a_scene_keeps_the_bind_pose() -> void:
	var made := sprite()
	made.clip = ""
	var packed := PackedScene.new()
	packed.pack(made)
	var copy: PchrSprite2D = packed.instantiate()
	equal(copy.clip, "", "clip")
	made.free()
	copy.free()


func test_a_scene_keeps_its_properties() -> void:
	var made := sprite()
	made.clip = "walk"
	made.speed_scale = 0.5
	made.loop = PchrSprite2D.LOOP_PING_PONG
	made.smooth = false
	made.flip_h = true
	made.tint = Color(1, 0.5, 0, 0.5)
	var packed := PackedScene.new()
	packed.pack(made)
	var copy: PchrSprite2D = packed.instantiate()
	for property: String in ["character", "clip", "speed_scale", "loop", "smooth", "flip_h", "tint"]:
		equal(copy.get(property), made.get(property), property)
	made.free()
	copy.free()


func test_the_rectangle_follows_the_flips() -> void:
	var made := sprite()
	made.clip = "walk"
	equal(made.get_rect(), kiri.get_bounds("walk"), "rectangle")
	made.flip_h = true
	made.offset = Vector2(10, 0)
	equal(made.get_rect().end.x, 10 - kiri.get_bounds("walk").position.x, "right side")
	made.free()


func test_a_new_version_of_the_character_is_drawn() -> void:
	var changing := PchrCharacter.open("res://kiri.pchr")
	changing.rig = ""
	var made := sprite()
	made.character = changing
	made.play("walk")
	made.pause()
	await process_frame
	changing.data = PchrCharacter.open("res://kaeru.aseprite").data
	await made.draw
	await process_frame
	equal(made.frame, 0, "frame of a clip that is gone")
	made.free()


func test_a_node_without_a_character_shows_nothing() -> void:
	var made := sprite()
	made.play("walk")
	made.character = PchrCharacter.new()
	equal(made.get_rect(), Rect2(), "rectangle without data")
	await process_frame
	made.character = null
	await process_frame
	equal(made.time, 0.0, "time")
	made.free()
