@tool
extends EditorPlugin
## Lets the editor import characters, shows them in the FileSystem dock, imports them again when a file changes that
## belongs to one, and draws rectangles around selected nodes.

const Importer := preload("importer.gd")
const Menu := preload("menu.gd")
const Thumbnails := preload("thumbnails.gd")

## Godot has importers of its own for scenes, which stay the default.
var _importers: Array[EditorImportPlugin] = [
	Importer.new("pchr.character", Importer.EXTENSIONS, 1.0),
	Importer.new("pchr.scene", Importer.SCENE_EXTENSIONS, 0.5),
]
var _menu := Menu.new()
var _thumbnails := Thumbnails.new()


func _enter_tree() -> void:
	for importer in _importers:
		add_import_plugin(importer)
	add_context_menu_plugin(EditorContextMenuPlugin.CONTEXT_SLOT_FILESYSTEM, _menu)
	EditorInterface.get_resource_previewer().add_preview_generator(_thumbnails)
	set_force_draw_over_forwarding_enabled()
	Importer.discard(Importer.outdated())


func _exit_tree() -> void:
	for importer in _importers:
		remove_import_plugin(importer)
	remove_context_menu_plugin(_menu)
	EditorInterface.get_resource_previewer().remove_preview_generator(_thumbnails)


func _notification(what: int) -> void:
	if what == NOTIFICATION_APPLICATION_FOCUS_IN:
		import_outdated()


func _forward_canvas_force_draw_over_viewport(overlay: Control) -> void:
	for node in EditorInterface.get_selection().get_selected_nodes():
		if node is PchrSprite2D or node is PchrCrowd2D:
			overlay.draw_polyline(outline(node), Color(1, 0.6, 0.4, 0.7), 2)


## Returns the corners of the rectangle around a node in the 2D view, and the first once more.
func outline(node: Node2D) -> PackedVector2Array:
	var rect: Rect2 = node.call("get_rect")
	var corners: PackedVector2Array = [
		rect.position, Vector2(rect.end.x, rect.position.y), rect.end, Vector2(rect.position.x, rect.end.y), rect.position
	]
	return node.get_viewport_transform() * node.get_global_transform() * corners


## Imports the characters again whose other files have changed.
func import_outdated() -> void:
	var files := EditorInterface.get_resource_filesystem()
	while files.is_scanning():
		await get_tree().process_frame
	var outdated := Importer.outdated()
	if not outdated.is_empty():
		files.reimport_files(outdated)
