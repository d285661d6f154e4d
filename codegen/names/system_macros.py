"""Members of structs of the C library that are macros, by header.

The preprocessor would replace a field with such a name in each file that includes the header. The
list contains what glibc defines for the headers of ISO C and POSIX with every extension enabled.
tests/build/test_system_macros.py compares it with the headers.
"""

MEMBERS = {
    "dirent.h": "d_fileno",
    "net/if.h": """
        ifa_broadaddr ifa_dstaddr ifc_buf ifc_req ifr_addr ifr_bandwidth ifr_broadaddr ifr_data
        ifr_dstaddr ifr_flags ifr_hwaddr ifr_ifindex ifr_map ifr_metric ifr_mtu ifr_name ifr_netmask
        ifr_newname ifr_qlen ifr_slave""",
    "netdb.h": "h_addr",
    "netinet/in.h": "s6_addr s6_addr16 s6_addr32",
    "sched.h": "sched_priority",
    "signal.h": """
        sa_handler sa_sigaction si_addr si_addr_lsb si_arch si_band si_call_addr si_fd si_int
        si_lower si_overrun si_pid si_pkey si_ptr si_status si_stime si_syscall si_timerid si_uid
        si_upper si_utime si_value sigev_notify_attributes sigev_notify_function""",
    "sys/msg.h": "msg_cbytes",
    "sys/stat.h": "st_atime st_ctime st_mtime",
}
