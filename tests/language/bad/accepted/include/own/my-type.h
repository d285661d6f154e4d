// What edges.toml takes for the game's own, in names that are not in our style.
#ifndef OWN_MY_TYPE_H
#define OWN_MY_TYPE_H

typedef struct MyType {
    unsigned char m_Value;
} MyType;

#endif
