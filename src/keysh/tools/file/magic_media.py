"""The rows of magic.py for pictures, fonts, sound and video."""

from __future__ import annotations

MAGIC_MEDIA = r"""
# ---------------------------------------------------------------- pictures
0	string	\x89PNG\r\n\x1a\n
>12	string	IHDR	PNG image data
!:mime	image/png
>>16	ubelong	x	\b, %d x
>>20	ubelong	x	%d,
>>24	ubyte	x	%d-bit
>>25	ubyte	0	grayscale
>>25	ubyte	2	\b/color RGB
>>25	ubyte	3	colormap
>>25	ubyte	4	gray+alpha
>>25	ubyte	6	\b/color RGBA
>>28	ubyte	0	\b, non-interlaced
>>28	ubyte	>0	\b, interlaced

0	string	GIF8	GIF image data
!:mime	image/gif
>4	string	7a	\b, version 87a,
>4	string	9a	\b, version 89a,
>9	ubyte	x
>>6	uleshort	x	%d x
>>8	uleshort	x	%d

0	string	\xff\xd8\xff
>3	ubyte	x	JPEG image data
!:mime	image/jpeg
>>6	string	JFIF	\b, JFIF standard
>>>11	ubyte	x	%d.
>>>12	ubyte	x	\b%02d
>>>13	ubyte	0	\b, aspect ratio
>>>13	ubyte	1	\b, resolution (DPI)
>>>13	ubyte	2	\b, resolution (DPCM)
>>>14	ubeshort	x	\b, density %dx
>>>16	ubeshort	x	\b%d
>>>4	ubeshort	x	\b, segment length %d
>>6	string	Exif	\b, Exif standard: [
>>>12	use	tiff
>>>12	string	x	\b]
>>6	string	!Exif
>>>2	use	jpeg-segment
0	name	jpeg-segment
>0	ubeshort	0xfffe
>>2	pstring	x	\b, comment: "%s"
>0	ubeshort	0xffc0	\b, baseline, precision
>>4	use	jpeg-frame
>0	ubeshort	0xffc1	\b, extended sequential, precision
>>4	use	jpeg-frame
>0	ubeshort	0xffc2	\b, progressive, precision
>>4	use	jpeg-frame
>0	ubeshort	>0xffc2
>>(2.S+2)	use	jpeg-segment
0	name	jpeg-frame
>0	ubyte	x	%d
>3	ubeshort	x	\b, %dx
>1	ubeshort	x	\b%d
>5	ubyte	x	\b, components %d

0	string	BM
>29	ubyte	x
!:mime	image/bmp
>>14	ulelong	12	PC bitmap, OS/2 1.x format
>>>0	use	bitmap
>>14	ulelong	40	PC bitmap, Windows 3.x format
>>>0	use	bitmap
>>14	ulelong	108	PC bitmap, Windows 95/NT4 and newer format
>>>0	use	bitmap
>>14	ulelong	124	PC bitmap, Windows 98/2000 and newer format
>>>0	use	bitmap
0	name	bitmap
>18	lelong	x	\b, %d x
>22	lelong	x	%d x
>28	uleshort	x	%d
>14	ulelong	40
>>34	ulelong	>0	\b, image size %d
>>38	ulelong	>0	\b, resolution %d x
>>>42	ulelong	x	%d px/m
>2	ulelong	x	\b, cbSize %d
>10	ulelong	x	\b, bits offset %d

0	string	II*\0
!:mime	image/tiff
>0	use	tiff
0	string	MM\0*
!:mime	image/tiff
>0	use	tiff
0	name	tiff
>0	string	MM	\bTIFF image data, big-endian
>>(4.L)	ubeshort	x	\b, direntries=%d
>0	string	!MM	\bTIFF image data, little-endian
>>(4.l)	uleshort	x	\b, direntries=%d

0	string	8BPS	Adobe Photoshop Image
!:mime	image/vnd.adobe.photoshop
>18	ubelong	x	\b, %d x
>14	ubelong	x	%d,
>24	ubeshort	0	bitmap
>24	ubeshort	1	grayscale
>24	ubeshort	2	indexed
>24	ubeshort	3	RGB
>24	ubeshort	4	CMYK
>24	ubeshort	9	Lab
>12	ubeshort	x	\b, %dx
>22	ubeshort	x	%d-bit channels

0	string	gimp\x20xcf\x20	GIMP XCF image data, version
!:mime	image/x-xcf
>9	string	file	0
>9	string	v
>>10	string/3	x	%s
>14	ubelong	x	\b, %d x
>18	ubelong	x	%d,
>22	ubelong	0	RGB Color
>22	ubelong	1	Greyscale
>22	ubelong	2	Indexed Color

0	string	AT&TFORM	DjVu image or single page document
!:mime	image/vnd.djvu

# ---------------------------------------------------------------- fonts
0	string	\0\1\0\0\0
>12	regex/4	\A[\x20-~]{4}	TrueType Font data
!:mime	font/sfnt
>>4	ubeshort	x	\b, %d tables
>>12	string/4	x	\b, 1st "%s"
0	string	OTTO	OpenType font data
!:mime	application/vnd.ms-opentype
0	string	wOFF
>7	ubyte	x	Web Open Font Format
!:mime	font/woff
>>4	string	OTTO	\b, CFF
>>4	string	!OTTO	\b, TrueType
>>23	ubyte	x
>>>8	ubelong	x	\b, length %d
>>>20	ubeshort	x	\b, version %d
>>>22	ubeshort	x	\b.%d
0	string	wOF2
>7	ubyte	x	Web Open Font Format (Version 2)
!:mime	font/woff2
>>4	string	OTTO	\b, CFF
>>4	string	!OTTO	\b, TrueType
>>27	ubyte	x
>>>8	ubelong	x	\b, length %d
>>>24	ubeshort	x	\b, version %d
>>>26	ubeshort	x	\b.%d

# ---------------------------------------------------------------- sound
0	string	RIFF	RIFF (little-endian) data
>8	string	WAVE	\b, WAVE audio
!:mime	audio/x-wav
>>35	ubyte	x
>>>20	uleshort	1	\b, Microsoft PCM
>>>>34	uleshort	x	\b, %d bit
>>>20	uleshort	2	\b, Microsoft ADPCM
>>>20	uleshort	3	\b, IEEE Float
>>>20	uleshort	6	\b, ITU G.711 A-law
>>>20	uleshort	7	\b, ITU G.711 mu-law
>>>20	uleshort	85	\b, MPEG Layer 3
>>>20	default	x
>>>>20	uleshort	x	\b, %#x
>>>22	uleshort	1	\b, mono
>>>22	uleshort	2	\b, stereo
>>>22	uleshort	!1
>>>>22	uleshort	!2	\b, %d channels
>>>24	ulelong	x	%d Hz
>8	string	AVI\x20	\b, AVI
!:mime	video/x-msvideo
>8	string	WEBP	\b, Web/P image
!:mime	image/webp
>>12	string	VP8\x20	\b, VP8 encoding,
>>>26	uleshort&0x3fff	x	%d
>>>28	uleshort&0x3fff	x	\bx%d, Scaling: [none]x[none], YUV color, decoders should clamp
0	string	RIFX	RIFF (big-endian) data
>8	string	WAVE	\b, WAVE audio
>8	string	AVI\x20	\b, AVI
!:mime	video/x-msvideo

0	string	OggS	Ogg data
>29	string	vorbis	\b, Vorbis audio
!:mime	audio/ogg
>>39	use	channels
>>40	ulelong	x	\b, %d Hz
>28	string	OpusHead	\b, Opus audio, version
!:mime	audio/ogg
>>36	ubyte	x	0.%d
>>37	use	channels
>>40	ulelong	x	\b, %d Hz (Input Sample Rate)
0	name	channels
>0	ubyte	1	\b, mono
>0	ubyte	2	\b, stereo
>0	ubyte	!1
>>0	ubyte	!2	\b, %d channels

0	string	fLaC
>25	ubyte	x	FLAC audio bitstream data
!:mime	audio/flac
>>20	ubeshort&0x1f0	0x070	\b, 8 bit
>>20	ubeshort&0x1f0	0x0b0	\b, 12 bit
>>20	ubeshort&0x1f0	0x0f0	\b, 16 bit
>>20	ubeshort&0x1f0	0x130	\b, 20 bit
>>20	ubeshort&0x1f0	0x170	\b, 24 bit
>>20	ubeshort&0x1f0	0x1f0	\b, 32 bit
>>20	ubyte&0xe	0	\b, mono
>>20	ubyte&0xe	2	\b, stereo
>>20	ubyte&0xe	4	\b, 3 channels
>>20	ubyte&0xe	6	\b, 4 channels
>>20	ubyte&0xe	8	\b, 5 channels
>>20	ubyte&0xe	10	\b, 6 channels
>>20	ubyte&0xe	12	\b, 7 channels
>>20	ubyte&0xe	14	\b, 8 channels
>>18	ubelong/4096	8000	\b, 8 kHz
>>18	ubelong/4096	11025	\b, 11.025 kHz
>>18	ubelong/4096	16000	\b, 16 kHz
>>18	ubelong/4096	22050	\b, 22.05 kHz
>>18	ubelong/4096	24000	\b, 24 kHz
>>18	ubelong/4096	32000	\b, 32 kHz
>>18	ubelong/4096	44100	\b, 44.1 kHz
>>18	ubelong/4096	48000	\b, 48 kHz
>>18	ubelong/4096	64000	\b, 64 kHz
>>18	ubelong/4096	88200	\b, 88.2 kHz
>>18	ubelong/4096	96000	\b, 96 kHz
>>18	ubelong/4096	176400	\b, 176.4 kHz
>>18	ubelong/4096	192000	\b, 192 kHz
>>18	ubequad&0xfffffffff	0	\b, length unknown
>>18	ubequad&0xfffffffff	>0	\b, %d samples

0	string	ID3	Audio file with ID3 version 2.
>3	ubyte	x	\b%d
>4	ubyte	x	\b.%d
>(6.I+10)	ubeshort&0xfff6	0xfff2	\b, contains:
>>(6.I+10)	use	mpeg-frame
0	ubyte	0xff
>3	ubyte	x
>>0	use	mpeg-frame
# Layer III only; without a rate or a clock it is no frame.
0	name	mpeg-frame
>0	ubeshort&0xfffe	0xfffa
>>2	ubyte&0xc	!0xc
>>>2	ubyte&0xf0	!0xf0
>>>>2	ubyte&0xf0	>0	MPEG ADTS, layer III, v1
!:mime	audio/mpeg
>>>>>2	ubyte&0xf0	0x10	\b,  32 kbps
>>>>>2	ubyte&0xf0	0x20	\b,  40 kbps
>>>>>2	ubyte&0xf0	0x30	\b,  48 kbps
>>>>>2	ubyte&0xf0	0x40	\b,  56 kbps
>>>>>2	ubyte&0xf0	0x50	\b,  64 kbps
>>>>>2	ubyte&0xf0	0x60	\b,  80 kbps
>>>>>2	ubyte&0xf0	0x70	\b,  96 kbps
>>>>>2	ubyte&0xf0	0x80	\b, 112 kbps
>>>>>2	ubyte&0xf0	0x90	\b, 128 kbps
>>>>>2	ubyte&0xf0	0xa0	\b, 160 kbps
>>>>>2	ubyte&0xf0	0xb0	\b, 192 kbps
>>>>>2	ubyte&0xf0	0xc0	\b, 224 kbps
>>>>>2	ubyte&0xf0	0xd0	\b, 256 kbps
>>>>>2	ubyte&0xf0	0xe0	\b, 320 kbps
>>>>>2	ubyte&0xc	0x0	\b, 44.1 kHz
>>>>>2	ubyte&0xc	0x4	\b, 48 kHz
>>>>>2	ubyte&0xc	0x8	\b, 32 kHz
>>>>>3	use	mpeg-channels
>0	ubeshort&0xfffe	0xfff2
>>2	ubyte&0xc	!0xc
>>>2	ubyte&0xf0	!0xf0
>>>>2	ubyte&0xf0	>0	MPEG ADTS, layer III, v2
!:mime	audio/mpeg
>>>>>2	ubyte&0xf0	0x10	\b,   8 kbps
>>>>>2	ubyte&0xf0	0x20	\b,  16 kbps
>>>>>2	ubyte&0xf0	0x30	\b,  24 kbps
>>>>>2	ubyte&0xf0	0x40	\b,  32 kbps
>>>>>2	ubyte&0xf0	0x50	\b,  40 kbps
>>>>>2	ubyte&0xf0	0x60	\b,  48 kbps
>>>>>2	ubyte&0xf0	0x70	\b,  56 kbps
>>>>>2	ubyte&0xf0	0x80	\b,  64 kbps
>>>>>2	ubyte&0xf0	0x90	\b,  80 kbps
>>>>>2	ubyte&0xf0	0xa0	\b,  96 kbps
>>>>>2	ubyte&0xf0	0xb0	\b, 112 kbps
>>>>>2	ubyte&0xf0	0xc0	\b, 128 kbps
>>>>>2	ubyte&0xf0	0xd0	\b, 144 kbps
>>>>>2	ubyte&0xf0	0xe0	\b, 160 kbps
>>>>>2	ubyte&0xc	0x0	\b, 22.05 kHz
>>>>>2	ubyte&0xc	0x4	\b, 24 kHz
>>>>>2	ubyte&0xc	0x8	\b, 16 kHz
>>>>>3	use	mpeg-channels
0	name	mpeg-channels
>0	ubyte&0xc0	0x00	\b, Stereo
>0	ubyte&0xc0	0x40	\b, JntStereo
>0	ubyte&0xc0	0x80	\b, 2x Monaural
>0	ubyte&0xc0	0xc0	\b, Monaural

0	string	MThd
>13	ubyte	x	Standard MIDI data
!:mime	audio/midi
>>8	ubeshort	x	(format %d)
>>10	ubeshort	x	using %d track
>>10	ubeshort	!1	\bs
>>12	ubeshort	x	at 1/%d

# ---------------------------------------------------------------- video
0	string	\x1aE\xdf\xa3
>0	search/4092	webm	WebM
!:mime	video/webm
>0	default	x	Matroska data
!:mime	video/x-matroska
0	string	FLV\1	Macromedia Flash Video
!:mime	video/x-flv
0	string	\0\0\1\xba	MPEG sequence, v1, system multiplex
!:mime	video/mpeg

4	string	ftyp	ISO Media
!:mime	video/mp4
>8	string	isom	\b, MP4 Base Media v1 [ISO 14496-12:2003]
>8	string	iso2	\b, MP4 Base Media v2 [ISO 14496-12:2005]
>8	string	iso4	\b, MP4 Base Media v4
>8	string	iso5	\b, MP4 Base Media v5
>8	string	iso6	\b, MP4 Base Media v6
>8	string	mp41	\b, MP4 v1 [ISO 14496-1:ch13]
>8	string	mp42	\b, MP4 v2 [ISO 14496-14]
>8	string	avc1	\b, MP4 Base w/ AVC ext [ISO 14496-12:2005]
>8	string	dash	\b, MPEG v4 system, Dynamic Adaptive Streaming over HTTP
>8	string	qt\x20\x20	\b, Apple QuickTime movie, Apple QuickTime (.MOV/QT)
!:mime	video/quicktime
>8	string	M4A\x20	\b, Apple iTunes ALAC/AAC-LC (.M4A) Audio
!:mime	audio/x-m4a
>8	string	M4V\x20	\b, Apple iTunes Video (.M4V) Video
!:mime	video/x-m4v
>8	string	avif	\b, AVIF Image
!:mime	image/avif
>8	string	heic	\b, HEIF Image HEVC Main or Main Still Picture Profile
!:mime	image/heic
>8	string	mif1	\b, HEIF Image
!:mime	image/heif
>8	string	3gp4	\b, MPEG v4 system, 3GPP
!:mime	video/3gpp
>8	string	3gp5	\b, MPEG v4 system, 3GPP
!:mime	video/3gpp
"""
