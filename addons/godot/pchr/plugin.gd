@tool
extends EditorPlugin
## Lets the editor import characters, shows them in the FileSystem dock, imports them again when a file changes that
## belongs to one, and lets a click select nodes, with rectangles around those that are selected.

const Importer := preload("importer.gd")
const Menu := preload("menu.gd")
const Thumbnails := preload("thumbnails.gd")

## Group of the polygons that clicks hit.
const CLICKABLE := &"_pchr_clickable"

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
	get_tree().node_added.connect(_make_clickable_later)
	var scene := EditorInterface.get_edited_scene_root()
	if scene != null:
		for node in scene.find_children("*", "Node2D", true, false):
			_make_clickable_later(node)
	Importer.discard(Importer.outdated())


func _exit_tree() -> void:
	get_tree().node_added.disconnect(_make_clickable_later)
	get_tree().call_group(CLICKABLE, "queue_free")
	for importer in _importers:
		remove_import_plugin(importer)
	remove_context_menu_plugin(_menu)
	EditorInterface.get_resource_previewer().remove_preview_generator(_thumbnails)


func _notification(what: int) -> void:
	if what == NOTIFICATION_APPLICATION_FOCUS_IN:
		import_outdated()


func _forward_canvas_force_draw_over_viewport(overlay: Control) -> void:
	for node in EditorInterface.get_selection().get_selected_nodes():
		if has_rect(node):
			overlay.draw_polyline(outline(node), Color(1, 0.6, 0.4, 0.7), 2)


func has_rect(node: Node) -> bool:
	return node is PchrSprite2D or node is PchrCrowd2D


## Returns the corners of the rectangle around a node in the 2D view, and the first once more.
func outline(node: Node2D) -> PackedVector2Array:
	return node.get_viewport_transform() * node.get_global_transform() * corners(node)


func corners(node: Node2D) -> PackedVector2Array:
	var rect: Rect2 = node.call("get_rect")
	return [
		rect.position, Vector2(rect.end.x, rect.position.y), rect.end, Vector2(rect.position.x, rect.end.y), rect.position
	]


func _make_clickable_later(node: Node) -> void:
	if has_rect(node):
		_make_clickable.call_deferred(node)


## Gives a node an invisible polygon, because the editor only asks nodes of its own whether a click hits them. As it
## belongs to the node and not to the scene, the editor selects the node, and neither lists nor saves the polygon.
## It would save that of the root of a scene.
func _make_clickable(node: Variant) -> void:
	if not is_instance_valid(node) or node.owner == null or not node.scene_file_path.is_empty():
		return
	for child: Node in node.get_children(true):
		if child.is_in_group(CLICKABLE):
			return
	var polygon := Polygon2D.new()
	polygon.color = Color.TRANSPARENT
	polygon.add_to_group(CLICKABLE)
	# Children of the node are in front of it.
	node.add_child(polygon, false, INTERNAL_MODE_FRONT)
	polygon.owner = node
	_fit(node, polygon)
	node.draw.connect(_fit.bind(node, polygon))


func _fit(node: Node2D, polygon: Polygon2D) -> void:
	polygon.polygon = corners(node)


## Imports the characters again whose other files have changed.
func import_outdated() -> void:
	var files := EditorInterface.get_resource_filesystem()
	while files.is_scanning():
		await get_tree().process_frame
	var outdated := Importer.outdated()
	if not outdated.is_empty():
		files.reimport_files(outdated)
