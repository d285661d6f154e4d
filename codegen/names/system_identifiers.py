"""Identifiers of ISO C and POSIX that the prefix of a world and another name could make.

For example, a world `fd` with a component `set` would make the type `fd_set`. The list contains
what glibc declares in those headers with every extension enabled, and what C23 adds. It is limited
to the forms that generated code uses: lower case, capitals of three words, or `_NONE`. Names that
other rules refuse, such as a world called `clock`, are left out. tests/build/test_system_macros.py
compares the list with the headers.
"""

from __future__ import annotations

_C = """
    CLOCKS_PER_SEC DBL_DECIMAL_DIG DBL_HAS_SUBNORM DBL_IS_IEC_60559 DBL_MANT_DIG DBL_MAX_10_EXP
    DBL_MAX_EXP DBL_MIN_10_EXP DBL_MIN_EXP DBL_NORM_MAX DBL_TRUE_MIN FE_ALL_EXCEPT FE_DFL_ENV
    FE_DFL_MODE FLT_DECIMAL_DIG FLT_EVAL_METHOD FLT_HAS_SUBNORM FLT_IS_IEC_60559 FLT_MANT_DIG
    FLT_MAX_10_EXP FLT_MAX_EXP FLT_MIN_10_EXP FLT_MIN_EXP FLT_NORM_MAX FLT_TRUE_MIN
    FP_INT_DOWNWARD FP_INT_TONEAREST FP_INT_TONEARESTFROMZERO FP_INT_TOWARDZERO FP_INT_UPWARD
    LDBL_DECIMAL_DIG LDBL_HAS_SUBNORM LDBL_IS_IEC_60559 LDBL_MANT_DIG LDBL_MAX_10_EXP
    LDBL_MAX_EXP LDBL_MIN_10_EXP LDBL_MIN_EXP LDBL_NORM_MAX LDBL_TRUE_MIN MB_CUR_MAX MB_LEN_MAX
    ONCE_FLAG_INIT SIG_ATOMIC_MAX SIG_ATOMIC_MIN SIG_ATOMIC_WIDTH UINT_FAST16_MAX
    UINT_FAST16_WIDTH UINT_FAST32_MAX UINT_FAST32_WIDTH UINT_FAST64_MAX UINT_FAST64_WIDTH
    UINT_FAST8_MAX UINT_FAST8_WIDTH UINT_LEAST16_MAX UINT_LEAST16_WIDTH UINT_LEAST32_MAX
    UINT_LEAST32_WIDTH UINT_LEAST64_MAX UINT_LEAST64_WIDTH UINT_LEAST8_MAX UINT_LEAST8_WIDTH
    aligned_alloc at_quick_exit call_once ckd_add ckd_mul ckd_sub free_aligned_sized free_sized
    jmp_buf memset_explicit once_flag quick_exit timespec_get timespec_getres
"""

_POSIX = """
    ADJ_OFFSET_SINGLESHOT ADJ_OFFSET_SS_READ AI_IDN_ALLOW_UNASSIGNED AI_IDN_USE_STD3_ASCII_RULES
    AT_EMPTY_PATH AT_NO_AUTOMOUNT AT_STATX_DONT_SYNC AT_STATX_FORCE_SYNC AT_STATX_SYNC_AS_STAT
    AT_STATX_SYNC_TYPE AT_SYMLINK_FOLLOW AT_SYMLINK_NOFOLLOW BC_BASE_MAX BC_DIM_MAX BC_SCALE_MAX
    BC_STRING_MAX BUS_MCEERR_AO BUS_MCEERR_AR CHARCLASS_NAME_MAX CLONE_CHILD_CLEARTID
    CLONE_CHILD_SETTID CLONE_PARENT_SETTID COLL_WEIGHTS_MAX CPU_ALLOC_SIZE CPU_AND_S CPU_CLR_S
    CPU_COUNT_S CPU_EQUAL_S CPU_ISSET_S CPU_OR_S CPU_SET_S CPU_XOR_S CPU_ZERO_S
    DLFO_EH_SEGMENT_TYPE DLFO_STRUCT_HAS_EH_COUNT DLFO_STRUCT_HAS_EH_DBASE DL_CALL_FCT D_T_FMT
    EAI_IDN_ENCODE ERA_D_FMT ERA_D_T_FMT ERA_T_FMT EXPR_NEST_MAX FALLOC_FL_COLLAPSE_RANGE
    FALLOC_FL_INSERT_RANGE FALLOC_FL_KEEP_SIZE FALLOC_FL_NO_HIDE_STALE FALLOC_FL_PUNCH_HOLE
    FALLOC_FL_UNSHARE_RANGE FALLOC_FL_ZERO_RANGE FE_NOMASK_ENV FNM_FILE_NAME FNM_LEADING_DIR
    FP_XSTATE_MAGIC1 FP_XSTATE_MAGIC2 FP_XSTATE_MAGIC2_SIZE F_ADD_SEALS F_DUPFD_CLOEXEC
    F_GETOWN_EX F_GETPIPE_SZ F_GET_FILE_RW_HINT F_GET_RW_HINT F_GET_SEALS F_OFD_GETLK
    F_OFD_SETLK F_OFD_SETLKW F_OWNER_GID F_OWNER_PGRP F_OWNER_PID F_OWNER_TID
    F_SEAL_FUTURE_WRITE F_SEAL_GROW F_SEAL_SEAL F_SEAL_SHRINK F_SEAL_WRITE F_SETOWN_EX
    F_SETPIPE_SZ F_SET_FILE_RW_HINT F_SET_RW_HINT GROUP_FILTER_SIZE HOST_NAME_MAX HOST_NOT_FOUND
    HUGE_VAL_F128 HUGE_VAL_F32 HUGE_VAL_F32X HUGE_VAL_F64 HUGE_VAL_F64X IN6ADDR_ANY_INIT
    IN6ADDR_LOOPBACK_INIT IN6_ARE_ADDR_EQUAL IN6_IS_ADDR_LINKLOCAL IN6_IS_ADDR_LOOPBACK
    IN6_IS_ADDR_MC_GLOBAL IN6_IS_ADDR_MC_LINKLOCAL IN6_IS_ADDR_MC_NODELOCAL
    IN6_IS_ADDR_MC_ORGLOCAL IN6_IS_ADDR_MC_SITELOCAL IN6_IS_ADDR_MULTICAST IN6_IS_ADDR_SITELOCAL
    IN6_IS_ADDR_UNSPECIFIED IN6_IS_ADDR_V4COMPAT IN6_IS_ADDR_V4MAPPED INADDR_ALLHOSTS_GROUP
    INADDR_ALLRTRS_GROUP INADDR_ALLSNOOPERS_GROUP INADDR_MAX_LOCAL_GROUP INADDR_NONE
    INADDR_UNSPEC_GROUP IN_CLASSA_HOST IN_CLASSA_MAX IN_CLASSA_NET IN_CLASSA_NSHIFT
    IN_CLASSB_HOST IN_CLASSB_MAX IN_CLASSB_NET IN_CLASSB_NSHIFT IN_CLASSC_HOST IN_CLASSC_NET
    IN_CLASSC_NSHIFT IPPROTO_NONE IPV6_ADDR_PREFERENCES IPV6_ADD_MEMBERSHIP IPV6_DROP_MEMBERSHIP
    IPV6_IPSEC_POLICY IPV6_JOIN_ANYCAST IPV6_JOIN_GROUP IPV6_LEAVE_ANYCAST IPV6_LEAVE_GROUP
    IPV6_MTU_DISCOVER IPV6_MULTICAST_ALL IPV6_MULTICAST_HOPS IPV6_MULTICAST_IF
    IPV6_MULTICAST_LOOP IPV6_PMTUDISC_DO IPV6_PMTUDISC_DONT IPV6_PMTUDISC_INTERFACE
    IPV6_PMTUDISC_OMIT IPV6_PMTUDISC_PROBE IPV6_PMTUDISC_WANT IPV6_RECVERR_RFC4884
    IPV6_ROUTER_ALERT IPV6_ROUTER_ALERT_ISOLATE IPV6_RTHDR_LOOSE IPV6_RTHDR_STRICT
    IPV6_RTHDR_TYPE_0 IPV6_UNICAST_HOPS IPV6_UNICAST_IF IPV6_XFRM_POLICY IP_ADD_MEMBERSHIP
    IP_ADD_SOURCE_MEMBERSHIP IP_BIND_ADDRESS_NO_PORT IP_BLOCK_SOURCE IP_DEFAULT_MULTICAST_LOOP
    IP_DEFAULT_MULTICAST_TTL IP_DROP_MEMBERSHIP IP_DROP_SOURCE_MEMBERSHIP IP_IPSEC_POLICY
    IP_MAX_MEMBERSHIPS IP_MSFILTER_SIZE IP_MTU_DISCOVER IP_MULTICAST_ALL IP_MULTICAST_IF
    IP_MULTICAST_LOOP IP_MULTICAST_TTL IP_PMTUDISC_DO IP_PMTUDISC_DONT IP_PMTUDISC_INTERFACE
    IP_PMTUDISC_OMIT IP_PMTUDISC_PROBE IP_PMTUDISC_WANT IP_RECVERR_RFC4884 IP_ROUTER_ALERT
    IP_UNBLOCK_SOURCE IP_UNICAST_IF IP_XFRM_POLICY LC_ADDRESS_MASK LC_ALL_MASK LC_COLLATE_MASK
    LC_CTYPE_MASK LC_GLOBAL_LOCALE LC_IDENTIFICATION_MASK LC_MEASUREMENT_MASK LC_MESSAGES_MASK
    LC_MONETARY_MASK LC_NAME_MASK LC_NUMERIC_MASK LC_PAPER_MASK LC_TELEPHONE_MASK LC_TIME_MASK
    LM_ID_BASE LM_ID_NEWLM LOGIN_NAME_MAX MADV_DONTNEED_LOCKED MADV_POPULATE_READ
    MADV_POPULATE_WRITE MAP_FIXED_NOREPLACE MAP_HUGE_MASK MAP_HUGE_SHIFT MAP_SHARED_VALIDATE
    MAX_HANDLE_SZ MCAST_BLOCK_SOURCE MCAST_JOIN_GROUP MCAST_JOIN_SOURCE_GROUP MCAST_LEAVE_GROUP
    MCAST_LEAVE_SOURCE_GROUP MCAST_UNBLOCK_SOURCE MFD_ALLOW_SEALING MON_DECIMAL_POINT
    MON_THOUSANDS_SEP MSG_CMSG_CLOEXEC MSG_STAT_ANY M_1_PI M_2_PI M_2_SQRTPI M_PI_2 M_PI_4
    M_SQRT1_2 NI_IDN_ALLOW_UNASSIGNED NI_IDN_USE_STD3_ASCII_RULES NL_CAT_LOCALE NL_LOCALE_NAME
    NSS_BUFLEN_GROUP NSS_BUFLEN_PASSWD N_CS_PRECEDES N_SEP_BY_SPACE N_SIGN_POSN
    PKEY_DISABLE_ACCESS PKEY_DISABLE_WRITE PROT_NONE P_CS_PRECEDES P_SEP_BY_SPACE P_SIGN_POSN
    RE_BACKSLASH_ESCAPE_IN_LISTS RE_BK_PLUS_QM RE_CARET_ANCHORS_HERE RE_CHAR_CLASSES
    RE_CONTEXT_INDEP_ANCHORS RE_CONTEXT_INDEP_OPS RE_CONTEXT_INVALID_DUP RE_CONTEXT_INVALID_OPS
    RE_DOT_NEWLINE RE_DOT_NOT_NULL RE_DUP_MAX RE_HAT_LISTS_NOT_NEWLINE RE_INVALID_INTERVAL_ORD
    RE_LIMITED_OPS RE_NEWLINE_ALT RE_NO_BK_BRACES RE_NO_BK_PARENS RE_NO_BK_REFS RE_NO_BK_VBAR
    RE_NO_EMPTY_RANGES RE_NO_GNU_OPS RE_NO_POSIX_BACKTRACKING RE_NO_SUB RE_SYNTAX_AWK
    RE_SYNTAX_ED RE_SYNTAX_EGREP RE_SYNTAX_EMACS RE_SYNTAX_GNU_AWK RE_SYNTAX_GREP
    RE_SYNTAX_POSIX_AWK RE_SYNTAX_POSIX_BASIC RE_SYNTAX_POSIX_EGREP RE_SYNTAX_POSIX_EXTENDED
    RE_SYNTAX_POSIX_MINIMAL_BASIC RE_SYNTAX_POSIX_MINIMAL_EXTENDED RE_SYNTAX_SED
    RE_TRANSLATE_TYPE RE_UNMATCHED_RIGHT_PAREN_ORD RLIM_SAVED_CUR RLIM_SAVED_MAX
    RTLD_BINDING_MASK RTLD_DI_CONFIGADDR RTLD_DI_LINKMAP RTLD_DI_LMID RTLD_DI_MAX RTLD_DI_ORIGIN
    RTLD_DI_PHDR RTLD_DI_PROFILENAME RTLD_DI_PROFILEOUT RTLD_DI_SERINFO RTLD_DI_SERINFOSIZE
    RTLD_DI_TLS_DATA RTLD_DI_TLS_MODID RTLD_DL_LINKMAP RTLD_DL_SYMENT RWF_WRITE_LIFE_NOT_SET
    RWH_WRITE_LIFE_EXTREME RWH_WRITE_LIFE_LONG RWH_WRITE_LIFE_MEDIUM RWH_WRITE_LIFE_NONE
    RWH_WRITE_LIFE_NOT_SET RWH_WRITE_LIFE_SHORT SCM_TIMESTAMPING_OPT_STATS
    SCM_TIMESTAMPING_PKTINFO SCM_WIFI_STATUS SIGEV_NONE SIGEV_THREAD_ID SO_ATTACH_BPF
    SO_ATTACH_FILTER SO_ATTACH_REUSEPORT_CBPF SO_ATTACH_REUSEPORT_EBPF SO_BPF_EXTENSIONS
    SO_BUF_LOCK SO_BUSY_POLL SO_BUSY_POLL_BUDGET SO_CNX_ADVICE SO_DETACH_BPF SO_DETACH_FILTER
    SO_DETACH_REUSEPORT_BPF SO_GET_FILTER SO_INCOMING_CPU SO_INCOMING_NAPI_ID SO_LOCK_FILTER
    SO_MAX_PACING_RATE SO_NETNS_COOKIE SO_NO_CHECK SO_PEEK_OFF SO_PREFER_BUSY_POLL
    SO_RCVTIMEO_NEW SO_RCVTIMEO_OLD SO_RESERVE_MEM SO_RXQ_OVFL SO_SECURITY_AUTHENTICATION
    SO_SECURITY_ENCRYPTION_NETWORK SO_SECURITY_ENCRYPTION_TRANSPORT SO_SELECT_ERR_QUEUE
    SO_SNDTIMEO_NEW SO_SNDTIMEO_OLD SO_TIMESTAMPING_NEW SO_TIMESTAMPING_OLD SO_TIMESTAMPNS_NEW
    SO_TIMESTAMPNS_OLD SO_TIMESTAMP_NEW SO_TIMESTAMP_OLD SO_WIFI_STATUS SPLICE_F_GIFT
    SPLICE_F_MORE SPLICE_F_MOVE SPLICE_F_NONBLOCK STATX_ATTR_APPEND STATX_ATTR_AUTOMOUNT
    STATX_ATTR_COMPRESSED STATX_ATTR_DAX STATX_ATTR_ENCRYPTED STATX_ATTR_IMMUTABLE
    STATX_ATTR_MOUNT_ROOT STATX_ATTR_NODUMP STATX_ATTR_VERITY STATX_BASIC_STATS STATX_MNT_ID
    SYNC_FILE_RANGE_WAIT_AFTER SYNC_FILE_RANGE_WAIT_BEFORE SYNC_FILE_RANGE_WRITE
    SYNC_FILE_RANGE_WRITE_AND_WAIT TCPI_OPT_ECN TCPI_OPT_ECN_SEEN TCPI_OPT_SACK
    TCPI_OPT_SYN_DATA TCPI_OPT_TIMESTAMPS TCPI_OPT_WSCALE TCPOLEN_SACK_PERMITTED
    TCPOLEN_TSTAMP_APPA TCPOPT_SACK_PERMITTED TCPOPT_TSTAMP_HDR TCP_CA_CWR TCP_CC_INFO
    TCP_CLOSE_WAIT TCP_CM_INQ TCP_COOKIE_IN_ALWAYS TCP_COOKIE_MAX TCP_COOKIE_MIN
    TCP_COOKIE_OUT_NEVER TCP_COOKIE_PAIR_SIZE TCP_COOKIE_TRANSACTIONS TCP_DEFER_ACCEPT
    TCP_FASTOPEN_CONNECT TCP_FASTOPEN_KEY TCP_FASTOPEN_NO_COOKIE TCP_FIN_WAIT1 TCP_FIN_WAIT2
    TCP_LAST_ACK TCP_MAX_WINSHIFT TCP_MD5SIG_EXT TCP_MD5SIG_FLAG_PREFIX TCP_MD5SIG_MAXKEYLEN
    TCP_MSS_DEFAULT TCP_MSS_DESIRED TCP_NOTSENT_LOWAT TCP_NO_QUEUE TCP_QUEUES_NR TCP_QUEUE_SEQ
    TCP_RECV_QUEUE TCP_REPAIR_OFF TCP_REPAIR_OFF_NO_WP TCP_REPAIR_ON TCP_REPAIR_OPTIONS
    TCP_REPAIR_QUEUE TCP_REPAIR_WINDOW TCP_SAVED_SYN TCP_SAVE_SYN TCP_SEND_QUEUE TCP_SYN_RECV
    TCP_SYN_SENT TCP_S_DATA_IN TCP_S_DATA_OUT TCP_THIN_DUPACK TCP_THIN_LINEAR_TIMEOUTS
    TCP_TIME_WAIT TCP_TX_DELAY TCP_USER_TIMEOUT TCP_WINDOW_CLAMP TCP_ZEROCOPY_RECEIVE
    TEMP_FAILURE_RETRY TIMESPEC_TO_TIMEVAL TIMEVAL_TO_TIMESPEC TTY_NAME_MAX T_FMT_AMPM
    ULONG_LONG_MAX XATTR_LIST_MAX XATTR_NAME_MAX XATTR_SIZE_MAX arc4random_buf
    arc4random_uniform asctime_r canonicalize_file_name clearerr_unlocked copy_file_range
    ctime_r dl_find_object drand48_data drand48_r ecvt_r erand48_r f_owner_ex fcvt_r fd_mask
    fd_set feof_unlocked ferror_unlocked fflush_unlocked fgetc_unlocked fgetgrent_r fgetpwent_r
    fgets_unlocked fgetwc_unlocked fgetws_unlocked file_handle fileno_unlocked fmaximum_mag
    fmaximum_mag_num fmaximum_mag_numf fmaximum_mag_numf32 fmaximum_mag_numf32x
    fmaximum_mag_numf64 fmaximum_mag_numf64x fmaximum_mag_numl fmaximum_magf fmaximum_magf32
    fmaximum_magf32x fmaximum_magf64 fmaximum_magf64x fmaximum_magl fmaximum_num fmaximum_numf
    fmaximum_numf32 fmaximum_numf32x fmaximum_numf64 fmaximum_numf64x fmaximum_numl fminimum_mag
    fminimum_mag_num fminimum_mag_numf fminimum_mag_numf32 fminimum_mag_numf32x
    fminimum_mag_numf64 fminimum_mag_numf64x fminimum_mag_numl fminimum_magf fminimum_magf32
    fminimum_magf32x fminimum_magf64 fminimum_magf64x fminimum_magl fminimum_num fminimum_numf
    fminimum_numf32 fminimum_numf32x fminimum_numf64 fminimum_numf64x fminimum_numl
    fputc_unlocked fputs_unlocked fputwc_unlocked fputws_unlocked fread_unlocked fwrite_unlocked
    gai_cancel gai_error gai_strerror gai_suspend get_current_dir_name getaddrinfo_a
    getc_unlocked getchar_unlocked getdate_err getdate_r getgrent_r getgrgid_r getgrnam_r
    gethostbyaddr_r gethostbyname2_r gethostbyname_r gethostent_r getlogin_r getnetbyaddr_r
    getnetbyname_r getnetent_r getnetgrent_r getprotobyname_r getprotobynumber_r getprotoent_r
    getpwent_r getpwnam_r getpwuid_r getrpcbyname_r getrpcbynumber_r getrpcent_r getservbyname_r
    getservbyport_r getservent_r getwc_unlocked getwchar_unlocked gmtime_r group_filter
    group_member group_req group_source_req hcreate_r hdestroy_r hsearch_data hsearch_r in6_addr
    in6_pktinfo in6addr_any in6addr_loopback in_addr in_pktinfo inet6_opt_append inet6_opt_find
    inet6_opt_finish inet6_opt_get_val inet6_opt_init inet6_opt_next inet6_opt_set_val
    inet6_option_alloc inet6_option_append inet6_option_find inet6_option_init inet6_option_next
    inet6_option_space inet6_rth_add inet6_rth_getaddr inet6_rth_init inet6_rth_reverse
    inet6_rth_segments inet6_rth_space inet_addr inet_aton inet_lnaof inet_makeaddr
    inet_net_ntop inet_net_pton inet_neta inet_netof inet_network inet_nsap_addr inet_nsap_ntoa
    inet_ntoa inet_ntop inet_pton initstate_r ip6_mtuinfo ip_mreq ip_mreq_source ip_mreqn
    ip_msfilter ip_opts ipc_perm ipv6_mreq iruserok_af isalnum_l isalpha_l isascii_l isblank_l
    iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l isupper_l iswalnum_l
    iswalpha_l iswblank_l iswcntrl_l iswctype_l iswdigit_l iswgraph_l iswlower_l iswprint_l
    iswpunct_l iswspace_l iswupper_l iswxdigit_l isxdigit_l jrand48_r lcong48_r lgamma_r
    lgammaf32_r lgammaf32x_r lgammaf64_r lgammaf64x_r lgammaf_r lgammal_r lio_listio
    lio_listio64 localtime_r lrand48_r memfd_create mrand48_r msqid_ds name_to_handle_at nl_catd
    nl_item nl_langinfo nl_langinfo_l nrand48_r on_exit pkey_alloc pkey_free pkey_get
    pkey_mprotect pkey_set process_madvise process_mrelease process_vm_readv process_vm_writev
    program_invocation_name program_invocation_short_name ptsname_r putc_unlocked
    putchar_unlocked putwc_unlocked putwchar_unlocked qecvt_r qfcvt_r qsort_r rand_r random_data
    random_r rcmd_af re_compile_fastmap re_compile_pattern re_match re_match_2 re_pattern_buffer
    re_registers re_search re_search_2 re_set_registers re_set_syntax re_syntax_options
    readdir64_r readdir_r remap_file_pages rexec_af rresvport_af ruserok_af secure_getenv
    seed48_r semid_ds setstate_r shmid_ds sigabbrev_np sigdescr_np sigjmp_buf sockaddr_in
    sockaddr_in6 sockaddr_storage sockaddr_un srand48_r srandom_r statx_timestamp strcasecmp_l
    strcoll_l strerror_l strerror_r strerrordesc_np strerrorname_np strfmon_l strftime_l
    strncasecmp_l strptime_l strtod_l strtof32_l strtof32x_l strtof64_l strtof64x_l strtof_l
    strtok_r strtol_l strtold_l strtoll_l strtoul_l strtoull_l strxfrm_l sync_file_range
    sysv_signal tcp_ca_state tcp_cookie_transactions tcp_info tcp_md5sig tcp_repair_opt
    tcp_repair_window tcp_seq tcp_zerocopy_receive tmpnam_r toascii_l tolower_l toupper_l
    towctrans_l towlower_l towupper_l ttyname_r twalk_r u_char u_int u_long u_short wcscasecmp_l
    wcscoll_l wcsftime_l wcsncasecmp_l wcstod_l wcstof32_l wcstof32x_l wcstof64_l wcstof64x_l
    wcstof_l wcstol_l wcstold_l wcstoll_l wcstoul_l wcstoull_l wcsxfrm_l wctrans_l
"""

IDENTIFIERS = dict.fromkeys(_C.split(), "a name of the C library")
IDENTIFIERS |= dict.fromkeys(_POSIX.split(), "a name of POSIX or of its C library")
