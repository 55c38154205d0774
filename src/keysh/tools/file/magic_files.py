"""The rows of magic.py for compressed files, programs, documents, databases and disk images."""

from __future__ import annotations

MAGIC_FILES = r"""
# ---------------------------------------------------------------- compressed files
0	string	\x1f\x8b
>3	ubyte	x	gzip compressed data
!:mime	application/gzip
>>9	ubyte	x
>>>2	ubyte	!8	\b, reserved method
>>>3	ubyte	&1	\b, ASCII
>>>3	ubyte	&2	\b, has CRC
>>>3	ubyte	&4	\b, extra field
>>>3	ubyte&0xc	8
>>>>10	string	x	\b, was "%s"
>>>3	ubyte	&16	\b, has comment
>>>3	ubyte	&32	\b, encrypted
>>>4	ledate	>0	\b, last modified: %s
>>>8	ubyte	2	\b, max compression
>>>8	ubyte	4	\b, max speed
>>>9	ubyte	0	\b, from FAT filesystem (MS-DOS, OS/2, NT)
>>>9	ubyte	1	\b, from Amiga
>>>9	ubyte	2	\b, from VMS
>>>9	ubyte	3	\b, from Unix
>>>9	ubyte	4	\b, from VM/CMS
>>>9	ubyte	5	\b, from Atari
>>>9	ubyte	6	\b, from HPFS filesystem (OS/2, NT)
>>>9	ubyte	7	\b, from MacOS
>>>9	ubyte	8	\b, from Z-System
>>>9	ubyte	9	\b, from CP/M
>>>9	ubyte	10	\b, from TOPS/20
>>>9	ubyte	11	\b, from NTFS filesystem (NT)
>>>9	ubyte	12	\b, from QDOS
>>>9	ubyte	13	\b, from Acorn RISCOS
>>>-18	ubyte	x
>>>>-4	ulelong	x	\b, original size modulo 2^32 %d

0	string	BZh	bzip2 compressed data
!:mime	application/x-bzip2
>3	ubyte	x	\b, block size = %c00k

0	string	\xfd7zXZ\0	XZ compressed data
!:mime	application/x-xz
>7	ubyte&0xf	0	\b, checksum NONE
>7	ubyte&0xf	1	\b, checksum CRC32
>7	ubyte&0xf	4	\b, checksum CRC64
>7	ubyte&0xf	10	\b, checksum SHA-256

0	string	7z\xbc\xaf\x27\x1c
>7	ubyte	x	7-zip archive data, version
!:mime	application/x-7z-compressed
>>6	ubyte	x	%d.
>>7	ubyte	x	\b%d

0	string	PK\x05\x06	Zip archive data (empty)
!:mime	application/zip
0	string	\x28\xb5\x2f\xfd	Zstandard compressed data (v0.8+), Dictionary ID: None
!:mime	application/zstd
0	string	\x04\x22\x4d\x18	LZ4 compressed data (v1.4+)
!:mime	application/x-lz4
0	string	LZIP\1	lzip compressed data, version: 1
!:mime	application/x-lzip
0	string	]\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff	LZMA compressed data, streamed
!:mime	application/x-lzma
0	string	\x1f\x9d\x90	compress'd data 16 bits
!:mime	application/x-compress
0	string	\x89LZO\0\r\n\x1a\n	lzop compressed data
0	string	Rar!\x1a\x07\0	RAR archive data
!:mime	application/x-rar
0	string	Rar!\x1a\x07\1\0	RAR archive data, v5
!:mime	application/x-rar
0	string	070701	ASCII cpio archive (SVR4 with no CRC)
!:mime	application/x-cpio
0	string	070702	ASCII cpio archive (SVR4 with CRC)
!:mime	application/x-cpio
0	string	070707	ASCII cpio archive (pre-SVR4 or odc)
!:mime	application/x-cpio

# ---------------------------------------------------------------- programs
0	string	MZ
>63	ubyte	x
>>(60.l)	string	PE\0\0
!:mime	application/vnd.microsoft.portable-executable
>>>(60.l+24)	uleshort	0x20b	PE32+ executable
>>>(60.l+24)	default	x	PE32 executable
>>>(60.l+22)	uleshort	&0x2000	(DLL)
>>>(60.l+92)	uleshort	1	(native)
>>>(60.l+92)	uleshort	2	(GUI)
>>>(60.l+92)	uleshort	3	(console)
>>>(60.l+92)	uleshort	10	(EFI application)
>>>(60.l+4)	uleshort	0x8664	x86-64
>>>(60.l+4)	uleshort	0x14c	Intel 80386
>>>(60.l+4)	uleshort	0xaa64	Aarch64
>>>(60.l+4)	uleshort	0x1c4	ARMv7 Thumb
>>>(60.l+6)	uleshort	x	\b, for MS Windows, %d sections
>>0	default	x	MS-DOS executable

0	string	\xcf\xfa\xed\xfe	Mach-O 64-bit
!:mime	application/x-mach-binary
>0	use	mach-o
0	string	\xce\xfa\xed\xfe	Mach-O
!:mime	application/x-mach-binary
>0	use	mach-o
0	name	mach-o
>4	ulelong	0x1000007	x86_64
>4	ulelong	0x100000c	arm64
>4	ulelong	7	i386
>4	ulelong	12	arm
>12	ulelong	1	object
>12	ulelong	2	executable
>12	ulelong	4	core
>12	ulelong	6	dynamically linked shared library
>12	ulelong	7	dynamic linker
>12	ulelong	8	bundle
>24	ulelong	!0	\b, flags:<
>>24	ulelong	&1	\bNOUNDEFS
>>24	ulelong	&4	\b|DYLDLINK
>>24	ulelong	&8	\b|BINDATLOAD
>>24	ulelong	&0x80	\b|TWOLEVEL
>>24	ulelong	&0x2000	\b|SUBSECTIONS_VIA_SYMBOLS
>>24	ulelong	&0x8000	\b|WEAK_DEFINES
>>24	ulelong	&0x10000	\b|BINDS_TO_WEAK
>>24	ulelong	&0x100000	\b|NO_REEXPORTED_DYLIBS
>>24	ulelong	&0x200000	\b|PIE
>>24	ulelong	&0x800000	\b|HAS_TLV_DESCRIPTORS
>>24	ulelong	x	\b>

# Java classes and Apple's universal binaries begin alike; a version is 30 or higher.
0	string	\xca\xfe\xba\xbe
>4	ubelong	1	Mach-O universal binary with 1 architecture:
!:mime	application/x-mach-binary
>>8	use	mach-cpu
>4	ubelong	>1
>>4	ubelong	<30	Mach-O universal binary with %d architectures:
!:mime	application/x-mach-binary
>>>8	use	mach-cpu
>>>28	use	mach-cpu
>>>4	ubelong	>2
>>>>48	use	mach-cpu
>>>4	ubelong	>3
>>>>68	use	mach-cpu
>4	ubelong	>29
>>4	ubelong	x	compiled Java class data
!:mime	application/x-java-applet
>>>6	ubeshort	x	\b, version %d.
>>>4	ubeshort	x	\b%d
>>>6	ubeshort	46	(Java 1.2)
>>>6	ubeshort	47	(Java 1.3)
>>>6	ubeshort	48	(Java 1.4)
>>>6	ubeshort	49	(Java 1.5)
>>>6	ubeshort	50	(Java 1.6)
>>>6	ubeshort	51	(Java 1.7)
>>>6	ubeshort	52	(Java 1.8)
>>>6	ubeshort	53	(Java SE 9)
>>>6	ubeshort	54	(Java SE 10)
>>>6	ubeshort	55	(Java SE 11)
>>>6	ubeshort	56	(Java SE 12)
>>>6	ubeshort	57	(Java SE 13)
>>>6	ubeshort	58	(Java SE 14)
>>>6	ubeshort	59	(Java SE 15)
>>>6	ubeshort	60	(Java SE 16)
>>>6	ubeshort	61	(Java SE 17)
0	name	mach-cpu
>0	ubelong	0x1000007	[x86_64]
>0	ubelong	0x100000c	[arm64]
>0	ubelong	7	[i386]
>0	ubelong	12	[arm]

0	string	\0asm
>4	ulelong	x	WebAssembly (wasm) binary module version %#x
!:mime	application/wasm
>>4	ulelong	1	(MVP)
0	string	dex\n
>7	string	\0	Dalvik dex file version
>>4	string/3	x	%s
0	string	\x1bLua
>4	ubyte/16	x	Lua bytecode, version %d
>>4	ubyte&0xf	x	\b.%d

2	string	\r\n
!:mime	application/x-bytecode.python
>0	uleshort	62211	Byte-compiled Python module for CPython 2.7
>>0	use	python-module
>0	uleshort	3379	Byte-compiled Python module for CPython 3.6
>>0	use	python-module
>0	uleshort	3394	Byte-compiled Python module for CPython 3.7
>>0	use	python-module
>0	uleshort	3413	Byte-compiled Python module for CPython 3.8
>>0	use	python-module
>0	uleshort	3425	Byte-compiled Python module for CPython 3.9
>>0	use	python-module
>0	uleshort	3439	Byte-compiled Python module for CPython 3.10
>>0	use	python-module
>0	uleshort	3495	Byte-compiled Python module for CPython 3.11
>>0	use	python-module
>0	uleshort	3531	Byte-compiled Python module for CPython 3.12 or newer
>>0	use	python-module
>0	uleshort	3571	Byte-compiled Python module for CPython 3.13
>>0	use	python-module
0	name	python-module
>4	ulelong&1	0	\b, timestamp-based, .py timestamp:
>>8	ledate	x	%s UTC
>>12	ulelong	x	\b, .py size: %d bytes
>4	ulelong&1	1	\b, hash-based, check-source flag
>>4	ulelong&2	2	set, hash:
>>4	ulelong&2	0	unset, hash:
>>8	ulequad	x	%#x

# ---------------------------------------------------------------- documents
0	string	%PDF-	PDF document
!:mime	application/pdf
>6	string	.
>>5	string/3	x	\b, version %s
>0	string	%PDF-
>>0	regex/1048576	/Count[^\d]{0,64}(\d{1,9})[^\d]	\b, %s pages
>>0	default	x
>>>0	search/256	/Filter/FlateDecode/	(zip deflate encoded)

0	string	{\\rtf	Rich Text Format data, version
!:mime	text/rtf
>5	regex/1	\A\d	%s
>>6	regex/6	\A\\ansi\b	\b, ANSI
>>6	regex/5	\A\\mac\b	\b, Apple Macintosh
>>6	regex	\A(?:\\[a-z]+\d*)?\\ansicpg(\d+)	\b, code page %s
>>6	regex	\A(?:\\(?:ansi|mac|deff|ansicpg)\d*)*\\deflang(\d+)	\b, default language ID %s

0	string	SQLite\x20format\x203\0
>99	ubyte	x	SQLite 3.x database
!:mime	application/vnd.sqlite3
>>68	ubelong	!0	\b, application id %d
>>60	ubelong	!0	\b, user version %d
>>96	ubelong	!0	\b, last written using SQLite version %d
>>16	ubeshort	!4096	\b, page size %d
>>18	ubyte	!1	\b, writer version %d
>>19	ubyte	!1	\b, read version %d
>>20	ubyte	!0	\b, unused bytes %d
>>24	ubelong	!0	\b, file counter %d
>>28	ubelong	!0	\b, database pages %d
>>32	ubelong	!0	\b, 1st free page %d
>>36	ubelong	!0	\b, free pages %d
>>40	ubelong	x	\b, cookie %#x
>>44	ubelong	!0	\b, schema %d
>>48	ubelong	!0	\b, cache page size %d
>>52	ubelong	!0	\b, largest root page %d
>>56	ubelong	1	\b, UTF-8
>>56	ubelong	2	\b, UTF-16 little endian
>>56	ubelong	3	\b, UTF-16 big endian
>>64	ubelong	!0	\b, vacuum mode %d
>>92	ubelong	!0	\b, version-valid-for %d

# ---------------------------------------------------------------- other data
0	string	DIRC\0\0
>11	ubyte	x	Git index
>>4	ubelong	x	\b, version %d
>>8	ubelong	x	\b, %d entries
0	string	PACK\0\0
>11	ubyte	x	Git pack
!:mime	application/x-git
>>4	ubelong	x	\b, version %d
>>8	ubelong	x	\b, %d objects
0	string	\x93NUMPY	NumPy array
>6	ubyte	x	\b, version %d.
>7	ubyte	x	\b%d
>8	uleshort	x	\b, header length %d
0	string	\xd4\xc3\xb2\xa1	pcap capture file, microsecond ts (little-endian)
!:mime	application/vnd.tcpdump.pcap
>4	uleshort	x	- version %d.
>6	uleshort	x	\b%d
>20	ulelong	1	(Ethernet
>20	ulelong	!1	(type %d
>16	ulelong	x	\b, capture length %d)
0	string	\x0a\x0d\x0d\x0a	pcapng capture file - version 1.0
0	string	bplist	Apple binary property list
0	string	\x89HDF\r\n\x1a\n	Hierarchical Data Format (version 5) data
!:mime	application/x-hdf5
0	string	PAR1	Apache Parquet
0	string	Obj\1	Apache Avro version 1
0	string	KDMV	VMware4 disk image
510	string	\x55\xaa	DOS/MBR boot sector
32769	string	CD001	ISO 9660 CD-ROM filesystem data
!:mime	application/x-iso9660-image
"""
