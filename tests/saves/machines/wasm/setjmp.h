// WASI has no setjmp. Tests include it because cmocka requires it; our cmocka.h does not use it.
