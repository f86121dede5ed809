// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/program_finder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace inversight {

namespace {

namespace fs = std::filesystem;

constexpr const char* kWindowProgram = "inversight-gui";

bool executable(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> searchedDirectories() {
    std::vector<fs::path> directories;
    std::error_code ignored;
    const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
    if (!self.empty())
        directories.push_back(self.parent_path());
    const char* path = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): nobody sets it
    std::istringstream words(path ? path : "");
    for (std::string word; std::getline(words, word, ':');)
        directories.emplace_back(word.empty() ? "." : word);
    return directories;
}

} // namespace

Result<std::string> findWindowProgram() {
    for (const fs::path& directory : searchedDirectories()) {
        if (executable(directory / kWindowProgram))
            return (directory / kWindowProgram).string();
    }
    return std::unexpected(Error{
        ErrorCode::NotFound, "the window program inversight-gui is not there",
        "beside this program and on PATH",
        "install it, or build with -DINVERSIGHT_GUI=ON; 'inversight --help' lists what needs no "
        "window"});
}

Error execWindowProgram(const std::vector<std::string>& arguments) {
    const auto program = findWindowProgram();
    if (!program)
        return program.error();
    std::vector<std::string> words{*program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(program->c_str(), pointers.data());
    return Error::fromErrno(errno, "cannot start the window program", *program);
}

} // namespace inversight
