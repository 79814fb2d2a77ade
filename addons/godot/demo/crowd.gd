extends PchrCrowd2D
## Fills the stand with spectators. Those in front are larger and brighter.

const ROWS := 12
const COLORS: Array[Color] = [Color.WHITE, Color(1, 0.8, 0.7), Color(0.7, 0.9, 1), Color(0.8, 1, 0.75)]


func _ready() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 7
	for row in ROWS:
		var size := lerpf(0.1, 0.2, float(row) / (ROWS - 1))
		var y := lerpf(150, 330, float(row) / (ROWS - 1))
		var x := random.randf_range(-100, 0) * size
		while x < 1000:
			var place := Vector2(x, y + random.randf_range(-100, 100) * size)
			var index := add_instance(Transform2D(0, Vector2(size, size), 0, place), "walk")
			set_instance_tint(index, COLORS[random.randi() % COLORS.size()])
			set_instance_speed(index, random.randf_range(0.6, 1.4))
			x += 380 * size
