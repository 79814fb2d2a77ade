# expects: PchrStateMachine.set_parameter\(\): the character has no parameter "fly", only speed, wînkt, jump
# expects: PchrStateMachine.get_parameter\(\): the character has no parameter "fly", only speed
# expects: PchrStateMachine.fire\(\): the character has no trigger "speed", only speed
# expects: PchrStateMachine.enter\(\): layer 0 has no state "fly"
# expects: PchrStateMachine.get_state\(\): layer is 2, but there are 2, only body, arm
# expects: PchrStateMachine.get_state\(\): it has no character with state machines
# expects: rig.json: error E136: states.layers\[0\].states\[2\].clip
extends PchrTest

var rig := FileAccess.get_file_as_string("res://look.rig.json")
var told: Array[String] = []  ## What signals said, in order.


func kiri(text := rig) -> PchrCharacter:
	var made := PchrCharacter.open("res://kiri.pchr")
	made.rig = text
	return made


func add_machine(character: PchrCharacter) -> PchrStateMachine:
	var sprite := PchrSprite2D.new()
	sprite.character = character
	sprite.clip = "walk"
	var machine := PchrStateMachine.new()
	machine.state_entered.connect(func(layer: int, state: StringName) -> void: told.append("+%d %s" % [layer, state]))
	machine.state_left.connect(func(layer: int, state: StringName) -> void: told.append("-%d %s" % [layer, state]))
	machine.state_event.connect(func(name: StringName) -> void: told.append(name))
	sprite.add_child(machine)
	root.add_child(sprite)
	sprite.playing = false  # Only advance() lets time pass.
	told.clear()
	return machine


func sprite_of(machine: PchrStateMachine) -> PchrSprite2D:
	return machine.get_parent()


func properties(of: Object) -> Dictionary:
	var all := {}
	for property in of.get_property_list():
		if property.name.begins_with("parameters/"):
			all[property.name] = property
	return all


func test_parameters_change_states() -> void:
	var machine := add_machine(kiri())
	var sprite := sprite_of(machine)
	check(sprite.get_state_machine() == machine, "the sprite has another machine")
	equal(machine.get_parameters(), PackedStringArray(["speed", "wînkt", "jump"]), "parameters")
	equal(machine.get_layers(), PackedStringArray(["body", "arm"]), "layers")
	sprite.advance(0.1)
	equal(told, ["+0 idle", "+1 nothing"] as Array[String], "first signals")
	equal([machine.get_state(), machine.get_state(1)], ["idle", "nothing"], "states")
	told.clear()
	machine.set_parameter("speed", 7)
	equal(machine.get_parameter("speed"), 1.0, "speed")
	sprite.advance(0.1)
	equal(told, ["-0 idle", "up", "+0 move"] as Array[String], "signals")
	machine.fire("jump")
	check(machine.get_parameter("jump"), "the trigger is not set")
	machine.set_parameter("wînkt", true)
	sprite.advance(0.1)
	equal([machine.get_state(), machine.get_state(1)], ["jump", "wave"], "states")
	check(not machine.get_parameter("jump"), "the trigger is set")
	check(machine.get_phase() > 0.05, "the phase is %f" % machine.get_phase())
	sprite.free()


func test_the_machine_moves_the_character_and_leaves_it() -> void:
	var machine := add_machine(kiri())
	var sprite := sprite_of(machine)
	sprite.rig_enabled = false
	machine.enter("jump")
	sprite.advance(0.4)
	var jumping := sprite.get_bone_transform("head")
	machine.active = false
	sprite.seek(0)
	var walking := sprite.get_bone_transform("head")
	check(not jumping.is_equal_approx(walking), "it stands still")
	equal(sprite.get_layer_clip(0), "walk", "clip")
	machine.active = true
	equal(machine.get_state(), "idle", "state")
	sprite.remove_child(machine)
	check(sprite.get_state_machine() == null, "the machine is still there")
	sprite.seek(0)
	check(sprite.get_bone_transform("head").is_equal_approx(walking), "the clip does not show")
	machine.free()
	sprite.free()


func test_parameters_are_properties() -> void:
	var machine := add_machine(kiri())
	var all := properties(machine)
	equal(all.keys(), ["parameters/speed", "parameters/wînkt", "parameters/jump"], "properties")
	equal(all["parameters/speed"].hint_string, "0,1,0.001", "range")
	equal(all["parameters/wînkt"].type, TYPE_BOOL, "type")
	check(not all["parameters/speed"].usage & PROPERTY_USAGE_STORAGE, "a value that nobody set is stored")
	machine["parameters/speed"] = 0.5
	equal(machine.get_parameter("speed"), 0.5, "speed")
	machine["parameters/jump"] = true
	all = properties(machine)
	check(all["parameters/speed"].usage & PROPERTY_USAGE_STORAGE, "the value is not stored")
	check(not all["parameters/jump"].usage & PROPERTY_USAGE_STORAGE, "a trigger is stored")
	sprite_of(machine).free()


func test_scenes_keep_the_values() -> void:
	var machine := add_machine(kiri())
	machine.owner = sprite_of(machine)
	machine.set_parameter("speed", 0.25)
	machine.set_parameter("wînkt", true)
	var scene := PackedScene.new()
	equal(scene.pack(sprite_of(machine)), OK, "packing")
	var copy: PchrSprite2D = scene.instantiate()
	root.add_child(copy)
	var copied: PchrStateMachine = copy.get_child(0)
	equal(copied.get_parameter("speed"), 0.25, "speed")
	equal(copied.get_parameter("wînkt"), true, "wînkt")
	copy.free()
	sprite_of(machine).free()


func test_it_lets_time_pass_in_a_game() -> void:
	var sprite := PchrSprite2D.new()
	sprite.character = kiri()
	sprite.visible = false
	var machine := PchrStateMachine.new()
	sprite.add_child(machine)
	root.add_child(sprite)
	var seen := [false]
	machine.state_entered.connect(func(_layer: int, state: StringName) -> void: seen[0] = seen[0] or state == &"move")
	machine.set_parameter("speed", 1)
	while not seen[0]:
		await process_frame
	sprite.free()


func test_saved_states_are_restored() -> void:
	var machine := add_machine(kiri())
	var other := add_machine(kiri())
	machine.set_parameter("speed", 0.75)
	sprite_of(machine).advance(0.5)
	var saved := machine.save_states()
	check(not other.restore_states("text"), "another text was restored")
	check(other.restore_states(saved), "it was not restored")
	equal([other.get_state(), other.get_parameter("speed")], ["move", 0.75], "state and value")
	sprite_of(machine).free()
	sprite_of(other).free()


func test_another_version_of_the_character_goes_on() -> void:
	var character := kiri()
	var machine := add_machine(character)
	machine.set_parameter("speed", 1)
	sprite_of(machine).advance(0.5)
	character.rig = rig.replace("\"max\": 1", "\"max\": 0.5")
	sprite_of(machine).advance(0)
	equal([machine.get_state(), machine.get_parameter("speed")], ["move", 0.5], "state and value")
	character.rig = ""
	sprite_of(machine).advance(0)
	equal(machine.get_layers().size(), 0, "number of layers")
	sprite_of(machine).free()


func test_receivers_can_remove_the_machine() -> void:
	var machine := add_machine(kiri())
	var sprite := sprite_of(machine)
	var remove := func(_layer: int, _state: StringName) -> void:
		if machine.get_parent() != null:
			sprite.remove_child(machine)
	machine.state_entered.connect(remove)
	sprite.advance(0.1)
	equal(told, ["+0 idle", "+1 nothing"] as Array[String], "signals")
	equal(sprite.get_layer_clip(0), "walk", "clip")
	machine.free()
	var other := PchrStateMachine.new()
	sprite.add_child(other)
	sprite.clip_started.connect(func(_clip: StringName) -> void: other.free())
	sprite.advance(0.1)
	check(not is_instance_valid(other), "it still exists")
	sprite.free()


func test_mistakes_are_reported() -> void:
	var machine := add_machine(kiri())
	machine.set_parameter("fly", 1)
	machine.get_parameter("fly")
	machine.fire("speed")
	machine.enter("fly")
	machine.get_state(2)
	sprite_of(machine).free()
	var alone := PchrStateMachine.new()
	alone.get_state()
	alone.free()
	var broken := add_machine(kiri(rig.replace("\"clip\": \"jump\"", "\"clip\": \"fly\"")))
	equal(broken.get_layers().size(), 0, "number of layers")
	sprite_of(broken).free()
