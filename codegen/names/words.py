"""Words that a schema must not use as names, each with the reason."""

from __future__ import annotations

from collections.abc import Iterable

from names.system_macros import MEMBERS

_KEYWORDS = {
    "a keyword of C": """
        auto break case char const continue default do double else enum extern float for goto if
        inline int long register restrict return short signed sizeof static struct switch typedef
        union unsigned void volatile while alignas alignof bool constexpr false nullptr
        static_assert thread_local true typeof typeof_unqual asm""",
    "a keyword of C++": """
        catch char8_t char16_t char32_t class compl concept consteval constinit const_cast co_await
        co_return co_yield decltype delete dynamic_cast explicit export friend mutable namespace new
        noexcept operator private protected public reinterpret_cast requires static_cast template
        this throw try typeid typename using virtual wchar_t""",
    "an operator of C++": "and and_eq bitand bitor not not_eq or or_eq xor xor_eq",
    "a macro that compilers predefine": "i386 linux unix",
}

_STANDARD = {
    "assert": "assert",
    "complex": "complex imaginary",
    "errno": "errno",
    "libgen": "basename",
    "math": """
        fpclassify isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan
        isnormal isunordered math_errhandling signbit""",
    "netdb": "h_errno",
    "setjmp": "setjmp",
    "stdarg": "va_arg va_copy va_end va_start",
    "stdatomic": "kill_dependency",
    "stddef": "offsetof unreachable",
    "stdio": "stderr stdin stdout",
    "stdnoreturn": "noreturn",
}

_TYPES = """
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t
    uintmax_t size_t ssize_t ptrdiff_t max_align_t"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of Weft: verbs of a world, and parts of the names of its files.
VERBS = _words("""
    open close spawn despawn alive same none tick run flush commands save load hash error schema
    recycle reserve stats trim cmd world entity insight""")

# The header of a world with such a name would hide the system header <name.h>.
SYSTEM_HEADERS = _words("""
    aio assert complex ctype dirent dlfcn elf endian err errno error fcntl features fenv float
    fnmatch fts ftw getopt glob grp iconv inttypes iso646 langinfo libgen limits link locale malloc
    math memory monetary mqueue netdb nl_types obstack poll pthread pwd regex resolv sched search
    semaphore setjmp signal spawn stab stdalign stdarg stdatomic stdbit stdbool stdckdint stddef
    stdint stdio stdlib stdnoreturn string strings syslog tar termios tgmath threads time uchar
    ucontext ulimit unistd utime utmp values wait wchar wctype weft wordexp""")

# Windows takes a file or folder with such a name, with any extension, for a device.
WINDOWS_DEVICES = _words("""
    aux con nul prn com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7
    lpt8 lpt9""")

# Names of the C library begin with these words: sem_open, pthread_create, atomic_init.
SYSTEM_PREFIXES = _words("""
    aio atomic clock cnd dbm memory_order mq mtx posix pthread sched sem shm stdc thrd timer tss
    va""")


def _reasons() -> Iterable[tuple[str, str]]:
    for reason, words in _KEYWORDS.items():
        for word in words.split():
            yield word, reason
    for header, words in _STANDARD.items():
        for word in words.split():
            yield word, f"a macro of <{header}.h>"
    for header, words in MEMBERS.items():
        for word in words.split():
            yield word, f"a macro of <{header}>"
    for word in _TYPES.split():
        yield word, "a type of the C library"


RESERVED = dict(_reasons())

# An extern may be a struct of the C library, so its fields may have these names.
MEMBER_MACROS = frozenset(word for words in MEMBERS.values() for word in words.split())
