extends PchrSprite2D
## Walks with the arrow keys, jumps and waves.

const SPEED := 200.0


func _ready() -> void:
	set_layer(1, 1.0, false, "upper body")
	play("idle")


func _process(delta: float) -> void:
	var direction := Input.get_axis("ui_left", "ui_right")
	if direction:
		flip_h = direction < 0
	position.x = clampf(position.x + direction * SPEED * delta, 80, 880)
	var wanted := "walk" if direction else "idle"
	var jumps := clip == "jump" and playing
	if Input.is_action_just_pressed("ui_up") and not jumps:
		crossfade("jump", 0.1)
	elif clip != wanted and not jumps:
		crossfade(wanted, 0.2)
	if Input.is_action_just_pressed("ui_accept"):
		play_layer(1, "wave", 0.2, LOOP_ONCE)
		queue_layer(1, "", 0.2)
