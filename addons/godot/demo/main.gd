extends Node2D
## Shows Kiri walking.

@onready var kiri: PchrSprite2D = $Kiri


func _ready() -> void:
	kiri.character = load("res://kiri.pchr")
	kiri.play("walk")
