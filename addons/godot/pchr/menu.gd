@tool
extends EditorContextMenuPlugin
## Imports .json files as characters if the user says so, because most are something else.


func _popup_menu(paths: PackedStringArray) -> void:
	if Array(paths).any(_is_json):
		add_context_menu_item("Import as Pachario Character", choose)


## Makes a file next to each .json file that the importer takes for it.
func choose(paths: Array) -> void:
	for path: String in paths.filter(_is_json):
		var link := FileAccess.open(path.get_basename() + ".pchrlink", FileAccess.WRITE)
		link.store_line(path.get_file())
		link.close()
	EditorInterface.get_resource_filesystem().scan()


func _is_json(path: String) -> bool:
	return path.get_extension().to_lower() == "json"
