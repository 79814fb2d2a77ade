@tool
extends EditorResourcePreviewGenerator
## Shows the first frame of the first clip of a character in the FileSystem dock.


func _handles(type: String) -> bool:
	return type == "PchrCharacter"


func _can_generate_small_preview() -> bool:
	return true


func _generate(resource: Resource, size: Vector2i, _metadata: Dictionary) -> Texture2D:
	var character: PchrCharacter = resource
	var clips := character.get_clips()
	var image: Image = character.render("" if clips.is_empty() else clips[0], 0, size.x, size.y)
	return ImageTexture.create_from_image(image) if image != null else null
