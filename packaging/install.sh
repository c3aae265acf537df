#!/bin/sh
# Installs dockface from this archive, without a compiler and without a package manager.
#
#   ./install.sh [--prefix FOLDER]      default: /usr/local for root, ~/.local for others
#   ./install.sh --uninstall [--prefix FOLDER]
#
# It writes only below FOLDER: lib/dockface, bin/dockface, manual pages and completions of the shells. Your settings, rigs and presets
# stay when you uninstall.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

usage() { sed -n '4,5s/^# \{0,1\}//p' "$0"; }
if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix=${HOME:-}/.local; fi
remove=false
while [ $# -gt 0 ]; do
    case "$1" in
    --prefix)
        if [ $# -lt 2 ] || [ -z "$2" ]; then usage >&2; exit 64; fi
        prefix=$2
        shift 2
        ;;
    --prefix=?*) prefix=${1#--prefix=} && shift ;;
    --uninstall) remove=true && shift ;;
    -h | --help) usage && exit 0 ;;
    *)
        echo "install.sh: unexpected argument \"$1\"" >&2
        usage >&2
        exit 64
        ;;
    esac
done
case "$prefix" in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac

# Every file outside of lib/dockface is a link into it, so that uninstalling removes exactly what was installed.
home=$prefix/lib/dockface
links="bin/dockface|dockface
share/bash-completion/completions/dockface|completions/dockface.bash
share/zsh/site-functions/_dockface|completions/_dockface
share/fish/vendor_completions.d/dockface.fish|completions/dockface.fish"
for page in "$here"/man/man*/*.gz; do
    [ -e "$page" ] || continue
    section=$(basename "$(dirname "$page")")
    links="$links
share/man/$section/$(basename "$page")|man/$section/$(basename "$page")"
done

# A link that leads elsewhere, or a file, belongs to another installation.
is_ours() { [ -L "$1" ] && [ "$(readlink "$1")" = "$2" ]; }

old_ifs=$IFS
IFS='
'
if $remove; then
    for line in $links; do
        link=$prefix/${line%%|*}
        if is_ours "$link" "$home/${line#*|}"; then rm -f "$link"; fi
    done
    rm -rf "$home"
    echo "dockface is removed from $prefix. Your settings in ~/.config/dockface and your data in ~/.local/share/dockface remain."
    exit 0
fi

for line in $links; do
    link=$prefix/${line%%|*}
    if { [ -e "$link" ] || [ -L "$link" ]; } && ! is_ours "$link" "$home/${line#*|}"; then
        echo "install.sh: $link exists and does not belong to this installation; remove it, or use --prefix" >&2
        exit 73
    fi
done
if ! mkdir -p "$prefix/lib" || [ ! -w "$prefix/lib" ]; then
    echo "install.sh: $prefix/lib is not writable: run it as root, or use --prefix" >&2
    exit 77
fi
# The old files stay until the new ones are complete. A running daemon keeps the program that it has.
new=$home.new
rm -rf "$new" && mkdir -p "$new"
cp -R "$here"/. "$new"/
"$new/dockface" --version >/dev/null || {
    rm -rf "$new"
    echo "install.sh: the program does not start here; it needs glibc 2.36 or later and libudev.so.1 on $(uname -m)" >&2
    exit 69
}
rm -rf "$home"
mv "$new" "$home"
for line in $links; do
    link=$prefix/${line%%|*}
    mkdir -p "$(dirname "$link")"
    ln -sfn "$home/${line#*|}" "$link"
done
IFS=$old_ifs

echo "dockface $("$home/dockface" --version) is installed in $prefix."
case ":$PATH:" in
*":$prefix/bin:"*) ;;
*) echo "Add $prefix/bin to your PATH." ;;
esac
echo "Try it without hardware: dockface demo. With a rig: dockface doctor names what is in the way."
