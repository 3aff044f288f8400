/**
 * Output: the stream of what a terminal printed and prints.
 *
 * Needs no actor and no claim, and writes nothing. One position in what is recorded serves the
 * replay and the following alike, so nothing is lost between the two, and whoever resumes at a
 * sequence begins there. The stream's scope holds the watch and no process; it ends with the
 * terminal, and with this program's hold on the session.
 */
import { type Deferred, Effect, Option, Schema, type Scope, Stream } from "effect";
import { FIRST } from "./Create.js";
import { IncarnationId } from "./Identity.js";
import { OutputFiles } from "./OutputFiles.js";
import { endedInRow, OutputReader } from "./OutputReader.js";
import { count } from "./Quantity.js";
import { Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import { NotFound } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import type { OutputOptions } from "./SessionOptions.js";

const attempted = "read output";

/** What is done when this program lets go of an incarnation. */
export type ClosingOf = (
  session: SessionName,
  incarnation: IncarnationId,
) => Effect.Effect<Deferred.Deferred<void>, never, Scope.Scope>;

/** The terminal of the record that is asked for, the first one unless it is named. */
export const terminalIn = ({ state, terminals }: SessionRecord, named: string | undefined) => {
  const known = terminals.map(({ terminal }) => terminal);
  const name = named ?? known[0] ?? "main";
  const found = known.find((terminal) => terminal === name);
  // Its row is written when its program has started.
  return found ?? (state === "creating" && name === FIRST ? FIRST : null);
};

const isIncarnation = Schema.is(IncarnationId);

/** An incarnation of the name that is known, however long ago it ended. */
const incarnationOf = (session: SessionName, incarnation: string) =>
  Effect.gen(function* () {
    if (!isIncarnation(incarnation)) return null;
    const registry = yield* Registry;
    const found = Option.getOrNull(yield* registry.find(incarnation));
    return found?.session === session ? found : null;
  });

/** The output of the newest incarnation of the name, unless another is named. */
export const outputOf = (session: SessionName, options: OutputOptions, closing: ClosingOf) =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const registry = yield* Registry;
      const files = yield* OutputFiles;
      const { incarnation } = options;
      const record =
        incarnation === undefined
          ? Option.getOrNull(yield* registry.get(session))
          : yield* incarnationOf(session, incarnation);
      const terminal = record === null ? null : terminalIn(record, options.terminal);
      if (record === null || terminal === null) {
        if (record !== null || incarnation === undefined) {
          const named = record === null ? null : (options.terminal ?? null);
          return yield* new NotFound({ session, attempted, terminal: named });
        }
        const known = Option.isSome(yield* registry.get(session));
        const what = known ? "incarnation" : "session";
        return yield* new NotFound({ session, attempted, what });
      }
      if (!record.spec.log) return yield* new NotFound({ session, attempted, what: "output" });
      const output = { incarnation: record.incarnation, terminal };
      const reader = new OutputReader({
        session,
        output,
        from: count("from", options.from) ?? 0,
        startedAt: record.updatedAt,
        follow: options.follow ?? true,
        ended: endedInRow(record, terminal),
        closed: yield* closing(session, record.incarnation),
        changed: yield* files.watch(output),
      });
      return Stream.unfoldEffect(reader, (from) =>
        Effect.map(
          from.next,
          Option.map((element) => [element, from] as const),
        ),
      );
    }),
  );
