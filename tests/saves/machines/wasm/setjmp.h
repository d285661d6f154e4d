// WASI has no setjmp. Tests include it since cmocka asks for it; our cmocka.h does without.
