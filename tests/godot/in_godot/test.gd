class_name PchrTest
extends SceneTree
## Base of the tests: runs all functions whose names begin with test_, in order, and quits with the number of failures.

var failures := 0
var folder := OS.get_environment("PCHR_TEST_FOLDER")  ## For files that the test writes.


func _initialize() -> void:
	_run()


## Reports a failure unless the values are equal.
func equal(found: Variant, expected: Variant, what: String) -> void:
	var same: bool = is_equal_approx(found, expected) if found is float else found == expected
	check(same, "%s is %s, but %s was expected" % [what, found, expected])


## Reports a failure unless the condition is true.
func check(condition: bool, message: String) -> void:
	if not condition:
		failures += 1
		print("FAILED: ", message)


func _run() -> void:
	await process_frame
	var count := 0
	for method in get_method_list():
		var name: String = method.name
		if name.begins_with("test_"):
			print(name)
			await call(name)
			count += 1
	print("Ran %d tests" % count)
	quit(mini(failures, 1))
