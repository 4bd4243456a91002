"""The image for containers: an archive as the OCI specifies it, for all machines, and the Dockerfile for the same image."""
import hashlib
import json
import shutil

from archives import gzip_bytes, tar_bytes
from plugins import OPTIONS, write_text

OCI = "application/vnd.oci.image"
COMMAND = [*OPTIONS, "--workspace", "/workspace"]

DOCKERFILE = """# docker build --tag {image} .       in the folder with the tarballs
FROM scratch AS unpacked
ARG TARGETARCH
ADD snapgen-{version}-linux-${{TARGETARCH}}.tar.gz /
FROM scratch
COPY --from=unpacked /snapgen-*/bin /usr/bin
COPY --from=unpacked /snapgen-*/share/doc /usr/share/doc
COPY --from=unpacked /snapgen-*/LICENSE /usr/share/doc/snapgen/
{labels}WORKDIR /workspace
ENTRYPOINT ["/usr/bin/snapgen-server"]
CMD {command}
"""


def image_name(description):
    """Returns the name in GitHub's registry, such as ghcr.io/owner/repository."""
    return description["repository"].replace("https://github.com/", "ghcr.io/")


def labels(description):
    return {"io.modelcontextprotocol.server.name": description["registry_name"], "org.opencontainers.image.licenses": description["license"],
            "org.opencontainers.image.source": description["repository"], "org.opencontainers.image.title": description["title"]}


def write_image(release, targets):
    """Writes Dockerfile and the archive, from which `skopeo copy --all` reads the images of all machines."""
    description = release.description
    lines = "".join(f"LABEL {key}={json.dumps(value)}\n" for key, value in labels(description).items())
    write_text(release.out / "Dockerfile", DOCKERFILE.format(image=image_name(description), version=release.version, labels=lines,
                                                             command=json.dumps(COMMAND)))
    layout = release.work / "oci"
    (layout / "blobs/sha256").mkdir(parents=True)

    def blob(kind, data, **more):
        """Stores the data, and returns its descriptor."""
        data = data if isinstance(data, bytes) else json.dumps(data, sort_keys=True).encode()
        digest = hashlib.sha256(data).hexdigest()
        (layout / "blobs/sha256" / digest).write_bytes(data)
        return {"mediaType": f"{OCI}.{kind}", "digest": f"sha256:{digest}", "size": len(data), **more}

    manifests = []
    for each in targets:
        root = release.work / f"image-{each.machine.debian}"
        (root / "workspace").mkdir(parents=True)
        shutil.copytree(each.tree / "bin", root / "usr/bin", symlinks=True)
        shutil.copytree(each.tree / "share/doc", root / "usr/share/doc")
        shutil.copyfile(each.tree / "LICENSE", root / "usr/share/doc/snapgen/LICENSE")
        plain = tar_bytes(root, "", release.date)
        platform = {"architecture": each.machine.debian, "os": "linux"}
        config = blob("config.v1+json", {
            **platform, "created": release.created,
            "config": {"Entrypoint": ["/usr/bin/snapgen-server"], "Cmd": COMMAND, "WorkingDir": "/workspace", "Labels": labels(description)},
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(plain).hexdigest()}"]}})
        layer = blob("layer.v1.tar+gzip", gzip_bytes(plain, 0, release.level))
        manifests.append(blob("manifest.v1+json", {"schemaVersion": 2, "mediaType": f"{OCI}.manifest.v1+json", "config": config,
                                                   "layers": [layer], "annotations": labels(description)}, platform=platform))
    whole = blob("index.v1+json", {"schemaVersion": 2, "mediaType": f"{OCI}.index.v1+json", "manifests": manifests},
                 annotations={"org.opencontainers.image.ref.name": release.version})
    write_text(layout / "index.json", json.dumps({"schemaVersion": 2, "mediaType": f"{OCI}.index.v1+json", "manifests": [whole]}))
    write_text(layout / "oci-layout", '{"imageLayoutVersion": "1.0.0"}')
    (release.out / f"snapgen-{release.version}-oci.tar").write_bytes(tar_bytes(layout, "", release.date))
