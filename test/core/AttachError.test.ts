/**
 * AttachError: what a person is told of where he is.
 */
import { Nested, SelfAttach } from "@troupe/core";
import { describe, expect, it } from "vitest";

const where = { session: "a", attempted: "attach" };

describe("the failures of attach", () => {
  it("name the session, and by what it is known where the caller is", () => {
    expect(new Nested({ ...where, socket: "/tmp/x" }).message).toContain("another tmux (/tmp/x)");
    const told = (["pane", "environment", "terminal"] as const).map(
      (why) => new SelfAttach({ ...where, why }).message,
    );
    expect(new Set(told).size).toBe(3);
    expect(told.every((text) => text.startsWith("this runs in session a itself: "))).toBe(true);
  });
});
