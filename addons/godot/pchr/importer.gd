@tool
extends EditorImportPlugin
## Imports a character of any 2D format as a PchrCharacter.

## Most .json files are no characters, so a .pchrlink names one that is. A .atlas belongs to another file, and .psk and
## .pskx are 3D characters.
const EXTENSIONS: PackedStringArray = ["pchr", "pchr.json", "pchrlink", "chp", "px", "aseprite", "ase", "skel"]
## Files that are scenes for Godot, and characters if they are flat.
const SCENE_EXTENSIONS: PackedStringArray = ["glb", "gltf"]

var _name: String
var _extensions: PackedStringArray
var _priority: float


func _init(name: String, extensions: PackedStringArray, priority: float) -> void:
	_name = name
	_extensions = extensions
	_priority = priority


func _get_importer_name() -> String:
	return _name


func _get_visible_name() -> String:
	return "Pachario Character"


func _get_recognized_extensions() -> PackedStringArray:
	return _extensions


func _get_save_extension() -> String:
	return "res"


func _get_resource_type() -> String:
	return "PchrCharacter"


func _get_priority() -> float:
	return _priority


func _get_import_order() -> int:
	return IMPORT_ORDER_DEFAULT


func _get_format_version() -> int:
	return 2


func _can_import_threaded() -> bool:
	return false


func _get_preset_count() -> int:
	return 0


func _get_import_options(_path: String, _preset: int) -> Array[Dictionary]:
	return [
		{"name": "bind_clip", "default_value": ""},
		{
			"name": "bind_frame",
			"default_value": 0,
			"property_hint": PROPERTY_HINT_RANGE,
			"hint_string": "0,1000,1,or_greater",
		},
		{
			"name": "layers",
			"default_value": 0,
			"property_hint": PROPERTY_HINT_ENUM,
			"hint_string": "Visible,All",
		},
		{"name": "layer_names", "default_value": PackedStringArray()},
		{"name": "armature", "default_value": ""},
		{"name": "skin", "default_value": ""},
		{
			"name": "frames_per_second",
			"default_value": 0.0,
			"property_hint": PROPERTY_HINT_RANGE,
			"hint_string": "0,240,0.1",
		},
	]


func _get_option_visibility(path: String, option: StringName, _options: Dictionary) -> bool:
	var extension := path.get_extension().to_lower()
	if extension == "pchrlink":
		return true
	match option:
		&"layers", &"layer_names":
			return extension in ["px", "aseprite", "ase"]
		&"armature":
			return false
		&"skin":
			return extension == "skel"
		&"frames_per_second":
			return extension in ["skel", "glb", "gltf"]
	return true


func _import(
	source: String,
	save_path: String,
	options: Dictionary,
	_platform_variants: Array[String],
	_gen_files: Array[String]
) -> Error:
	var path := source
	if source.get_extension().to_lower() == "pchrlink":
		path = source.get_base_dir().path_join(FileAccess.get_file_as_string(source).strip_edges())
	var character := PchrCharacter.open(path, options)
	if character == null:
		return ERR_PARSE_ERROR
	for warning in character.get_warnings():
		push_warning(warning)
	_remember(source, character.get_files())
	return ResourceSaver.save(character, "%s.%s" % [save_path, _get_save_extension()])


## Returns the characters of which another file has changed since they were imported, such as an image or the rig.
static func outdated() -> PackedStringArray:
	var memory := _memory()
	var found := PackedStringArray()
	for source in memory.get_sections():
		for path in memory.get_section_keys(source):
			if FileAccess.file_exists(source) and memory.get_value(source, path) != _stamp(path):
				found.append(source)
				break
	return found


## Deletes what was imported from these files, so that the next scan imports them again.
static func discard(sources: PackedStringArray) -> void:
	for source in sources:
		var settings := ConfigFile.new()
		if settings.load(source + ".import") == OK:
			DirAccess.remove_absolute(settings.get_value("remap", "path", ""))


static func _remember(source: String, files: PackedStringArray) -> void:
	var memory := _memory()
	if memory.has_section(source):
		memory.erase_section(source)
	for path in files:
		if path != source:
			memory.set_value(source, path, _stamp(path))
	memory.save(_memory_path())


static func _memory() -> ConfigFile:
	var memory := ConfigFile.new()
	if FileAccess.file_exists(_memory_path()):
		memory.load(_memory_path())
	return memory


static func _memory_path() -> String:
	return EditorInterface.get_editor_paths().get_project_settings_dir().path_join("pchr_files.cfg")


static func _stamp(path: String) -> String:
	return FileAccess.get_md5(path) if FileAccess.file_exists(path) else ""
