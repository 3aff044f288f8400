#!/usr/bin/env -S node --
// Committed, because npm links no bin that is missing at install; the program is the build. The
// dashes keep node from taking an option of ours, such as --env-file, for one of its own.
import "../dist/main.js";
