// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
//
// bench_kshark FILE: how long libkshark takes to load all entries of a file, as KernelShark does.
#include <chrono>
#include <cstdio>

#include <kernelshark/libkshark.h>

int main(int argc, char** argv) {
    kshark_context* context = nullptr;
    if (argc < 2 || !kshark_instance(&context))
        return 2;
    const auto begin = std::chrono::steady_clock::now();
    const int stream = kshark_open(context, argv[1]);
    if (stream < 0)
        return 1;
    kshark_entry** entries = nullptr;
    const ssize_t count = kshark_load_entries(context, stream, &entries);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("seconds %.6f\nevents %lld\n", seconds.count(), static_cast<long long>(count));
    return count < 0 ? 1 : 0;
}
