/* Ways out of a confined process, each with a name.

       ways_out NAME INSIDE OUTSIDE PID PORT SOCKET SHM

   It may use INSIDE. OUTSIDE has files that it must not reach, PID is a process of the host, PORT a
   port where the host listens, SOCKET its Unix socket (and its abstract name), SHM its memory.
   The status is 0 if the way leads out, 10 if it is closed. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { OUT = 0, CLOSED = 10 };

static const char *inside, *outside, *socket_path;
static pid_t host;
static int port, memory;
static char text[4096];

static const char *path(const char *folder, const char *name)
{
    static char texts[4][4096];
    static int next;
    char *result = texts[next++ % 4];
    snprintf(result, sizeof texts[0], "%s/%s", folder, name);
    return result;
}
static const char *proc(const char *name)
{
    snprintf(text, sizeof text, "/proc/%d/%s", host, name);
    return text;
}
/* What the kernel answers: an error that is not a refusal shows that the call was let in. */
static int answer(long result)
{
    if (result >= 0) return OUT;
    switch (errno) {
    case EPERM: case EACCES: case ENOSYS: case EXDEV: case EAFNOSUPPORT: case EPROTONOSUPPORT:
        return CLOSED;
    }
    return OUT;
}
static int has_secret(int fd)
{
    char data[64] = "";
    if (fd < 0) return CLOSED;
    ssize_t count = read(fd, data, sizeof data - 1);
    close(fd);
    return count > 0 && strstr(data, "SECRET") ? OUT : CLOSED;
}
static int reads(const char *name) { return has_secret(open(name, O_RDONLY)); }
static int opens(const char *name, int flags) { return answer(open(name, flags, 0600)); }

/* ---- files ---- */
static int read_file(void) { return reads(path(outside, "secret")); }
static int read_relative(void) { return chdir(inside) ? CLOSED : reads("../outside/secret"); }
static int read_by_link(void)
{
    const char *link = path(inside, "link");
    unlink(link);
    return symlink(path(outside, "secret"), link) ? CLOSED : reads(link);
}
static int read_by_proc_root(void) { return reads(path("/proc/self/root", path(outside, "secret"))); }
static int read_by_proc_cwd(void)
{
    return chdir(inside) ? CLOSED : reads("/proc/self/cwd/../outside/secret");
}
static int read_by_proc_fd(void)
{
    int fd = open(outside, O_PATH);
    if (fd < 0) return CLOSED;
    snprintf(text, sizeof text, "/proc/self/fd/%d/secret", fd);
    return reads(text);
}
static int read_by_path_descriptor(void)
{
    int fd = open(outside, O_PATH);
    return fd < 0 ? CLOSED : has_secret(openat(fd, "secret", O_RDONLY));
}
static int reopen_path_descriptor(void)
{
    int fd = open(path(outside, "secret"), O_PATH);
    if (fd < 0) return CLOSED;
    snprintf(text, sizeof text, "/proc/self/fd/%d", fd);
    return reads(text);
}
static volatile int racing = 1;
static void *swap_links(void *name)
{
    char other[4096];
    snprintf(other, sizeof other, "%s.other", (char *)name);
    while (racing) syscall(SYS_renameat2, AT_FDCWD, name, AT_FDCWD, other, 2 /* exchange */);
    return NULL;
}
static int race(const char *name, const char *target, const char *read_name, int is_directory)
{
    char other[4096];
    pthread_t thread;
    snprintf(other, sizeof other, "%s.other", name);
    unlink(other);
    if (is_directory) {
        mkdir(name, 0700);
        close(open(path(name, "secret"), O_CREAT | O_WRONLY, 0600));
    } else
        close(open(name, O_CREAT | O_WRONLY, 0600));
    if (symlink(target, other)) return CLOSED;
    if (pthread_create(&thread, NULL, swap_links, (void *)name)) return CLOSED;
    int result = CLOSED;
    for (int i = 0; i < 30000 && result == CLOSED; i++) result = reads(read_name);
    racing = 0;
    pthread_join(thread, NULL);
    return result;
}
static int link_race(void)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/raced-%d", inside, getpid());
    return race(name, path(outside, "secret"), name, 0);
}
static int directory_race(void)
{
    char name[4096], below[5000];
    snprintf(name, sizeof name, "%s/raced-folder-%d", inside, getpid());
    snprintf(below, sizeof below, "%s/secret", name);
    return race(name, outside, below, 1);
}
static int list_directory(void) { return opens(outside, O_RDONLY | O_DIRECTORY); }
static int list_root(void) { return opens("/", O_RDONLY | O_DIRECTORY); }
static int read_shadow(void) { return opens("/etc/shadow", O_RDONLY); }
static int read_passwd(void) { return opens("/etc/passwd", O_RDONLY); }
static int write_file(void) { return opens(path(outside, "target"), O_WRONLY | O_APPEND); }
static int create_file(void) { return opens(path(outside, "new"), O_WRONLY | O_CREAT); }
static int create_unnamed(void) { return opens(outside, O_WRONLY | O_TMPFILE); }
static int create_in_tmp(void)
{
    int result = opens("/tmp/keysh-way-out", O_WRONLY | O_CREAT);
    unlink("/tmp/keysh-way-out");
    return result;
}
static int remove_file(void) { return answer(unlink(path(outside, "target"))); }
static int remove_directory(void) { return answer(rmdir(path(outside, "folder"))); }
static int truncate_file(void) { return answer(truncate(path(outside, "target"), 0)); }
static int make_directory(void) { return answer(mkdir(path(outside, "made"), 0700)); }
static int make_link(void) { return answer(symlink("x", path(outside, "made-link"))); }
static int make_fifo(void) { return answer(mkfifo(path(outside, "made-fifo"), 0600)); }
static int make_device(void)
{
    const char *name = path(inside, "zero");
    return mknod(name, S_IFCHR | 0600, 0x105) ? CLOSED : OUT;
}
static int move_out(void)
{
    close(open(path(inside, "moved"), O_CREAT | O_WRONLY, 0600));
    return answer(rename(path(inside, "moved"), path(outside, "moved")));
}
static int move_in(void) { return answer(rename(path(outside, "target"), path(inside, "taken"))); }
static int link_in(void)
{
    const char *name = path(inside, "hard");
    unlink(name);
    return link(path(outside, "secret"), name) ? CLOSED : reads(name);
}
static int change_mode(void) { return answer(chmod(path(outside, "target"), 0777)); }
static int change_mode_of_readable(void)
{
    struct stat status;
    int fd = open("/usr/bin/env", O_RDONLY);
    if (fd < 0 || fstat(fd, &status)) return CLOSED;
    return answer(fchmod(fd, status.st_mode & 07777));
}
static int change_owner(void) { return answer(chown(path(outside, "target"), getuid(), getgid())); }
static int change_times(void) { return answer(utimensat(AT_FDCWD, path(outside, "target"), NULL, 0)); }
static int change_attributes(void)
{
    return answer(setxattr(path(outside, "target"), "user.way", "out", 3, 0));
}
static int open_by_handle(void)
{
    union { struct file_handle handle; char room[256]; } one;
    int mount_id;
    one.handle.handle_bytes = 128;
    if (name_to_handle_at(AT_FDCWD, path(outside, "secret"), &one.handle, &mount_id, 0)) return CLOSED;
    int fd = open(inside, O_RDONLY | O_DIRECTORY);
    return has_secret(open_by_handle_at(fd, &one.handle, O_RDONLY));
}
static int watch_files(void)
{
    int fd = syscall(SYS_inotify_init1, 0);
    if (fd < 0) return CLOSED;
    return answer(syscall(SYS_inotify_add_watch, fd, outside, 0xfff));
}
static int watch_mounts(void) { return answer(syscall(SYS_fanotify_init, 0, O_RDONLY)); }
static int dump_core(void)
{
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    struct stat status;
    if (chdir(outside)) return CLOSED;
    unlink("core");
    setrlimit(RLIMIT_CORE, &none);
    pid_t child = fork();
    if (!child) abort();
    waitpid(child, NULL, 0);
    snprintf(text, sizeof text, "core.%d", child);
    return stat("core", &status) == 0 || stat(text, &status) == 0 ? OUT : CLOSED;
}

/* ---- programs ---- */
static int runs(char *name)
{
    char *arguments[] = {name, "succeed", NULL}, *environment[] = {NULL};
    pid_t child = fork();
    if (!child) {
        execve(name, arguments, environment);
        _exit(CLOSED);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == OUT ? OUT : CLOSED;
}
static int run_outside(void) { return runs((char *)path(outside, "program")); }
static int run_memory(void)
{
    char data[65536];
    ssize_t count;
    int from = open(path(inside, "program"), O_RDONLY);
    int fd = syscall(SYS_memfd_create, "way", 0);
    if (fd < 0 || from < 0) return CLOSED;
    while ((count = read(from, data, sizeof data)) > 0)
        if (write(fd, data, count) != count) return CLOSED;
    snprintf(text, sizeof text, "/proc/self/fd/%d", fd);
    return runs(text);
}
static int run_setuid(void)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/setuid", inside);
    if (setgid(65534) || setuid(65534)) return CLOSED;
    char *arguments[] = {name, "is-root", NULL}, *environment[] = {NULL};
    pid_t child = fork();
    if (!child) {
        execve(name, arguments, environment);
        _exit(CLOSED);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == OUT ? OUT : CLOSED;
}
static int keep_capabilities(void)
{
    /* CAP_SYS_ADMIN of the bounding set, 21 */
    return syscall(SYS_prctl, 23 /* PR_CAPBSET_READ */, 21) == 1 ? OUT : CLOSED;
}
static int inherit_descriptor(void)
{
    for (int fd = 3; fd < 256; fd++)
        if (fcntl(fd, F_GETFD) >= 0) return OUT;
    return CLOSED;
}

/* ---- other processes ---- */
static int signal_host(void) { return answer(kill(host, 0)); }
static int signal_all(void) { return answer(kill(-getpgid(host), 0)); }
static int signal_thread(void) { return answer(syscall(SYS_tkill, host, 0)); }
static int signal_by_queue(void)
{
    siginfo_t info = {0};
    info.si_code = SI_QUEUE;
    return answer(syscall(SYS_rt_sigqueueinfo, host, 0, &info));
}
static int signal_by_pidfd(void)
{
    int fd = syscall(SYS_pidfd_open, host, 0);
    return fd < 0 ? CLOSED : answer(syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0));
}
static int attach(void)
{
    long result = ptrace(PTRACE_SEIZE, host, NULL, NULL);
    return answer(result);
}
static int read_memory(void)
{
    struct iovec local = {text, 8}, remote = {(void *)0x1000, 8};
    return answer(process_vm_readv(host, &local, 1, &remote, 1, 0));
}
static int write_memory(void)
{
    struct iovec local = {text, 8}, remote = {(void *)0x1000, 8};
    return answer(process_vm_writev(host, &local, 1, &remote, 1, 0));
}
static int read_proc_memory(void) { return opens(proc("mem"), O_RDONLY); }
static int read_environment(void) { return opens(proc("environ"), O_RDONLY); }
static int read_arguments(void) { return opens(proc("cmdline"), O_RDONLY); }
static int read_maps(void) { return opens(proc("maps"), O_RDONLY); }
static int list_processes(void) { return opens("/proc", O_RDONLY | O_DIRECTORY); }
static int use_proc_root(void)
{
    char name[5000];
    snprintf(name, sizeof name, "/proc/%d/root%s/secret", host, outside);
    return reads(name);
}
static int use_proc_cwd(void) { return opens(proc("cwd"), O_RDONLY | O_DIRECTORY); }
static int take_descriptor(void)
{
    int fd = syscall(SYS_pidfd_open, host, 0);
    return fd < 0 ? CLOSED : answer(syscall(SYS_pidfd_getfd, fd, 0, 0));
}
static int take_proc_descriptor(void) { return opens(proc("fd/0"), O_RDONLY); }
static int compare(void) { return answer(syscall(SYS_kcmp, host, host, 1, 0, 0)); }
static int set_limit(void)
{
    struct rlimit limit;
    if (prlimit(host, RLIMIT_CORE, NULL, &limit)) return CLOSED;
    return answer(prlimit(host, RLIMIT_CORE, &limit, NULL));
}
static int set_priority(void) { return answer(setpriority(PRIO_PROCESS, host, 0)); }
static int set_user_priority(void)
{
    return answer(setpriority(PRIO_USER, 65533, 0)); /* a user without processes */
}
static int set_processors(void)
{
    cpu_set_t set;
    sched_getaffinity(host, sizeof set, &set);
    return answer(sched_setaffinity(host, sizeof set, &set));
}
static int set_scheduler(void)
{
    struct sched_param zero = {0};
    return answer(sched_setscheduler(host, SCHED_OTHER, &zero));
}
static int set_io_priority(void) { return answer(syscall(SYS_ioprio_set, 1, host, 0)); }
static int move_pages_of(void) { return answer(syscall(SYS_migrate_pages, host, 0, NULL, NULL)); }
static int attach_memory(void) { return answer((long)shmat(memory, NULL, SHM_RDONLY)); }
static int make_semaphores(void) { return answer(syscall(SYS_semget, 0x1234, 1, 0)); }
static int make_messages(void) { return answer(syscall(SYS_msgget, 0x1234, 0)); }
static int open_queue(void) { return answer(syscall(SYS_mq_open, "way", O_RDONLY, 0, NULL)); }
static int type_for_terminal(void) { return answer(ioctl(0, 0x5412 /* TIOCSTI */, "x")); }
static int set_line_discipline(void) { return answer(ioctl(0, 0x5423 /* TIOCSETD */, text)); }
static int open_terminals(void) { return opens("/dev/ptmx", O_RDWR | O_NOCTTY); }

/* ---- sockets ---- */
static int connects_unix(const char *name, int abstract, int kind)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path + abstract, name, sizeof address.sun_path - 2);
    socklen_t length = offsetof(struct sockaddr_un, sun_path) + abstract + strlen(name);
    int fd = socket(AF_UNIX, kind, 0);
    if (fd < 0) return CLOSED;
    return answer(connect(fd, (struct sockaddr *)&address, length));
}
static int connect_unix(void) { return connects_unix(socket_path, 0, SOCK_STREAM); }
static int connect_unix_datagram(void) { return connects_unix(socket_path, 0, SOCK_DGRAM); }
static int connect_abstract(void) { return connects_unix(socket_path, 1, SOCK_STREAM); }
static int send_unix_datagram(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct iovec vector = {"x", 1};
    struct msghdr message = {&address, sizeof address, &vector, 1, NULL, 0, 0};
    int pair[2];
    strncpy(address.sun_path, socket_path, sizeof address.sun_path - 1);
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)) return CLOSED;
    return answer(sendmsg(pair[0], &message, 0));
}
static int connects(int family, int kind, int protocol)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(family, kind, protocol);
    if (fd < 0) return CLOSED;
    return answer(connect(fd, (struct sockaddr *)&address, sizeof address));
}
static int connect_tcp(void) { return connects(AF_INET, SOCK_STREAM, 0); }
static int connect_multipath_tcp(void) { return connects(AF_INET, SOCK_STREAM, 262); }
static int connect_udp(void) { return connects(AF_INET, SOCK_DGRAM, 0); }
static int connect_fast(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return CLOSED;
    return answer(sendto(fd, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address));
}
static int listen_tcp(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 ? CLOSED : answer(listen(fd, 1));
}
static int use_ipv6(void) { return answer(socket(AF_INET6, SOCK_STREAM, 0)); }
static int use_raw_socket(void) { return answer(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP)); }
static int use_packet_socket(void) { return answer(socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL))); }
static int use_netlink(void) { return answer(socket(AF_NETLINK, SOCK_RAW, 0)); }
static int use_netlink_pair(void)
{
    int pair[2];
    return answer(socketpair(AF_TIPC, SOCK_SEQPACKET, 0, pair));
}
static int use_crypto_socket(void) { return answer(socket(AF_ALG, SOCK_SEQPACKET, 0)); }
static int use_vsock(void) { return answer(socket(AF_VSOCK, SOCK_STREAM, 0)); }

/* ---- namespaces and mounts ---- */
static int in_child(int (*way)(void))
{
    int status;
    pid_t child = fork();
    if (!child) _exit(way());
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : CLOSED;
}
static int new_mounts(void) { return answer(unshare(CLONE_NEWNS)); }
static int new_users(void) { return answer(unshare(CLONE_NEWUSER)); }
static int new_network(void) { return answer(unshare(CLONE_NEWNET)); }
static int child_with_namespace(void)
{
    long child = syscall(SYS_clone, CLONE_NEWNS | SIGCHLD, NULL, NULL, NULL, NULL);
    if (!child) _exit(0);
    return answer(child);
}
static int child_by_clone3(void)
{
    uint64_t arguments[11] = {CLONE_NEWNS, 0, 0, 0, SIGCHLD};
    long child = syscall(SYS_clone3, arguments, sizeof arguments);
    if (!child) _exit(0);
    return answer(child);
}
static int enter_namespace(void)
{
    int fd = syscall(SYS_pidfd_open, host, 0);
    return fd < 0 ? CLOSED : answer(syscall(SYS_setns, fd, CLONE_NEWUTS));
}
static int bind_in_namespace(void)
{
    const char *target = path(inside, "mounted");
    mkdir(target, 0700);
    unshare(CLONE_NEWNS);
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) return CLOSED;
    if (mount(outside, target, NULL, MS_BIND, NULL)) return CLOSED;
    return reads(path(target, "secret"));
}
static int bind_mount(void) { return in_child(bind_in_namespace); }
static int mount_nothing(void) { return answer(mount("x", "/nowhere", "tmpfs", 0, NULL)); }
static int unmount(void) { return answer(umount2("/nowhere", 0)); }
static int change_root(void)
{
    pid_t child = fork();
    if (!child) _exit(chroot(outside) ? CLOSED : OUT);
    int status;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}
static int pivot(void) { return answer(syscall(SYS_pivot_root, "/nowhere", "/nowhere")); }
static int clone_tree(void) { return answer(syscall(428, AT_FDCWD, outside, 1)); }
static int open_file_system(void) { return answer(syscall(430, "tmpfs", 0)); }

/* ---- parts of the kernel ---- */
static int use_io_uring(void) { return answer(syscall(425, 0, NULL)); }
static int use_userfaultfd(void) { return answer(syscall(SYS_userfaultfd, 1)); }
static int use_bpf(void) { return answer(syscall(SYS_bpf, 0, NULL, 0)); }
static int use_perf(void) { return answer(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0)); }
static int use_keys(void) { return answer(syscall(SYS_keyctl, 0, -3, 1)); }
static int add_keys(void) { return answer(syscall(SYS_add_key, "user", "way", "x", 1, -3)); }
static int load_module(void) { return answer(syscall(SYS_init_module, NULL, 0, NULL)); }
static int load_module_file(void) { return answer(syscall(SYS_finit_module, -1, NULL, 0)); }
static int load_kernel(void) { return answer(syscall(SYS_kexec_load, 0, 99999, NULL, 0)); }
static int restart_machine(void) { return answer(syscall(SYS_reboot, 0, 0, 0, NULL)); }
static int add_swap(void) { return answer(syscall(SYS_swapon, "/nowhere", 0)); }
static int account(void) { return answer(syscall(SYS_acct, "/nowhere/x")); }
static int read_kernel_log(void) { return answer(syscall(SYS_syslog, 10, NULL, 0)); }
static int name_machine(void)
{
    char name[256];
    gethostname(name, sizeof name);
    return answer(sethostname(name, strlen(name)));
}
static int set_clock(void)
{
    struct timespec wrong = {-1, -1};
    return answer(syscall(SYS_clock_settime, CLOCK_REALTIME, &wrong));
}
static int set_kernel(void) { return opens("/proc/sys/kernel/core_pattern", O_WRONLY); }
static int opens_if_there(const char *name, int flags)
{
    int result = opens(name, flags);
    return result == OUT && errno == ENOENT ? CLOSED : result;
}
static int enter_cgroup(void)
{
    errno = 0;
    if (opens_if_there("/sys/fs/cgroup/cgroup.procs", O_WRONLY) == OUT) return OUT;
    return opens_if_there("/sys/fs/cgroup/pids/cgroup.procs", O_WRONLY);
}
static int use_kernel_memory(void) { return opens_if_there("/dev/mem", O_RDONLY); }
static int use_call_of_future(void)
{
    return syscall(5000) == -1 && errno == ENOSYS ? CLOSED : OUT;
}
#ifdef __x86_64__
static int use_ports(void) { return answer(syscall(SYS_iopl, 3)); }
static int set_segments(void) { return answer(syscall(SYS_modify_ldt, 0, text, 16)); }
static int call_as_32_bits(void)
{
    long result; /* getpid */
    pid_t child = fork();
    if (!child) {
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
        _exit(result > 0 ? OUT : CLOSED);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : CLOSED;
}
static int call_as_x32(void) { return answer(syscall(0x40000000 | SYS_getppid)); }
#endif

#define WAY(name) {#name, name}
static const struct { const char *name; int (*way)(void); } ways[] = {
    WAY(read_file), WAY(read_relative), WAY(read_by_link), WAY(read_by_proc_root),
    WAY(read_by_proc_cwd), WAY(read_by_proc_fd), WAY(read_by_path_descriptor),
    WAY(reopen_path_descriptor), WAY(link_race), WAY(directory_race), WAY(list_directory),
    WAY(list_root), WAY(read_shadow), WAY(read_passwd), WAY(write_file), WAY(create_file),
    WAY(create_unnamed), WAY(create_in_tmp), WAY(remove_file), WAY(remove_directory),
    WAY(truncate_file), WAY(make_directory), WAY(make_link), WAY(make_fifo), WAY(make_device),
    WAY(move_out), WAY(move_in), WAY(link_in), WAY(change_mode), WAY(change_mode_of_readable),
    WAY(change_owner), WAY(change_times), WAY(change_attributes), WAY(open_by_handle),
    WAY(watch_files), WAY(watch_mounts), WAY(dump_core), WAY(run_outside), WAY(run_memory),
    WAY(run_setuid), WAY(keep_capabilities), WAY(inherit_descriptor), WAY(signal_host),
    WAY(signal_all), WAY(signal_thread), WAY(signal_by_queue), WAY(signal_by_pidfd), WAY(attach),
    WAY(read_memory), WAY(write_memory), WAY(read_proc_memory), WAY(read_environment),
    WAY(read_arguments), WAY(read_maps), WAY(list_processes), WAY(use_proc_root),
    WAY(use_proc_cwd), WAY(take_descriptor), WAY(take_proc_descriptor), WAY(compare),
    WAY(set_limit), WAY(set_priority), WAY(set_user_priority), WAY(set_processors),
    WAY(set_scheduler), WAY(set_io_priority), WAY(move_pages_of), WAY(attach_memory),
    WAY(make_semaphores), WAY(make_messages), WAY(open_queue), WAY(type_for_terminal),
    WAY(set_line_discipline), WAY(open_terminals), WAY(connect_unix), WAY(connect_unix_datagram),
    WAY(connect_abstract), WAY(send_unix_datagram), WAY(connect_tcp), WAY(connect_multipath_tcp),
    WAY(connect_udp), WAY(connect_fast), WAY(listen_tcp), WAY(use_ipv6), WAY(use_raw_socket),
    WAY(use_packet_socket), WAY(use_netlink), WAY(use_netlink_pair), WAY(use_crypto_socket),
    WAY(use_vsock), WAY(new_mounts), WAY(new_users), WAY(new_network), WAY(child_with_namespace),
    WAY(child_by_clone3), WAY(enter_namespace), WAY(bind_mount), WAY(mount_nothing), WAY(unmount),
    WAY(change_root), WAY(pivot), WAY(clone_tree), WAY(open_file_system), WAY(use_io_uring),
    WAY(use_userfaultfd), WAY(use_bpf), WAY(use_perf), WAY(use_keys), WAY(add_keys),
    WAY(load_module), WAY(load_module_file), WAY(load_kernel), WAY(restart_machine),
    WAY(add_swap), WAY(account), WAY(read_kernel_log), WAY(name_machine), WAY(set_clock),
    WAY(set_kernel), WAY(enter_cgroup), WAY(use_kernel_memory), WAY(use_call_of_future),
#ifdef __x86_64__
    WAY(use_ports), WAY(set_segments), WAY(call_as_32_bits), WAY(call_as_x32),
#endif
};

int main(int count, char **arguments)
{
    const char *name = count > 1 ? arguments[1] : "";
    if (!strcmp(name, "succeed")) return OUT;
    if (!strcmp(name, "is-root")) return geteuid() == 0 ? OUT : CLOSED;
    if (count != 8) {
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) puts(ways[i].name);
        return 0;
    }
    inside = arguments[2], outside = arguments[3], host = atoi(arguments[4]);
    port = atoi(arguments[5]), socket_path = arguments[6], memory = atoi(arguments[7]);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (!strcmp(name, ways[i].name)) return ways[i].way();
    return 2;
}
