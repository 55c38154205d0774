"""Sound: what the headers of audio and video tell."""

from __future__ import annotations

from keysh.tools.file.contents import OCTET_STREAM, big_endian, little_endian
from keysh.tools.file.pictures import webp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.file.contents import FileContents, Kind

WAVE_CODINGS = {1: "Microsoft PCM", 2: "Microsoft ADPCM", 3: "IEEE Float", 6: "ITU G.711 A-law",
                7: "ITU G.711 mu-law", 85: "MPEG Layer 3"}  # fmt: skip
WAVE_PCM = 1
MIN_WAVE_BYTES = 36  # bytes, up to which the coding is told
CHANNELS = {1: "mono", 2: "stereo"}
# What an ISO file says of itself: in words behind "ISO Media", and as a media type.
BRANDS = {
    b"isom": ("MP4 Base Media v1 [ISO 14496-12:2003]", "video/mp4"),
    b"iso2": ("MP4 Base Media v2 [ISO 14496-12:2005]", "video/mp4"),
    b"iso4": ("MP4 Base Media v4", "video/mp4"),
    b"iso5": ("MP4 Base Media v5", "video/mp4"),
    b"iso6": ("MP4 Base Media v6", "video/mp4"),
    b"mp41": ("MP4 v1 [ISO 14496-1:ch13]", "video/mp4"),
    b"mp42": ("MP4 v2 [ISO 14496-14]", "video/mp4"),
    b"avc1": ("MP4 Base w/ AVC ext [ISO 14496-12:2005]", "video/mp4"),
    b"dash": ("MPEG v4 system, Dynamic Adaptive Streaming over HTTP", "video/mp4"),
    b"qt  ": ("Apple QuickTime movie, Apple QuickTime (.MOV/QT)", "video/quicktime"),
    b"M4A ": ("Apple iTunes ALAC/AAC-LC (.M4A) Audio", "audio/x-m4a"),
    b"M4V ": ("Apple iTunes Video (.M4V) Video", "video/x-m4v"),
    b"avif": ("AVIF Image", "image/avif"),
    b"heic": ("HEIF Image HEVC Main or Main Still Picture Profile", "image/heic"),
    b"mif1": ("HEIF Image", "image/heif"),
    b"3gp4": ("MPEG v4 system, 3GPP", "video/3gpp"),
    b"3gp5": ("MPEG v4 system, 3GPP", "video/3gpp"),
}
MPEG_RATES = {
    1: (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0),
    2: (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0),
}  # of layer III, in thousands of bits
MPEG_CLOCKS = {1: ("44.1", "48", "32", ""), 2: ("22.05", "24", "16", "")}
MPEG_CHANNELS = ("Stereo", "JntStereo", "2x Monaural", "Monaural")


def riff(contents: FileContents) -> Kind:
    data = contents.head
    kind, number = data[8:12], little_endian
    said = "RIFF (little-endian) data"
    if data.startswith(b"RIFX"):
        number, said = big_endian, "RIFF (big-endian) data"
    if kind == b"WAVE" and (number is big_endian or len(data) < MIN_WAVE_BYTES):
        return f"{said}, WAVE audio", OCTET_STREAM if number is big_endian else "audio/x-wav"
    if kind == b"WAVE":
        coding = little_endian(data, 20, 2)
        said += f", WAVE audio, {WAVE_CODINGS.get(coding, f'{coding:#x}')}"
        said += f", {little_endian(data, 34, 2)} bit" if coding == WAVE_PCM else ""
        count = little_endian(data, 22, 2)
        return f"{said}, {channel_text(count)} {little_endian(data, 24, 4)} Hz", "audio/x-wav"
    if kind == b"AVI ":
        return f"{said}, AVI", "video/x-msvideo"
    return webp(data) if kind == b"WEBP" else (said, OCTET_STREAM)


def channel_text(count: int) -> str:
    return CHANNELS.get(count, f"{count} channels")


def ogg(contents: FileContents) -> Kind:
    data, said = contents.head, "Ogg data"
    if data[29:35] == b"vorbis":
        sound = f"Vorbis audio, {channel_text(big_endian(data, 39, 1))}, {little_endian(data, 40, 4)} Hz"
        return f"{said}, {sound}", "audio/ogg"
    if data[28:36] == b"OpusHead":
        version, rate = big_endian(data, 36, 1), little_endian(data, 40, 4)
        sound = f"Opus audio, version 0.{version}, {channel_text(big_endian(data, 37, 1))}"
        return f"{said}, {sound}, {rate} Hz (Input Sample Rate)", "audio/ogg"
    return said, OCTET_STREAM


def flac(contents: FileContents) -> Kind:
    packed = big_endian(contents.head, 18, 8)  # the rate, channels, bits and samples side by side
    bits, count = (packed >> 36 & 31) + 1, (packed >> 41 & 7) + 1
    rate, samples = packed >> 44, packed & (1 << 36) - 1
    length = f"{samples} samples" if samples else "length unknown"
    said = f"{bits} bit, {channel_text(count)}, {rate / 1000:g} kHz, {length}"
    return f"FLAC audio bitstream data, {said}", "audio/flac"


def iso_media(contents: FileContents) -> Kind:
    words, media = BRANDS.get(contents.head[8:12], ("", "video/mp4"))
    return f"ISO Media, {words}" if words else "ISO Media", media


def id3(contents: FileContents) -> Kind:
    data = contents.head
    said = f"Audio file with ID3 version 2.{big_endian(data, 3, 1)}.{big_endian(data, 4, 1)}"
    size = sum((big_endian(data, 6 + at, 1) & 0x7F) << 7 * (3 - at) for at in range(4))
    found = mpeg_frame(contents.read_part(10 + size, 4))
    return (f"{said}, contains: {found}", "audio/mpeg") if found else (said, OCTET_STREAM)


def mpeg(contents: FileContents) -> Kind | None:
    found = mpeg_frame(contents.head)
    return (found, "audio/mpeg") if found else None


def mpeg_frame(data: bytes) -> str:
    """What the header of a frame of layer III says; empty where it is none."""
    bits = big_endian(data, 0, 4)
    if bits >> 21 != 0x7FF or bits >> 17 & 3 != 1 or bits >> 19 & 3 not in (2, 3):
        return ""
    version = 1 if bits >> 19 & 3 == 3 else 2
    rate, clock = MPEG_RATES[version][bits >> 12 & 15], MPEG_CLOCKS[version][bits >> 10 & 3]
    if not (rate and clock):
        return ""
    said = f"MPEG ADTS, layer III, v{version}, {rate:3} kbps, {clock} kHz"
    return f"{said}, {MPEG_CHANNELS[bits >> 6 & 3]}"


def matroska(contents: FileContents) -> Kind:
    if b"webm" in contents.head[:4096]:
        return "WebM", "video/webm"
    return "Matroska data", "video/x-matroska"


def midi(contents: FileContents) -> Kind:
    data = contents.head
    form, tracks, division = (big_endian(data, at, 2) for at in (8, 10, 12))
    plural = "s" if tracks != 1 else ""
    said = f"(format {form}) using {tracks} track{plural} at 1/{division}"
    return f"Standard MIDI data {said}", "audio/midi"
