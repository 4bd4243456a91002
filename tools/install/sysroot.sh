#!/bin/sh
# sysroot.sh MACHINE FOLDER: unpacks the headers and archives of Debian 12 with which static programs for x86_64 or
# aarch64 are built, and writes the Meson cross file FOLDER/cross.ini. Nothing is installed. apt verifies the packages
# against the keys of this system. `dpkg-query --admindir FOLDER/var/lib/dpkg` knows the packages and their files.
set -eu
machine=$1
root=$(realpath -m -- "$2")
case $machine in
  x86_64) debian=amd64 ;;
  aarch64) debian=arm64 ;;
  *) echo "sysroot: x86_64 or aarch64, not $machine" >&2; exit 1 ;;
esac
triplet=$machine-linux-gnu prefix='' wrapper=''
if [ "$machine" != "$(uname -m)" ]; then prefix=$triplet- wrapper="exe_wrapper = 'qemu-$machine-static'"; fi
packages='libc6-dev linux-libc-dev libuv1-dev libsodium-dev libgit2-dev libhttp-parser-dev libmbedtls-dev libpcre2-dev
  libssl-dev libcurl4-openssl-dev libidn2-dev libunistring-dev libre2-dev libsqlite3-dev libpugixml-dev libyaml-dev
  libzstd-dev liblz4-dev zlib1g-dev libtomlplusplus-dev libcli11-dev libboost1.81-dev'
rm -rf -- "$root"
mkdir -p "$root/apt/lists/partial" "$root/apt/cache/archives/partial" "$root/apt/debs" "$root/var/lib/dpkg/info"
apt() {
  apt-get -q -o APT::Architecture="$debian" -o APT::Architectures="$debian" -o Dir::State::Lists="$root/apt/lists" \
    -o Dir::State::status=/dev/null -o Dir::Cache="$root/apt/cache" -o APT::Sandbox::User=root "$@"
}
apt update
# shellcheck disable=SC2086  # Each word is a package.
(cd "$root/apt/debs" && apt download $packages)
for deb in "$root"/apt/debs/*.deb; do
  dpkg-deb -x "$deb" "$root"
  name=$(dpkg-deb -f "$deb" Package)
  # The state of the package, without the fields that dpkg-query does not need.
  {
    printf 'Status: install ok installed\n'
    dpkg-deb -f "$deb" Package Version Architecture Multi-Arch Source Maintainer Homepage | sed '/^$/d'
    printf 'Description: headers and archives\n\n'
  } >>"$root/var/lib/dpkg/status"
  dpkg-deb --fsys-tarfile "$deb" | tar -t | sed 's|^\./|/|; s|/$||; s|^$|/.|' >"$root/var/lib/dpkg/info/$name.list"
done
printf '%s\n' "$debian" >"$root/var/lib/dpkg/arch"
find "$root/usr/lib" -name '*.so' -delete  # Links to shared libraries, which are not here.
rm -rf -- "$root/apt"
cat >"$root/cross.ini" <<END
[constants]
sysroot = '$root'
[binaries]
c = ['ccache', '${prefix}gcc-12', '--sysroot=' + sysroot, '-B' + sysroot + '/usr/lib/$triplet']
cpp = ['ccache', '${prefix}g++-12', '--sysroot=' + sysroot, '-B' + sysroot + '/usr/lib/$triplet']
ar = '${prefix}gcc-ar-12'
strip = '${prefix}strip'
pkgconfig = 'pkg-config'
$wrapper
[properties]
sys_root = sysroot
pkg_config_libdir = sysroot + '/usr/lib/$triplet/pkgconfig:' + sysroot + '/usr/share/pkgconfig'
boost_root = sysroot + '/usr'
[built-in options]
cpp_link_args = ['-static']
[host_machine]
system = 'linux'
cpu_family = '$machine'
cpu = '$machine'
endian = 'little'
END
