extends PchrTest

var kiri := PchrCharacter.open("res://kiri.pchr")


func sprite() -> PchrSprite2D:
	var made := PchrSprite2D.new()
	made.character = kiri
	made.clip = "walk"
	root.add_child(made)
	return made


func attach(made: Node, bone: String) -> PchrBoneAttachment2D:
	var attachment := PchrBoneAttachment2D.new()
	attachment.bone = bone
	made.add_child(attachment)
	return attachment


func test_it_follows_the_bone_in_every_pose() -> void:
	var made := sprite()
	var attachment := attach(made, "near_hand")
	var places := {}
	for frame in 30:
		made.frame = frame
		check(
			attachment.transform.is_equal_approx(made.get_bone_transform("near_hand")),
			"the transform in frame %d is %s" % [frame, attachment.transform],
		)
		places[attachment.position.snapped(Vector2.ONE)] = true
	check(places.size() > 5, "it was at %d places" % places.size())
	made.flip_h = true
	made.offset = Vector2(10, 20)
	check(
		attachment.transform.is_equal_approx(made.get_bone_transform("near_hand")), "it does not follow flip and offset"
	)
	attachment.bone = "head"
	check(attachment.transform.is_equal_approx(made.get_bone_transform("head")), "it does not follow a new bone")
	made.free()


func test_it_follows_while_the_clip_plays() -> void:
	var made := sprite()
	made.visible = false
	var attachment := attach(made, "near_hand")
	var before := attachment.position
	made.play("walk")
	while attachment.position == before:
		await process_frame
	made.free()


func test_it_follows_another_character() -> void:
	var made := sprite()
	var attachment := attach(made, "head")
	made.character = null
	var changed := PchrCharacter.open("res://kiri.pchr")
	made.character = changed
	made.clip = "jump"
	made.frame = 20
	check(attachment.transform.is_equal_approx(made.get_bone_transform("head")), "it does not follow")
	changed.rig = ""
	changed.data = PchrCharacter.open("res://kaeru.aseprite").data
	await process_frame
	made.free()


func test_rotation_and_scale_can_be_left_out() -> void:
	var made := sprite()
	made.frame = 7
	made.set_bone_scale("near_upper_arm", Vector2(2, 2))
	var attachment := attach(made, "near_upper_arm")
	var full := attachment.transform
	check(absf(full.get_rotation()) > 0.1, "the arm is not rotated")
	attachment.follow_scale = false
	equal(attachment.scale.x, 1.0, "scale")
	equal(attachment.rotation, full.get_rotation(), "rotation")
	attachment.follow_rotation = false
	equal(attachment.rotation, 0.0, "rotation")
	check(attachment.position.is_equal_approx(full.origin), "the position is %s" % attachment.position)
	made.flip_h = true
	check(attachment.transform.x.is_equal_approx(Vector2.LEFT), "x points to %s" % attachment.transform.x)
	check(attachment.transform.y.is_equal_approx(Vector2.DOWN), "y points to %s" % attachment.transform.y)
	made.free()


func test_the_inspector_lists_the_bones() -> void:
	var made := sprite()
	var attachment := attach(made, "head")
	for property in attachment.get_property_list():
		if property.name == "bone":
			equal(property.hint_string, ",".join(kiri.get_bones()), "hint string")
	made.free()


func test_it_can_move_to_another_parent() -> void:
	var made := sprite()
	var other := sprite()
	other.frame = 12
	var attachment := attach(made, "near_hand")
	attachment.reparent(other, false)
	check(attachment.transform.is_equal_approx(other.get_bone_transform("near_hand")), "it does not follow its parent")
	made.free()
	attachment.reparent(root, false)
	other.frame = 3
	other.free()
	attachment.free()
