function love.conf(options)
  options.window.title = "pchr"
  options.window.width, options.window.height = 640, 400
  options.modules.audio, options.modules.joystick, options.modules.physics = false, false, false
end
