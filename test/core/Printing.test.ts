/**
 * Printing: what is recorded tells that something was printed, or that it cannot tell.
 */
import { describe, expect, it } from "@effect/vitest";
import { LookupFailed, OutputFiles, type OutputRange } from "@troupe/core";
import { Effect, TestClock } from "effect";
import { Printing } from "../../packages/core/src/Printing.js";

const output = { incarnation: "i", terminal: "main" } as never;

const lost = new LookupFailed({
  session: null,
  attempted: "read output",
  source: "files",
  reason: "unclear",
  detail: "EACCES",
});

/** Files in which so many bytes are recorded; or whose answer is this. */
const filesOf = (state: { size: number; answer?: OutputRange["recorder"] | LookupFailed }) =>
  Effect.provideService(OutputFiles, {
    read: (_: unknown, from: number, most: number) => {
      const { answer = "idle", size } = state;
      if (typeof answer !== "string") return Effect.fail(answer);
      const data = new Uint8Array(Math.min(most, Math.max(0, size - from)));
      return Effect.succeed({ from, data, recorder: answer });
    },
  } as unknown as OutputFiles["Type"]);

describe("what is recorded of a terminal", () => {
  it.effect("before the first look is not what is printed, however much it is", () =>
    Effect.gen(function* () {
      const state = { size: 5 * 1024 * 1024 };
      const printing = new Printing(output, true, 7);
      const listen = printing.listen.pipe(filesOf(state));
      yield* TestClock.adjust("1 second");
      expect(yield* listen).toEqual({ printed: false, recorder: "idle" });
      expect(printing.lastMs).toBe(7);
      state.size += 2 * 1024 * 1024;
      expect(yield* listen).toEqual({ printed: true, recorder: "idle" });
      expect(printing.lastMs).toBe(1_000);
      expect(yield* listen).toEqual({ printed: false, recorder: "idle" });
    }),
  );

  it.effect("tells nothing where there is nothing, it broke off, or it cannot be read", () =>
    Effect.gen(function* () {
      const state: Parameters<typeof filesOf>[0] = { size: 10 };
      const listen = new Printing(output, true, 0).listen.pipe(filesOf(state));
      for (const answer of ["absent", "broken", lost] as const) {
        state.answer = answer;
        const recorder = answer === lost ? null : answer;
        expect(yield* listen).toEqual({ printed: null, recorder });
      }
      const unrecorded = new Printing(output, false, 0).listen.pipe(filesOf(state));
      expect(yield* unrecorded).toEqual({ printed: null, recorder: null });
      state.answer = "ended";
      expect(yield* listen).toEqual({ printed: false, recorder: "ended" });
    }),
  );
});
