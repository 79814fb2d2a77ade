# expects: PchrSprite2D.crossfade\(\): the character has no clip "fly", only bind, idle, walk, wave, jump, run
# expects: PchrSprite2D.queue\(\): the character has no clip "fly", only bind
# expects: PchrSprite2D.play_layer\(\): the character has no clip "fly", only bind
# expects: PchrSprite2D.play_layer\(\): layer is 64, but it must be 1 to 63
# expects: PchrSprite2D.play_layer\(\): loop is 9, but it must be 0 to 3
# expects: PchrSprite2D.set_layer\(\): the character has no mask or bone "wing", only the bones root, hips
# expects: PchrSprite2D.set_layer\(\): the character has no bone "wing", only root, hips
# expects: PchrSprite2D.set_layer\(\): mask must be the name of a mask or bone, an array of bones, or null
# expects: PchrSprite2D.set_layer\(\): the node has no character
# expects: PchrSprite2D.set_target\(\): the rig of the character has no aim or limb "nose"
# expects: PchrSprite2D.get_bone_transform\(\): the character has no bone "wing", only root, hips
# expects: PchrSprite2D.set_root_motion\(\): the character has no bone "wing", only root, hips
extends PchrTest

var kiri := PchrCharacter.open("res://kiri.pchr")
var told: Array[String] = []  ## What signals said, in order.


func sprite(clip: String, rig_enabled := false) -> PchrSprite2D:
	var made := PchrSprite2D.new()
	made.character = kiri
	made.rig_enabled = rig_enabled
	made.play(clip)
	root.add_child(made)
	return made


func listen(made: PchrSprite2D) -> void:
	told.clear()
	made.clip_started.connect(func(clip: StringName) -> void: told.append("started %s" % clip))
	made.clip_looped.connect(func(clip: StringName) -> void: told.append("looped %s" % clip))
	made.clip_finished.connect(func(clip: StringName) -> void: told.append("finished %s" % clip))
	made.marker.connect(
		func(name: StringName, clip: StringName, frame: int) -> void: told.append("%s %s %d" % [name, clip, frame])
	)


func bone(made: PchrSprite2D, name: String) -> Transform2D:
	return made.get_bone_transform(name)


func near(found: Variant, expected: Variant, what: String) -> void:
	check(found.is_equal_approx(expected), "%s is %s, but %s was expected" % [what, found, expected])


func test_events_of_a_step_come_in_order() -> void:
	var made := sprite("walk")
	listen(made)
	made.advance(0.7)
	equal(told, ["started walk", "step walk 0", "step walk 15"] as Array[String], "first events")
	told.clear()
	made.advance(0.4)
	equal(told, ["looped walk", "step walk 0"] as Array[String], "later events")
	made.free()


func test_a_clip_that_was_replaced_before_it_showed_does_not_start() -> void:
	var made := sprite("walk")
	listen(made)
	made.play("idle")
	made.advance(0.1)
	equal(told, ["started idle"] as Array[String], "events")
	made.free()


func test_markers_do_not_need_the_rig() -> void:
	var made := sprite("jump", true)
	made.rig_enabled = false
	listen(made)
	made.advance(0.6)
	check("leap jump 16" in told, "events are %s" % [told])
	made.free()


func test_a_crossfade_shows_both_clips() -> void:
	var before := sprite("idle")
	var after := sprite("walk")
	var made := sprite("idle")
	made.advance(0.4)
	made.crossfade("walk", 0.2)
	equal(made.clip, "walk", "clip")
	made.advance(0.1)
	before.advance(0.5)
	after.advance(0.1)
	near(
		bone(made, "hips").origin,
		(bone(before, "hips").origin + bone(after, "hips").origin) / 2,
		"position halfway",
	)
	made.advance(0.3)
	after.advance(0.3)
	near(bone(made, "head"), bone(after, "head"), "head after the fade")
	for each: PchrSprite2D in [before, after, made]:
		each.free()


func test_a_queued_clip_starts_when_the_clip_ends() -> void:
	var made := sprite("jump")
	listen(made)
	made.queue("walk")
	made.advance(1.9)
	equal(made.clip, "walk", "clip")
	check(absf(made.time - 0.1) < 1e-6, "time is %f" % made.time)
	equal(made.playing, true, "playing")
	var last: Array[String] = ["land jump 33", "finished jump", "started walk", "step walk 0"]
	equal(told, (["started jump", "leap jump 16"] as Array[String]) + last, "events")
	made.free()


func test_a_clip_queued_after_the_end_starts() -> void:
	var made := sprite("jump")
	made.advance(5)
	equal(made.playing, false, "playing after the end")
	made.queue("wave")
	equal(made.playing, true, "playing")
	made.advance(0.1)
	equal(made.clip, "wave", "clip")
	made.free()


func test_a_layer_moves_only_its_mask() -> void:
	for mask: Variant in ["upper body", "near_upper_arm", &"near_forearm", ["near_forearm", "near_hand"]]:
		var walking := sprite("walk")
		var made := sprite("walk")
		made.set_layer(1, 1.0, false, mask)
		made.play_layer(1, "wave")
		equal(made.get_layer_clip(1), "wave", "clip of the layer")
		made.advance(0.8)
		walking.advance(0.8)
		near(bone(made, "near_foot"), bone(walking, "near_foot"), "foot with mask %s" % [mask])
		var moved := bone(made, "near_hand").origin.distance_to(bone(walking, "near_hand").origin)
		check(moved > 1, "the hand moved by %f with mask %s" % [moved, mask])
		made.set_layer_weight(1, 0)
		near(bone(made, "near_hand"), bone(walking, "near_hand"), "hand with mask %s and weight 0" % [mask])
		made.free()
		walking.free()


func test_an_empty_queued_clip_ends_a_layer() -> void:
	var made := sprite("walk")
	made.play_layer(1, "wave", 0.1)
	made.queue_layer(1, "", 0.2)
	made.advance(2.4)
	equal(made.get_layer_clip(1), "wave", "clip of the layer")
	made.advance(0.4)
	equal(made.get_layer_clip(1), "", "clip of the layer after its end")
	made.play_layer(1, "wave")
	made.stop_layer(1)
	equal(made.get_layer_clip(1), "", "clip of the layer after stop_layer()")
	made.free()


func test_an_additive_layer_adds_to_the_clip() -> void:
	var walking := sprite("walk")
	var made := sprite("walk")
	made.set_layer(1, 1.0, true, null, "idle")
	made.play_layer(1, "idle")
	near(bone(made, "head"), bone(walking, "head"), "head at the reference")
	made.advance(0.9)
	walking.advance(0.9)
	var moved := bone(made, "head").origin.distance_to(bone(walking, "head").origin)
	check(moved > 0.1 and moved < 30, "the head moved by %f" % moved)
	made.free()
	walking.free()


func test_layers_go_on_after_the_clip_ends() -> void:
	var made := sprite("jump")
	made.advance(5)
	equal(made.is_processing_internal(), false, "processing after the end")
	made.play_layer(1, "idle")
	equal(made.playing, false, "playing")
	equal(made.is_processing_internal(), true, "processing with a layer")
	made.playing = true
	equal(made.time, 0.0, "time after playing again")
	made.advance(5)
	made.time = 0.5
	made.playing = true
	made.advance(0.1)
	equal(made.time, 0.6, "time after going back")
	made.free()


func test_wrong_names_are_errors() -> void:
	var made := sprite("walk", true)
	made.crossfade("fly")
	made.queue("fly")
	made.play_layer(1, "fly")
	made.play_layer(64, "wave")
	made.play_layer(1, "wave", 0, 9)
	made.set_layer(1, 1, false, "wing")
	made.set_layer(1, 1, false, ["head", "wing"])
	made.set_layer(1, 1, false, 3)
	made.set_target("nose", Vector2.ZERO)
	made.root_motion = "wing"
	equal(bone(made, "wing"), Transform2D.IDENTITY, "transform of a bone that does not exist")
	equal(made.clip, "walk", "clip")
	made.character = null
	made.set_layer(1)
	made.free()


func test_springs_swing_when_the_node_moves() -> void:
	var made := sprite("bind", true)
	made.advance(0.1)
	var still := bone(made, "tail_3")
	made.position.x += 200
	made.advance(0.02)
	check(bone(made, "tail_3").origin.distance_to(still.origin) > 1, "the tail did not move")
	made.reset_rig()
	near(bone(made, "tail_3"), still, "tail after a reset")
	made.position.x += 200
	made.reset_rig()
	made.advance(0.02)
	near(bone(made, "tail_3"), still, "tail after a teleport")
	made.rig_enabled = false
	made.position.x += 200
	made.advance(0.02)
	near(bone(made, "tail_3"), still, "tail without the rig")
	made.free()


func test_springs_go_on_after_the_clip_ends() -> void:
	var made := sprite("jump", true)
	made.advance(5)
	equal(made.playing, false, "playing")
	equal(made.is_processing_internal(), true, "processing")
	made.pause()
	equal(made.is_processing_internal(), false, "processing while paused")
	made.free()


func test_wind_blows_to_the_right() -> void:
	var made := sprite("bind", true)
	made.advance(0.1)
	var still := bone(made, "scarf_3").origin
	made.wind = Vector2(3000, 0)
	for i in 10:
		made.advance(0.02)
		bone(made, "scarf_3")
	check(bone(made, "scarf_3").origin.x > still.x + 1, "the scarf did not move to the right")
	made.free()


func test_a_bone_aims_at_a_target() -> void:
	var aiming := PchrCharacter.open("res://kiri.pchr")
	aiming.rig = '{"aim": [{"name": "look", "bone": "head"}]}'
	var made := PchrSprite2D.new()
	made.character = aiming
	made.position = Vector2(300, 200)
	made.rotation = 0.3
	made.scale = Vector2(0.5, 0.5)
	root.add_child(made)
	for flip: bool in [false, true]:
		made.flip_h = flip
		for target: Vector2 in [Vector2(900, 100), Vector2(-400, 700)]:
			made.set_target("look", target)
			var head := made.global_transform * bone(made, "head")
			var along := -head.y.normalized()
			check(along.dot((target - head.origin).normalized()) > 0.999, "the head does not point at %s" % target)
	var aimed := bone(made, "head")
	aiming.rig = aiming.rig
	near(bone(made, "head"), aimed, "head after the rig was set again")
	made.clear_target("look")
	check(not bone(made, "head").is_equal_approx(aimed), "the head still points at the target")
	made.free()


func test_a_limb_reaches_for_a_target() -> void:
	var reaching := PchrCharacter.open("res://kiri.pchr")
	var limb := '{"name": "hand", "upper": "near_upper_arm", "lower": "near_forearm", "end": "near_hand"}'
	reaching.rig = '{"ik": [%s]}' % limb
	var made := PchrSprite2D.new()
	made.character = reaching
	made.clip = "bind"
	made.position = Vector2(300, 200)
	made.scale = Vector2(0.5, 0.5)
	root.add_child(made)
	var target := made.global_transform * bone(made, "near_upper_arm").origin + Vector2(30, -20)
	made.set_target("hand", target)
	var reached := made.global_transform * bone(made, "near_hand").origin
	check(reached.distance_to(target) < 0.5, "the hand is at %s, not at %s" % [reached, target])
	made.free()


func test_a_planted_foot_stays_in_place() -> void:
	var stepping := PchrCharacter.open("res://kiri.pchr")
	stepping.rig = """{
		"markers": [{"clip": "walk", "frame": 3, "name": "plant"}, {"clip": "walk", "frame": 12, "name": "lift"}],
		"ik": [{"name": "leg", "upper": "near_thigh", "lower": "near_shin", "end": "near_foot"}],
		"feet": [{"ik": "leg", "fadeIn": 0}]
	}"""
	var made := PchrSprite2D.new()
	made.character = stepping
	root.add_child(made)
	var moved := {}
	for enabled: bool in [true, false]:
		made.rig_enabled = enabled
		made.stop()
		made.play("walk")
		var places := PackedVector2Array()
		for i in 12:
			made.advance(1 / 30.0)
			made.position.x += 1
			var foot := made.global_transform * bone(made, "near_foot").origin
			if i >= 4 and i < 9:
				places.append(foot)
		moved[enabled] = places[0].distance_to(places[-1])
	check(moved[true] < 2 and moved[false] > 10, "the foot moved by %s" % moved)
	made.free()


func test_root_motion_is_taken_out_of_the_pose() -> void:
	for flip: bool in [false, true]:
		var plain := sprite("walk")
		var made := sprite("walk")
		made.root_motion = "hips"
		for each: PchrSprite2D in [plain, made]:
			each.flip_v = flip
			each.advance(0)
		made.take_root_motion()
		var begin := bone(plain, "hips").origin
		var begin_without := bone(made, "hips").origin
		var moved := Vector2.ZERO
		var furthest := 0.0
		for i in 9:
			plain.advance(0.1)
			made.advance(0.1)
			moved += made.take_root_motion()
			near(bone(made, "hips").origin, begin_without, "hips without root motion")
			var expected := bone(plain, "hips").origin - begin
			furthest = maxf(furthest, expected.length())
			check(moved.distance_to(expected) < 0.01, "root motion is %s, but %s was expected" % [moved, expected])
		check(furthest > 2, "the hips move by %f" % furthest)
		made.root_motion_axes = 1
		made.advance(0.1)
		equal(made.take_root_motion().y, 0.0, "motion along y")
		plain.free()
		made.free()


func test_bones_can_be_moved() -> void:
	var made := sprite("bind")
	var before := bone(made, "head")
	made.set_bone_rotation("head", 0.5, true)
	made.set_bone_rotation("head", 0.25, true)
	equal(bone(made, "head").get_rotation(), before.get_rotation() + 0.25, "rotation")
	made.set_bone_scale("head", Vector2(2, 1), true)
	equal(bone(made, "head").x.length(), 2 * before.x.length(), "scale across the bone")
	made.clear_bone("head")
	near(bone(made, "head"), before, "head")
	made.set_bone_position("root", Vector2(10, 20))
	near(bone(made, "root").origin, Vector2(10, 20), "root")
	var hit := bone(made, "head").translated_local(Vector2(0, -60)).origin
	check(made.hit_test(hit) != "", "nothing is at %s" % hit)
	for name in kiri.get_bones():
		made.set_bone_visible(name, false)
	equal(made.hit_test(hit), "", "mesh at a place where all is hidden")
	made.clear_bone()
	near(bone(made, "head"), before, "head")
	made.free()


func test_a_hit_is_exact() -> void:
	var made := sprite("bind")
	var bounds := made.get_bounds()
	check(kiri.get_bounds("bind").is_equal_approx(bounds), "the bounds are %s" % bounds)
	equal(made.hit_test(bounds.position + Vector2.ONE), "", "mesh in a transparent corner")
	equal(made.hit_test(bounds.position - Vector2(50, 50)), "", "mesh outside")
	var found := {}
	for y in range(int(bounds.position.y), int(bounds.end.y), 7):
		for x in range(int(bounds.position.x), int(bounds.end.x), 7):
			made.flip_h = false
			var mesh := made.hit_test(Vector2(x, y))
			found[mesh] = true
			made.flip_h = true
			equal(made.hit_test(Vector2(-x, y)), mesh, "mesh at the mirrored point")
	check(found.has("tail") and found.has("near_leg") and found.has(""), "meshes are %s" % [found.keys()])
	made.offset = Vector2(100, 0)
	equal(made.get_bounds().end.x, 100 - bounds.position.x, "right side")
	made.free()


func test_an_animation_player_keys_clip_and_time() -> void:
	var scene := Node2D.new()
	var made := sprite("idle")
	made.pause()
	made.name = "Kiri"
	made.reparent(scene)
	var animation := Animation.new()
	animation.length = 0.4
	var clips := animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(clips, "Kiri:clip")
	animation.value_track_set_update_mode(clips, Animation.UPDATE_DISCRETE)
	animation.track_insert_key(clips, 0.0, "jump")
	animation.track_insert_key(clips, 0.2, "wave")
	var times := animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(times, "Kiri:time")
	animation.track_insert_key(times, 0.0, 0.5)
	animation.track_insert_key(times, 0.4, 1.5)
	var library := AnimationLibrary.new()
	library.add_animation("act", animation)
	var player := AnimationPlayer.new()
	player.add_animation_library("", library)
	scene.add_child(player)
	root.add_child(scene)
	player.play("act")
	player.advance(0.1)
	equal(made.clip, "jump", "clip")
	equal(made.time, 0.75, "time")
	while player.is_playing():
		await process_frame
	equal(made.clip, "wave", "clip at the end")
	equal(made.time, 1.5, "time at the end")
	scene.free()


func test_process_mode_and_time_scale_hold_it() -> void:
	var made := sprite("walk", true)
	var always := sprite("walk", true)
	always.process_mode = Node.PROCESS_MODE_ALWAYS
	made.process_mode = Node.PROCESS_MODE_DISABLED
	await process_frame
	var before := made.time
	var running := always.time
	paused = true
	while always.time == running:
		await process_frame
	equal(made.time, before, "time while disabled")
	paused = false
	made.process_mode = Node.PROCESS_MODE_INHERIT
	Engine.time_scale = 0
	await process_frame
	before = made.time
	await process_frame
	await process_frame
	equal(made.time, before, "time with a time scale of 0")
	Engine.time_scale = 1
	while made.time == before:
		await process_frame
	made.free()
	always.free()


func test_a_negative_speed_plays_from_the_end() -> void:
	var made := sprite("jump")
	made.speed_scale = -1
	made.play("jump")
	made.advance(0.3)
	equal(made.time, 1.5, "time")
	made.advance(5)
	equal(made.frame, 0, "frame")
	equal(made.playing, false, "playing")
	made.free()


func test_a_new_version_of_the_character_continues() -> void:
	var changing := PchrCharacter.open("res://kiri.pchr")
	var made := sprite("idle")
	made.character = changing
	made.play("walk")
	made.set_layer(1, 1.0, false, "upper body")
	made.play_layer(1, "wave")
	made.set_bone_rotation("head", 0.25, true)
	made.advance(0.5)
	var before := bone(made, "near_hand")
	changing.data = changing.data
	near(bone(made, "near_hand"), before, "hand")
	equal(made.time, 0.5, "time")
	equal(made.get_layer_clip(1), "wave", "clip of the layer")
	made.free()


func test_a_scene_keeps_the_rig() -> void:
	var made := sprite("walk")
	made.wind = Vector2(3, 4)
	made.root_motion = "hips"
	made.root_motion_axes = 1
	var attachment := PchrBoneAttachment2D.new()
	attachment.bone = "head"
	attachment.follow_scale = false
	made.add_child(attachment)
	attachment.owner = made
	var packed := PackedScene.new()
	packed.pack(made)
	var copy: PchrSprite2D = packed.instantiate()
	for property: String in ["rig_enabled", "wind", "root_motion", "root_motion_axes"]:
		equal(copy.get(property), made.get(property), property)
	var copied: PchrBoneAttachment2D = copy.get_child(0)
	equal(copied.bone, "head", "bone")
	equal(copied.follow_scale, false, "follow_scale")
	made.free()
	copy.free()
