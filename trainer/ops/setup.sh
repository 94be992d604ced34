#!/bin/sh
# Sets up .venv/: a new enough Python, uv, every package of requirements-dev.txt (checked by digest), `gpu-math`.
# At once when nothing changed since the last time. Starts again from where it failed when it is called again.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
cd "$root"
venv=$root/.venv
stamp=$venv/.set-up
wanted="$(cat requirements-dev.txt "$here/setup.sh" "$here/find_python.sh" | cksum) $root"

if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && "$venv/bin/python" -c '' 2>/dev/null; then
    exit 0
fi

number=0
step() {
    number=$((number + 1))
    printf '[%s/5] %s\n' "$number" "$1" >&2
}
fail() {
    printf '\nThe set-up failed at step %s: %s\n%s\n' "$number" "$1" "$2" >&2
    exit 1
}
online="If the lines above speak of the network, check that the Python package index can be reached, then call it again."

step "Looking for Python 3.12 or newer"
python=
fetched=
if "$venv/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
    python=$venv/bin/python
elif python=$("$here/find_python.sh"); then
    :
else
    any=$(command -v python3 || true)
    [ -n "$any" ] || fail "there is no Python at all" "Install Python 3.12 or newer, then call it again."
    printf '      none found; an older one (%s) fetches uv, and uv a Python 3.13\n' "$any" >&2
    "$any" -m venv --clear .tools/uv ||
        fail "no room for uv could be made in .tools/" \
            "Install Python 3.12 or newer, or the venv module of this one (on Debian: apt-get install python3-venv)."
    .tools/uv/bin/python -m pip install --quiet --disable-pip-version-check uv || fail "uv could not be installed" "$online"
    fetched=.tools/uv/bin/uv
fi

step "Making the environment .venv/${python:+ with $python}"
if [ -n "$fetched" ]; then
    "$fetched" venv --clear --seed --python 3.13 "$venv" ||
        fail "no Python 3.13 could be fetched" "Install Python 3.12 or newer by your system's own means, then call it again."
elif [ "$python" != "$venv/bin/python" ]; then
    "$python" -m venv --clear "$venv" ||
        fail "the environment could not be made" "Check that there is room on the disk and that $root can be written to."
fi

step "Installing uv into it"
"$venv/bin/uv" --version >/dev/null 2>&1 ||
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check uv || fail "uv could not be installed" "$online"

step "Installing the packages of requirements-dev.txt"
"$venv/bin/uv" pip sync --quiet --python "$venv/bin/python" requirements-dev.txt ||
    fail "the packages could not be installed" "$online"

step "Installing the command gpu-math"
cat >"$venv/bin/gpu-math" <<'WRAPPER'
#!/bin/sh
# No site packages: the arithmetic needs the standard library alone, and starts the faster for it.
bin=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
exec "$bin/python" -S "$bin/../../calculator/gpu_math.py" "$@"
WRAPPER
chmod +x "$venv/bin/gpu-math"

printf '%s\n' "$wanted" >"$stamp"
printf 'Set up.\n' >&2
