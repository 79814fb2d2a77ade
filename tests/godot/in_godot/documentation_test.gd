extends PchrTest
## Compares the reference pages with the classes.


func test_every_class_has_a_page_that_names_everything() -> void:
	var count := 0
	for name in ClassDB.get_class_list():
		if name.begins_with("Pchr") and ClassDB.class_get_api_type(name) == ClassDB.API_EXTENSION:
			count += 1
			compare(name, described("res://doc_classes/%s.xml" % name), existing(name))
	equal(count, DirAccess.get_files_at("res://doc_classes").size(), "number of classes with a page")


func compare(name: String, found: Dictionary, expected: Dictionary) -> void:
	for item: String in expected:
		check(item in found, "%s.xml does not have %s" % [name, item])
		if item in found:
			equal(found[item], expected[item], "%s.xml: %s" % [name, item])
	for item: String in found:
		check(item in expected, "%s.xml has %s, which does not exist" % [name, item])


## Returns what a class has, as "kind name", with the types of arguments and results.
func existing(name: String) -> Dictionary:
	var all := {"inherits": String(ClassDB.get_parent_class(name))}
	var accessors: Array[String] = []
	for property in ClassDB.class_get_property_list(name, true):
		if property.type == TYPE_NIL:
			continue
		var setter := ClassDB.class_get_property_setter(name, property.name)
		var getter := ClassDB.class_get_property_getter(name, property.name)
		accessors.append_array([String(setter), String(getter)])
		all["member " + property.name] = "%s %s %s" % [type_of(property), setter, getter]
	for method in ClassDB.class_get_method_list(name, true):
		if method.name in accessors or method.flags & METHOD_FLAG_VIRTUAL:
			continue
		var result := "void" if method.return.type == TYPE_NIL and not is_variant(method.return) else type_of(method.return)
		var arguments: Array = method.args.map(func(each: Dictionary) -> String: return "%s %s" % [type_of(each), each.name])
		all["method " + method.name] = "%s (%s)" % [result, ", ".join(arguments)]
	for sent in ClassDB.class_get_signal_list(name, true):
		var arguments: Array = sent.args.map(func(each: Dictionary) -> String: return "%s %s" % [type_of(each), each.name])
		all["signal " + sent.name] = " (%s)" % ", ".join(arguments)
	for constant in ClassDB.class_get_integer_constant_list(name, true):
		all["constant " + constant] = str(ClassDB.class_get_integer_constant(name, constant))
	return all


func is_variant(property: Dictionary) -> bool:
	return (property.usage & PROPERTY_USAGE_NIL_IS_VARIANT) != 0


func type_of(property: Dictionary) -> String:
	if property.type == TYPE_OBJECT:
		return property.class_name if property.class_name else property.hint_string if property.hint_string else "Object"
	if property.usage & PROPERTY_USAGE_CLASS_IS_ENUM:
		return property.class_name
	return "Variant" if property.type == TYPE_NIL else type_string(property.type)


func described_type(parser: XMLParser) -> String:
	return parser.get_named_attribute_value("enum" if parser.has_attribute("enum") else "type")


## Returns the same from a page, and fails if something there has no description.
func described(path: String) -> Dictionary:
	var all := {}
	var parser := XMLParser.new()
	equal(parser.open(path), OK, "result of opening %s" % path)
	var item := ""
	var described_items := {}
	var text := ""
	while parser.read() == OK:
		match parser.get_node_type():
			XMLParser.NODE_ELEMENT:
				var tag := parser.get_node_name()
				text = ""
				match tag:
					"class":
						all["inherits"] = parser.get_named_attribute_value("inherits")
					"method", "signal":
						item = "%s %s" % [tag, parser.get_named_attribute_value("name")]
						all[item] = " ()" if tag == "signal" else "void ()"
					"return":
						all[item] = "%s ()" % described_type(parser)
					"param":
						var parts: PackedStringArray = all[item].rsplit(")", true, 1)[0].split("(", true, 1)
						var argument := "%s %s" % [described_type(parser), parser.get_named_attribute_value("name")]
						all[item] = "%s(%s)" % [parts[0], ", ".join([parts[1], argument] if parts[1] else [argument])]
					"member":
						item = "member " + parser.get_named_attribute_value("name")
						var accessors := ["setter", "getter"].map(parser.get_named_attribute_value)
						all[item] = "%s %s %s" % ([described_type(parser)] + accessors)
					"constant":
						item = "constant " + parser.get_named_attribute_value("name")
						all[item] = parser.get_named_attribute_value("value")
			XMLParser.NODE_TEXT:
				text += parser.get_node_data()
			XMLParser.NODE_ELEMENT_END:
				var tag := parser.get_node_name()
				if tag in ["description", "brief_description", "member", "constant"] and text.strip_edges():
					described_items[item if item else tag] = true
				if tag in ["method", "signal", "member", "constant"]:
					check(item in described_items, "%s: %s has no description" % [path, item])
					item = ""
				text = ""
	check("brief_description" in described_items and "description" in described_items, "%s has no introduction" % path)
	return all


func test_the_scripts_of_the_documents_compile() -> void:
	var blocks := Array(FileAccess.get_file_as_string("res://godot.md").split("```gdscript\n").slice(1))
	blocks = blocks.map(func(block: String) -> String: return block.get_slice("```", 0))
	for page in DirAccess.get_files_at("res://doc_classes"):
		var text := FileAccess.get_file_as_string("res://doc_classes/" + page).xml_unescape()
		for block in text.split("[codeblock]").slice(1):
			blocks.append(block.get_slice("[/codeblock]", 0).dedent().strip_edges())
	for warning: String in ["unsafe_method_access", "unsafe_property_access"]:
		ProjectSettings.set_setting("debug/gdscript/warnings/" + warning, 2)
	await process_frame
	check(blocks.size() > 5, "only %d scripts were found" % blocks.size())
	for block: String in blocks:
		var script := GDScript.new()
		script.source_code = block if block.begins_with("extends") else as_script(block)
		check(script.reload() == OK, "this does not compile:\n%s" % script.source_code)


func test_the_scripts_of_the_guide_run() -> void:
	for block in FileAccess.get_file_as_string("res://godot.md").split("```gdscript\n").slice(1):
		var script := GDScript.new()
		var source := block.get_slice("```", 0)
		script.source_code = source if source.begins_with("extends") else as_script(source)
		equal(script.reload(), OK, "result of compiling\n%s" % source)
		var body: CharacterBody2D = script.new()
		var kiri := PchrSprite2D.new()
		kiri.name = "Kiri"
		kiri.character = PchrCharacter.open("res://kiri.pchr")
		if source.contains("get_state_machine"):
			kiri.character.rig = FileAccess.get_file_as_string("res://look.rig.json")
			kiri.add_child(PchrStateMachine.new())
		var crowd := PchrCrowd2D.new()
		crowd.name = "Crowd"
		body.add_child(kiri)
		body.add_child(crowd)
		root.add_child(body)
		body.set("kiri", kiri)
		# What it calls reports errors, which fail the test.
		if body.has_method("run"):
			body.call("run")
		else:
			body.call("_physics_process", 0.1)
		kiri.advance(0.1)
		body.free()


func as_script(block: String) -> String:
	if not block.contains("func "):
		block = "func run() -> void:\n" + block.indent("\t")
	return "extends CharacterBody2D\nvar kiri: PchrSprite2D\n" + block
