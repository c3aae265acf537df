#!/bin/sh
# Installs dockface from this archive, without a compiler and without a package manager.
#
#   ./install.sh [--prefix FOLDER]      default: /usr/local for root, ~/.local for others
#   ./install.sh --uninstall [--prefix FOLDER]
#
# It writes only below FOLDER: lib/dockface, bin/dockface, manual pages and completions of the shells. Your settings, rigs and presets
# stay when you uninstall.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)

usage() { sed -n '4,5s/^# \{0,1\}//p' "$0"; }
if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix=${HOME:-}/.local; fi
# The copy in an installation belongs to that installation.
case "$here" in
*/lib/dockface) if [ -e "$here/links" ]; then prefix=${here%/lib/dockface}; fi ;;
esac
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
"~"*)
    echo "install.sh: the shell has not replaced the ~ in \"$prefix\"; write --prefix \"\$HOME${prefix#"~"}\"" >&2
    exit 64
    ;;
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
# One spelling of a folder, so that the links of an installation are recognised.
if [ -d "$prefix" ]; then
    prefix=$(cd "$prefix" && pwd -P)
else
    while [ "$prefix" != "${prefix%/}" ]; do prefix=${prefix%/}; done
fi
home=$prefix/lib/dockface

# Every file outside of lib/dockface is a link into it, so that uninstalling removes exactly what was installed. The lists `links` and
# `folders` in lib/dockface name the links, and the folders that did not exist before.
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

# Removes the links of an installed version.
remove_links() {
    [ -e "$home/links" ] || return 0
    while IFS='|' read -r link target; do
        if is_ours "$prefix/$link" "$home/$target"; then rm -f "$prefix/$link"; fi
    done <"$home/links"
}

# Creates a folder and the ones above it, and adds the new ones to a list.
create_folder() {
    if [ -d "$1" ]; then return 0; fi
    create_folder "$(dirname "$1")" "$2" || return
    mkdir "$1" || return
    echo "$1" >>"$2"
}

# Removes the folders of a list, the deepest first. Folders that contain something else stay.
remove_folders() {
    sort -r | while IFS= read -r folder; do rmdir "$folder" 2>/dev/null || true; done
}

if [ -e "$home" ] && [ ! -e "$home/links" ]; then
    echo "install.sh: $home exists and is not an installation of this archive; move it away, or use --prefix" >&2
    exit 73
fi
if $remove; then
    if [ ! -e "$home" ]; then
        echo "install.sh: dockface is not installed in $prefix; use --prefix if it is elsewhere" >&2
        exit 66
    fi
    remove_links
    folders=$(cat "$home/folders")
    rm -rf "$home"
    echo "$folders" | remove_folders
    echo "dockface is removed from $prefix. Your settings in ~/.config/dockface and your data in ~/.local/share/dockface remain."
    exit 0
fi

echo "$links" | while IFS='|' read -r link target; do
    if { [ -e "$prefix/$link" ] || [ -L "$prefix/$link" ]; } && ! is_ours "$prefix/$link" "$home/$target"; then
        echo "install.sh: $prefix/$link exists and does not belong to this installation; remove it, or use --prefix" >&2
        exit 73
    fi
done
list=$(mktemp)
trap 'rm -f "$list"' EXIT
if ! create_folder "$prefix/lib" "$list" || [ ! -w "$prefix/lib" ]; then
    echo "install.sh: $prefix/lib is not writable: run it as root, or use --prefix" >&2
    exit 77
fi
# The old files stay until the new ones are complete. A running daemon keeps the program that it has.
new=$home.new
rm -rf "$new"
mkdir "$new"
cp -R "$here"/. "$new"/
rm -f "$new/links" "$new/folders"
"$new/dockface" --version >/dev/null || {
    rm -rf "$new"
    remove_folders <"$list"
    echo "install.sh: the program does not start here; it needs glibc 2.36 or later and libudev.so.1 on $(uname -m)" >&2
    exit 69
}
echo "$links" >"$new/links"
if [ -e "$home/folders" ]; then cat "$home/folders" >>"$list"; fi
echo "$links" | while IFS='|' read -r link target; do create_folder "$(dirname "$prefix/$link")" "$list"; done
cp "$list" "$new/folders"
chmod 644 "$new/links" "$new/folders"
remove_links
rm -rf "$home"
mv "$new" "$home"
echo "$links" | while IFS='|' read -r link target; do ln -sfn "$home/$target" "$prefix/$link"; done

echo "dockface $("$home/dockface" --version) is installed in $prefix."
case ":${PATH:-}:" in
*":$prefix/bin:"*) ;;
*) echo "Add $prefix/bin to your PATH." ;;
esac
echo "Try it without hardware: dockface demo. With a rig: dockface doctor names what is in the way."
