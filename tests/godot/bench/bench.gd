extends SceneTree
## Measures the CPU time per frame of many characters, with a renderer that draws nothing. Prints a line for each kind
## and number: kind, number of characters, milliseconds per frame without those of an empty scene.

const MIN_SECONDS := 1.0  ## CPU time. The system counts in hundredths.
const MAX_FRAMES := 3000
const COUNTS: Array[int] = [100, 1000]


## Without a renderer, no node is in view, and those would not draw.
class Drawer extends Node:
	func _process(_delta: float) -> void:
		get_tree().call_group("sprites", "queue_redraw")


var kiri := PchrCharacter.open("res://kiri.pchr")
var plain := PchrCharacter.open("res://kiri.pchr")
var skeleton := PackedScene.new()
var moving: PchrCrowd2D
var seconds_of_empty_frame := 0.0


func _initialize() -> void:
	plain.rig = ""
	var made := make_skeleton(JSON.parse_string(FileAccess.get_file_as_string("res://kiri.json")))
	skeleton.pack(made)
	made.free()
	run()


func run() -> void:
	await process_frame
	root.add_child(Drawer.new())
	await measure("", 0, func(_count: int) -> Node: return Node2D.new())
	for count in COUNTS:
		await measure("PchrSprite2D", count, sprites.bind(plain))
		await measure("PchrSprite2D with springs and wind", count, sprites.bind(kiri))
		await measure("AnimatedSprite2D", count, sheets)
		await measure("Skeleton2D and Polygon2D", count, skeletons)
		await measure("PchrCrowd2D", count, crowd)
	await measure("PchrCrowd2D", 10000, crowd)
	process_frame.connect(move)
	await measure("PchrCrowd2D, all moved by script", 10000, func(count: int) -> Node:
		moving = crowd(count)
		return moving)
	quit()


func cpu_seconds() -> float:
	var fields := FileAccess.open("/proc/self/stat", FileAccess.READ).get_line().split(" ")
	return (fields[13].to_int() + fields[14].to_int()) / 100.0


func measure(kind: String, count: int, make: Callable) -> void:
	var node: Node = make.call(count)
	root.add_child(node)
	for i in 5:
		await process_frame
	var start := cpu_seconds()
	var frames := 0
	while frames < MAX_FRAMES and cpu_seconds() - start < MIN_SECONDS:
		for i in 30:
			await process_frame
		frames += 30
	var seconds := (cpu_seconds() - start) / frames
	node.free()
	if count == 0:
		seconds_of_empty_frame = seconds
	else:
		print("%s\t%d\t%f" % [kind, count, (seconds - seconds_of_empty_frame) * 1000])


func place(index: int) -> Vector2:
	return Vector2(index % 100 * 12, index / 100 * 12)


func sprites(count: int, character: PchrCharacter) -> Node:
	var parent := Node2D.new()
	for i in count:
		var sprite := PchrSprite2D.new()
		sprite.character = character
		sprite.position = place(i)
		sprite.play("walk")
		sprite.time = i * 0.01
		sprite.add_to_group("sprites")
		parent.add_child(sprite)
	return parent


func sheets(count: int) -> Node:
	var parent := Node2D.new()
	var frames: SpriteFrames = load("res://sheet.tres")
	for i in count:
		var sprite := AnimatedSprite2D.new()
		sprite.sprite_frames = frames
		sprite.position = place(i)
		sprite.play(frames.get_animation_names()[0])
		sprite.frame = i % 30
		parent.add_child(sprite)
	return parent


func skeletons(count: int) -> Node:
	var parent := Node2D.new()
	for i in count:
		var made: Node2D = skeleton.instantiate()
		made.position = place(i)
		parent.add_child(made)
		var player: AnimationPlayer = made.get_node("Player")
		player.play("all/walk")
		player.seek(i % 30 / 30.0)
	return parent


func crowd(count: int) -> PchrCrowd2D:
	var made := PchrCrowd2D.new()
	made.character = plain
	made.clip = "walk"
	var positions := PackedVector2Array()
	var phases := PackedFloat32Array()
	for i in count:
		positions.append(place(i))
		phases.append(i * 0.01)
	made.positions = positions
	made.phases = phases
	return made


func move() -> void:
	if is_instance_valid(moving):
		moving.positions = moving.positions


## Makes a node with a Skeleton2D, a Polygon2D for each mesh, and an AnimationPlayer with the clip walk.
func make_skeleton(character: Dictionary) -> Node2D:
	var top := Node2D.new()
	var bones := Skeleton2D.new()
	bones.name = "Bones"
	top.add_child(bones)
	var bind: Array = character.animations[0].frames[0]
	var made: Array[Bone2D] = []
	for i: int in character.bones.size():
		var bone := Bone2D.new()
		bone.name = character.bones[i].name
		bone.set_autocalculate_length_and_angle(false)
		bone.rest = Transform2D(angle(bind[i]), Vector2(bind[i].scaleX, bind[i].scaleY), 0, position(bind[i]))
		bone.transform = bone.rest
		var parent: int = character.bones[i].parent
		(made[parent] as Node if parent >= 0 else bones as Node).add_child(bone)
		made.append(bone)
	var texture: Texture2D = load("res://kiri.png")
	for mesh: Dictionary in character.meshes:
		var polygon := make_polygon(mesh, texture)
		top.add_child(polygon)
		polygon.skeleton = NodePath("../Bones")
		for i in made.size():
			var weights := PackedFloat32Array()
			for vertex: Dictionary in mesh.vertices:
				var weight := 0.0
				for slot in 4:
					if int(vertex.boneIds[slot]) == i:
						weight += vertex.boneWeights[slot]
				weights.append(weight)
			if weights.count(0.0) < weights.size():
				polygon.add_bone(bones.get_path_to(made[i]), weights)
	var player := AnimationPlayer.new()
	player.name = "Player"
	top.add_child(player)
	var library := AnimationLibrary.new()
	library.add_animation("walk", make_animation(character.animations[2].frames, top, made))
	player.add_animation_library("all", library)
	own(top, top)
	return top


func make_polygon(mesh: Dictionary, texture: Texture2D) -> Polygon2D:
	var polygon := Polygon2D.new()
	polygon.texture = texture
	var points := PackedVector2Array()
	var coordinates := PackedVector2Array()
	for vertex: Dictionary in mesh.vertices:
		points.append(Vector2(vertex.x, -vertex.y))
		coordinates.append(Vector2(vertex.u, vertex.v) * texture.get_size())
	polygon.polygon = points
	polygon.uv = coordinates
	var triangles: Array[PackedInt32Array] = []
	for i in range(0, mesh.indices.size(), 3):
		triangles.append(PackedInt32Array([mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]]))
	polygon.polygons = triangles
	return polygon


## Adds tracks for what changes.
func make_animation(frames: Array, top: Node, bones: Array[Bone2D]) -> Animation:
	var animation := Animation.new()
	animation.length = frames.size() / 30.0
	animation.loop_mode = Animation.LOOP_LINEAR
	for i in bones.size():
		var samples: Array[Callable] = [position, angle]
		for kind in samples.size():
			var values: Array = frames.map(func(frame: Array) -> Variant: return samples[kind].call(frame[i]))
			if values.count(values[0]) == values.size():
				continue
			var track := animation.add_track(Animation.TYPE_VALUE)
			animation.track_set_path(track, "%s:%s" % [top.get_path_to(bones[i]), ["position", "rotation"][kind]])
			for frame in values.size():
				animation.track_insert_key(track, frame / 30.0, values[frame])
	return animation


func position(sample: Dictionary) -> Vector2:
	return Vector2(sample.x, -sample.y)


func angle(sample: Dictionary) -> float:
	return deg_to_rad(-sample.rotation)


func own(node: Node, owner: Node) -> void:
	for child in node.get_children():
		child.owner = owner
		own(child, owner)
