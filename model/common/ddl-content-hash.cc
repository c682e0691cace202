// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-content-hash.h"

#include "ddl-error.h"

#include "ns3/hash-fnv.h"
#include "ns3/hash.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <vector>

namespace ns3::ddl
{

namespace
{

Hasher
MakeHasher()
{
    Hasher hasher(Create<Hash::Function::Fnv1a>()); // its hash of blocks is that of the whole
    hasher.clear();
    return hasher;
}

std::string
ToHex(uint64_t number)
{
    std::ostringstream text;
    text << std::hex << std::setfill('0') << std::setw(16) << number;
    return text.str();
}

} // namespace

std::string
HashText(const std::string& text)
{
    return ToHex(MakeHasher().GetHash64(text.data(), text.size()));
}

std::string
HashFile(const std::string& path)
{
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    Hasher hasher = MakeHasher();
    uint64_t hash = hasher.GetHash64("", 0);
    std::vector<char> block(std::size_t{1} << 20);
    while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0)
    {
        hash = hasher.GetHash64(block.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.eof())
    {
        throw InputError({{path, "", std::string("cannot be read: ") + std::strerror(errno)}});
    }
    return ToHex(hash);
}

} // namespace ns3::ddl
