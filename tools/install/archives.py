"""Archives that are the same bytes each time: with sorted names, one time for all files, and root as their owner."""
import gzip
import io
import tarfile
import time
import zipfile


def mode_of(path):
    return 0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644


def tar_bytes(tree, prefix, date):
    """Returns a tar archive of the folder, in which the names begin with `prefix`."""
    def same(info):
        info.mtime = date
        info.uid = info.gid = 0
        info.uname = info.gname = "root"
        if not info.issym():
            info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
        return info

    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for each in sorted(tree.rglob("*")):
            archive.add(each, arcname=f"{prefix}{each.relative_to(tree)}", recursive=False, filter=same)
    return plain.getvalue()


def gzip_bytes(data, date, level):
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=date, compresslevel=level) as file:
        file.write(data)
    return packed.getvalue()


def write_tar_gz(target, tree, prefix, date, level):
    target.write_bytes(gzip_bytes(tar_bytes(tree, prefix, date), date, level))
    return target


def write_zip(target, tree, date, level):
    """Writes a zip archive of the files of the folder. A zip archive has no times before 1980."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for each in sorted(tree.rglob("*")):
            if each.is_file():
                info = zipfile.ZipInfo(str(each.relative_to(tree)), time.gmtime(max(date, 315532800))[:6])
                info.external_attr = (0o100000 | mode_of(each)) << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, each.read_bytes(), compresslevel=level)
    return target
