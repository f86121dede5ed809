// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/pthread_lock.h"

namespace inversight {

std::unique_ptr<LockPolicy> makePthread(const LockSetup& setup) {
    return std::make_unique<PthreadLock>(setup);
}

} // namespace inversight
