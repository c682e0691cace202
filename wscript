# SPDX-License-Identifier: GPL-2.0-only
"""In-tree build for ns-3 <= 3.35 (waf). The file lists are those of cmake/ddl-files.cmake."""

import os
import re

NS3_MODULES = ['core', 'network', 'internet', 'applications', 'point-to-point', 'traffic-control']
LP_SOLVE = ['lpsolve55_pic', 'colamd']  # as Debian names them
BOOST = ['boost_iostreams', 'boost_filesystem', 'boost_system']


def read_lists(root):
    """All `set(ddl_x ...)` of cmake/ddl-files.cmake: name -> list of words."""
    with open(os.path.join(root, 'cmake', 'ddl-files.cmake'), encoding='utf-8') as file:
        text = re.sub(r'#.*', '', file.read())
    sets = re.findall(r'^\s*set\((ddl_\w+)([^)]*)\)', text, re.MULTILINE)
    return {name: words.split() for name, words in sets}


def folder_of(name):
    """"ddl_fabric_queues" -> "model/fabric/queues"."""
    room = name[len('ddl_'):].replace('_', '/')
    return room if room.split('/')[0] in ('helper', 'app') else 'model/' + room


def listed(root, kind):
    """Paths from the root of all 'headers', 'sources', 'programs' or 'examples'."""
    paths = []
    for name, words in read_lists(root).items():
        if name in ('ddl_programs', 'ddl_examples'):
            if name == 'ddl_' + kind:
                paths += ['%s/%s.cc' % (kind, word) for word in words]
        elif kind in ('headers', 'sources') and not name.endswith('_tests'):
            suffix = '.h' if kind == 'headers' else '.cc'
            files = [word if '.' in word else word + suffix for word in words]
            paths += ['%s/%s' % (folder_of(name), file) for file in files if file.endswith(suffix)]
    return paths


def listed_files(root):
    """Everything that this file builds; test/check-rooms.py compares it with the lists."""
    return [path for kind in ('headers', 'sources', 'programs', 'examples')
            for path in listed(root, kind)]


def write_page_source(root, path):
    """Make a source of the style and the script of pages, as cmake/DdlLists.cmake does."""
    parts = ['#include "app/page/ddl-page-files.h"\nnamespace ns3::ddl\n{\n']
    for name, suffix in (('PAGE_STYLE', 'css'), ('PAGE_SCRIPT', 'js')):
        with open(os.path.join(root, 'app', 'page', 'ddl-page.' + suffix), encoding='utf-8') as file:
            parts.append('const char* const %s = R"ddl-file(%s)ddl-file";\n' % (name, file.read()))
    text = ''.join(parts) + '} // namespace ns3::ddl\n'
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def configure(conf):
    for header, package in (('nlohmann/json.hpp', 'nlohmann-json3-dev'),
                            ('boost/version.hpp', 'libboost-dev'),
                            ('gnuplot-iostream.h', 'libgnuplot-iostream-dev')):
        conf.check_cxx(header_name=header, features='cxx',
                       errmsg='not found (on Debian: apt-get install %s)' % package)
    # Without it the policy `gavel` refuses to run.
    conf.env['DDL_LP_SOLVE'] = bool(conf.check_cxx(header_name='lpsolve/lp_lib.h', features='cxx',
                                                   mandatory=False))


def settle(target, root):
    """C++17, which ns-3 < 3.35 does not set itself, app/ by its folder, and the libraries beside ns-3."""
    target.env.append_value('INCLUDES', [root])
    if '-std=c++17' not in target.env['CXXFLAGS']:
        target.env.append_value('CXXFLAGS', '-std=c++17')
    target.env.append_value('LIB', BOOST)
    if target.env['DDL_LP_SOLVE']:
        target.env.append_value('DEFINES', 'DDL_LP_SOLVE')
        target.env.append_value('LIB', LP_SOLVE)
    target.env.append_value('LIB', ['dl'])


def build(bld):
    root = bld.path.abspath()
    module = bld.create_ns3_module('ddl', NS3_MODULES)
    module.source = listed(root, 'sources')  # with app/, as programs are linked with modules here
    page = bld.path.get_bld().make_node('ddl-page-files.cc')
    write_page_source(root, page.abspath())
    module.source.append(page.name)  # found in the build folder, where waf looks first
    settle(module, root)
    for name, folder in (('DDL_VERSION', root), ('DDL_NS3_VERSION', bld.srcnode.abspath())):
        with open(os.path.join(folder, 'VERSION'), encoding='utf-8') as file:
            module.env.append_value('DEFINES', '%s="%s"' % (name, file.readline().strip()))
    module.env.append_value('DEFINES', 'DDL_DATA_FOLDER="%s"' % root)

    headers = bld(features='ns3header')
    headers.module = 'ddl'
    headers.source = [path for path in listed(root, 'headers') if not path.startswith('app/')]

    kinds = ['programs'] + (['examples'] if bld.env['ENABLE_EXAMPLES'] else [])
    for path in (path for kind in kinds for path in listed(root, kind)):
        name = os.path.splitext(os.path.basename(path))[0]
        program = bld.create_ns3_program(name, ['ddl'] + NS3_MODULES)
        program.source = path
        settle(program, root)
