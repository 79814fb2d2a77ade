// SPDX-License-Identifier: MIT
#pragma once

#include "platform/process.hpp"
