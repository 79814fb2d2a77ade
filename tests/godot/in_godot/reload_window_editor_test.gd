@tool
extends EditorPlugin
## Loads the extension again while nodes use it, as the editor does after it was built.


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	var made: Node2D = ClassDB.instantiate("PchrSprite2D")
	made.set("character", ClassDB.class_call_static("PchrCharacter", "open", "res://kiri.pchr"))
	made.set("clip", "walk")
	made.set("tint", Color.RED)
	made.set("time", 0.25)
	made.set("playing", true)
	made.set("speed_scale", 1e-6)
	EditorInterface.get_base_control().add_child(made)
	await made.draw
	await RenderingServer.frame_post_draw
	var rect: Rect2 = made.call("get_rect")
	if GDExtensionManager.reload_extension("res://addons/pchr/pchr.gdextension") != GDExtensionManager.LOAD_STATUS_OK:
		print("FAILED: the extension was not loaded again")
	var time: float = made.get("time")
	if absf(time - 0.25) > 0.01 or not made.get("playing") or made.has_meta("_pchr_time"):
		print("FAILED: the time is %f, and playing is %s" % [time, made.get("playing")])
	made.hide()  # The engine tells those who watch the node that it has gone.
	await RenderingServer.frame_post_draw
	await get_tree().process_frame
	if not rect.has_area() or made.call("get_rect") != rect or made.get("tint") != Color.RED:
		print("FAILED: the node is %s, %s instead of %s" % [made.get("tint"), made.call("get_rect"), rect])
	made.free()
	print("Ran 1 tests")
	get_tree().quit()
