// SPDX-License-Identifier: MIT
#pragma once

#include "render/program.hpp"

namespace pchr {

/// A linked program in the program cache. Does nothing without a cache, or if the driver offers no program binaries.
class ProgramBinary {
 public:
  ProgramBinary(const Gl& gl, std::initializer_list<ShaderSource> sources);

  /// Returns whether `program` is what was stored. Otherwise it can be linked from its shaders.
  [[nodiscard]] bool load(GLuint program) const;
  /// Must be called before `program` is linked.
  void before_linking(GLuint program) const;
  void store(GLuint program) const;

 private:
  const Gl& gl_;
  std::string identity_{};  ///< Equal only for the same program of the same driver. Empty if nothing is cached.
  std::string key_{};
};

}  // namespace pchr
