// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PAGE_FILES_H
#define DDL_PAGE_FILES_H

namespace ns3::ddl
{

// The build makes a source file that defines PAGE_STYLE and PAGE_SCRIPT from ddl-page.css and
// ddl-page.js (cmake/DdlLists.cmake, wscript). So programs need no files at run time.

extern const char* const PAGE_STYLE;  //!< text of ddl-page.css
extern const char* const PAGE_SCRIPT; //!< text of ddl-page.js

} // namespace ns3::ddl

#endif // DDL_PAGE_FILES_H
