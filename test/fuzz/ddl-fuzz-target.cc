// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fuzz-inputs.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>

/**
 * The target of clang's libFuzzer (cmake -DDDL_FUZZ=ON, with clang++): the first byte says what the
 * rest is read as. What is refused as it should be is no finding; anything else ends the program.
 */
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    using namespace ns3::ddl;
    static const std::filesystem::path folder = [] {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "ddl-fuzz-target-XXXXXX").string();
        if (!mkdtemp(pattern.data()))
        {
            std::abort();
        }
        return std::filesystem::path(pattern);
    }();
    static InputReader reader(folder);
    if (size > 0)
    {
        reader.Read(static_cast<InputKind>(data[0] % INPUT_KINDS),
                    std::string(data + 1, data + size));
    }
    return 0;
}
