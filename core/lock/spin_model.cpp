// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/lock_models.h"

namespace inversight {

std::unique_ptr<ModelLock> makeSpinModel() {
    return std::make_unique<ModelLock>(ModelRules{
        .order = ModelRules::Order::Fifo,
        .grant = ModelRules::Grant::Barge,
        .spinning = ModelRules::Spinning::Always,
    });
}

} // namespace inversight
