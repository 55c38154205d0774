"""System calls that a confined program has no use for, and their numbers on two architectures.

Sources: arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h, <linux/audit.h>.
A name without a number on an architecture does not exist there.
"""

from __future__ import annotations

# The call and its numbers on x86_64 and aarch64; -1 where it does not exist.
REFUSED_CALLS = {
    # Other processes: their memory, their descriptors, their messages.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "migrate_pages": (256, 238), "move_pages": (279, 239),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190),
    "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186),
    "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187), "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # Files that Landlock does not see: namespaces, mounts, handles, notes of what others do.
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "statmount": (457, 457), "listmount": (458, 458), "open_tree_attr": (467, 467),
    "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    "fanotify_init": (300, 262), "fanotify_mark": (301, 263), "inotify_init": (253, -1),
    "inotify_init1": (294, 26), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    # Parts of the kernel with a history of holes.
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "userfaultfd": (323, 282), "bpf": (321, 280), "perf_event_open": (298, 241),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "modify_ldt": (154, -1), "uselib": (134, -1), "nfsservctl": (180, 42),
    "lookup_dcookie": (212, 18), "_sysctl": (156, -1), "lsm_set_self_attr": (460, 460),
    # The machine.
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "create_module": (174, -1),
    "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89),
    "syslog": (103, 116), "sethostname": (170, 161), "setdomainname": (171, 162),
    "iopl": (172, -1), "ioperm": (173, -1), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
    "vhangup": (153, 58),
}  # fmt: skip

# Changes of what a file is, but not of its content: no part of the kernel holds them by path. These
# are of modes, owners and times.
ATTRIBUTE_CALLS = {
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, -1), "fchown": (93, 55), "lchown": (94, -1), "fchownat": (260, 54),
    "utime": (132, -1), "utimes": (235, -1), "futimesat": (261, -1), "utimensat": (280, 88),
}  # fmt: skip
# The rest, access control lists included: a file system may lack it, so that programs do without.
EXTENDED_ATTRIBUTE_CALLS = {
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16), "setxattrat": (463, 463),
    "removexattrat": (466, 466), "file_setattr": (469, 469),
}  # fmt: skip

# Calls that are judged by their arguments.
JUDGED_CALLS = {
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "listen": (50, 201),
    "bind": (49, 200),
    "sendto": (44, 206), "sendmsg": (46, 211), "sendmmsg": (307, 269), "clone": (56, 220),
    "clone3": (435, 435), "ioctl": (16, 29), "memfd_create": (319, 279), "prlimit64": (302, 261),
    "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    "truncate": (76, 45), "open": (2, -1), "openat": (257, 56), "openat2": (437, 437),
}  # fmt: skip
MAX_CALL_NUMBER = 469  # Linux 6.17; what is newer is refused, since nobody has judged it

# By `os.uname().machine`: the number of the architecture, and the column above.
ARCHITECTURES = {"x86_64": (0xC000_003E, 0), "aarch64": (0xC000_00B7, 1)}
