#!/usr/bin/env node
// The command. It is committed, because npm links no bin that is missing at install; the program is the build.
import "../dist/main.js";
