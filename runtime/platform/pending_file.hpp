// SPDX-License-Identifier: MIT
#pragma once

#include "platform/output_file.hpp"
