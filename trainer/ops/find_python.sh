#!/bin/sh
# Prints a Python that is new enough for Roofline and complete (venv, pip, SQLite, TLS), or nothing (status 1).
# Looks at the PATH, then in pyenv's versions, then at Homebrew's. Each candidate is run: a shim of pyenv that stands for
# a version that is not switched on is on the PATH too, and answers with status 127.

good() {
    "$1" -c 'import sys, sqlite3, ssl, venv, ensurepip; sys.exit(not (3, 12) <= sys.version_info < (4,))' \
        </dev/null >/dev/null 2>&1
}

NAMES="python3.13 python3.14 python3.12 python3 python"

candidates() {
    for name in $NAMES; do
        old_ifs=$IFS
        IFS=:
        for folder in $PATH; do
            IFS=$old_ifs
            [ -n "$folder" ] && printf '%s\n' "$folder/$name"
        done
        IFS=$old_ifs
    done
    for version in 3.13 3.14 3.12; do
        for folder in "${PYENV_ROOT:-${HOME:-/}/.pyenv}/versions/$version"*; do
            printf '%s\n' "$folder/bin/python3"
        done
    done
    for prefix in ${HOMEBREW_PREFIX:-/opt/homebrew /usr/local /home/linuxbrew/.linuxbrew}; do
        for version in 3.13 3.14 3.12; do
            printf '%s\n' "$prefix/bin/python$version" "$prefix/opt/python@$version/bin/python$version"
        done
    done
}

candidates | while IFS= read -r candidate; do
    if [ -x "$candidate" ] && good "$candidate"; then
        printf '%s\n' "$candidate"
        break
    fi
done | grep .
