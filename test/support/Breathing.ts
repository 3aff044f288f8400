/**
 * Breathing: between two tests the event loop turns once.
 *
 * An exploration is one long synchronous step. A file of them would keep its worker from answering
 * its runner for longer than that waits.
 */
import { setImmediate } from "node:timers/promises";
import { afterEach } from "vitest";

afterEach(() => setImmediate());
