// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/command_line.h"

int main(int argc, char** argv) {
    return inversight::runCommandLine(std::vector<std::string>(argv, argv + argc));
}
