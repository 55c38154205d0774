"""Loader variables: those by which whoever sets them chooses code that a program then runs.

A policy drops them. Each pattern has one star at most; docs/processes.md has them as a table.
"""

from __future__ import annotations

LOADER_VARIABLES = (
    # The dynamic loader and the C library.
    "LD_*", "DYLD_*", "GLIBC_TUNABLES", "MALLOC_*", "GCONV_PATH", "LOCPATH", "GETCONF_DIR",
    "OPENSSL_*", "GIO_EXTRA_MODULES", "QT_PLUGIN_PATH",
    # Shells.
    "ENV", "BASH_ENV", "BASH_FUNC_*", "BASHOPTS", "SHELLOPTS", "PS4", "PROMPT_COMMAND",
    "BASH_LOADABLES_PATH", "ZDOTDIR", "FPATH",
    # Interpreters and their package managers.
    "PYTHON*", "PERL5*", "PERL*", "RUBYOPT", "RUBYLIB", "GEM_*", "BUNDLE_*", "NODE_*",
    "npm_config_*", "LUA_*", "PHPRC", "PHP_INI_SCAN_DIR", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS", "JAVA_OPTS", "CLASSPATH", "MAVEN_*", "GRADLE_*", "DOTNET_*", "COMPlus_*",
    "COREHOST_*", "ERL_*", "ELIXIR_ERL_OPTIONS", "R_PROFILE*", "R_ENVIRON*", "R_LIBS*", "JULIA_*",
    "GUILE_LOAD_*", "GUILE_EXTENSIONS_PATH", "TCLLIBPATH", "AWKPATH", "AWKLIBPATH",
    "EMACSLOADPATH", "VIM", "VIMINIT", "VIMRUNTIME", "GVIMINIT", "EXINIT", "NPM_CONFIG_*", "PIP_*",
    "UV_*", "DENO_*", "BUN_*", "TCL_LIBRARY", "TK_LIBRARY", "CAML_LD_LIBRARY_PATH", "GHCRTS",
    "GHC_PACKAGE_PATH", "ANT_OPTS", "ANT_ARGS", "SBT_OPTS",
    # Compilers and what builds with them.
    "MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "CARGO_*", "RUSTC*", "RUSTDOC*",
    "RUSTFLAGS", "GOFLAGS", "GOTOOLDIR", "GCC_EXEC_PREFIX", "COMPILER_PATH", "CONFIG_SITE",
    "CCACHE_*", "DISTCC_*", "CMAKE_TOOLCHAIN_FILE", "CMAKE_*_LAUNCHER", "M4PATH", "ACLOCAL_PATH",
    "PKG_CONFIG",
    # git.
    "GIT_*_COMMAND", "GIT_CONFIG*", "GIT_SSH", "GIT_EXEC_PATH", "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_TEMPLATE_DIR",
    # Programs and options for other programs.
    "EDITOR", "VISUAL", "FCEDIT", "PAGER", "MANPAGER", "BROWSER", "LESSOPEN", "LESSCLOSE",
    "LESSKEY*", "SSH_ASKPASS", "SUDO_ASKPASS", "SUDO_EDITOR", "SYSTEMD_PAGER", "SYSTEMD_EDITOR",
    "TAR_OPTIONS", "RSYNC_RSH", "CVS_RSH", "SVN_SSH", "SVN_EDITOR", "HGRCPATH", "HGEDITOR",
    "RIPGREP_CONFIG_PATH", "FZF_DEFAULT_COMMAND", "FZF_DEFAULT_OPTS", "LESS", "WGETRC",
    "CURL_HOME", "KUBECONFIG", "PSQLRC", "PSQL_PAGER", "PSQL_EDITOR",
)  # fmt: skip
