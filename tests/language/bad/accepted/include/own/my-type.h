// The game's own type in edges.toml, with names in another style than ours.
#ifndef OWN_MY_TYPE_H
#define OWN_MY_TYPE_H

typedef struct MyType {
    unsigned char m_Value;
} MyType;

typedef struct Stamp {
    unsigned char st_mtime; // a macro of <sys/stat.h>, as a member of the game's may be
} Stamp;

#endif
