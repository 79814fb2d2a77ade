@tool
extends EditorPlugin
## Edits a scene with attachments, and loads the extension again meanwhile.


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	save_scene("res://attached.tscn")
	EditorInterface.open_scene_from_path("res://attached.tscn")
	while EditorInterface.get_edited_scene_root() == null:
		await get_tree().process_frame
	check_follows("in the editor")
	while warnings_of("Lost").is_empty():
		await get_tree().process_frame
	if not warnings_of("Lost").contains("PchrSprite2D") or not warnings_of("Hand").is_empty():
		print("FAILED: the warnings are %s and %s" % [warnings_of("Lost"), warnings_of("Hand")])
	if not warnings_of("Stray").contains("nothing to play"):
		print("FAILED: the warning is %s" % warnings_of("Stray"))
	if GDExtensionManager.reload_extension("res://addons/pchr/pchr.gdextension") != GDExtensionManager.LOAD_STATUS_OK:
		print("FAILED: the extension was not loaded again")
	check_follows("after the extension was loaded again")
	print("Ran 1 tests")
	get_tree().quit()


func save_scene(path: String) -> void:
	var scene := Node2D.new()
	scene.name = "Scene"
	var kiri: Node2D = ClassDB.instantiate("PchrSprite2D")
	kiri.name = "Kiri"
	kiri.set("character", ClassDB.class_call_static("PchrCharacter", "open", "res://kiri.pchr"))
	kiri.set("clip", "walk")
	scene.add_child(kiri)
	for attachment: Array in [["Hand", kiri], ["Lost", scene]]:
		var made: Node2D = ClassDB.instantiate("PchrBoneAttachment2D")
		made.name = attachment[0]
		made.set("bone", "near_hand")
		attachment[1].add_child(made)
	var machine: Node = ClassDB.instantiate("PchrStateMachine")
	machine.name = "Stray"
	scene.add_child(machine)
	for node: Node in [kiri, kiri.get_child(0), scene.get_child(1), machine]:
		node.owner = scene
	var packed := PackedScene.new()
	packed.pack(scene)
	ResourceSaver.save(packed, path)
	scene.free()


func check_follows(when: String) -> void:
	var kiri := EditorInterface.get_edited_scene_root().get_node("Kiri")
	var hand: Node2D = kiri.get_node("Hand")
	for frame: int in [5, 20]:
		kiri.set("frame", frame)
		var expected: Transform2D = kiri.call("get_bone_transform", "near_hand")
		if expected == Transform2D.IDENTITY or not hand.transform.is_equal_approx(expected):
			print("FAILED: %s, the hand is at %s instead of %s" % [when, hand.transform, expected])


## Returns the tooltips of a node's buttons in the scene dock that are about its configuration.
func warnings_of(node: String) -> String:
	for tree: Tree in EditorInterface.get_base_control().find_children("*", "Tree", true, false):
		var item := tree.get_root()
		while item != null:
			if item.get_text(0) == node:
				var texts := ""
				for i in item.get_button_count(0):
					var text := item.get_button_tooltip_text(0, i)
					if "onfiguration" in text:
						texts += text
				return texts
			item = item.get_next_in_tree()
	return ""
