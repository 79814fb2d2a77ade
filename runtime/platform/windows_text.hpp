// SPDX-License-Identifier: MIT
#pragma once

#include "platform/windows.hpp"
