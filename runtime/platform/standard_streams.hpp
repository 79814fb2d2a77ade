// SPDX-License-Identifier: MIT
#pragma once

#include "platform/files.hpp"
#include "platform/process.hpp"
