/**
 * WriterMutants: guards of writers that only an order of steps shows, or a longer way to it: what
 * they tell as they end, what they leave to a turn, who is let in next. Each is taken away once.
 *
 * A reader of the code made them, and no world found them: the worlds that do came behind that.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

/** Of what writers tell and leave. */
export const writerMutants: ReadonlyArray<Mutant> = [
  {
    name: "what-was-read-is-taken-for-told",
    removes: "What a client is told counts as told when it was given on, not when it was read.",
    file: `${core}/AttachStream.ts`,
    from: "Stream.concat(from(place, true), Stream.drain(Stream.fromEffect(whole))),",
    to: "Stream.concat(read(true), Stream.drain(Stream.fromEffect(whole))),",
    and: [
      {
        file: `${core}/AttachStream.ts`,
        from: "    const followed = Stream.interruptWhen(",
        to: `    const read = (follow: boolean) =>
      Stream.tap(from(place, follow), (element) =>
        Effect.sync(() => {
          place = behind(element, place);
        }),
      );
    const followed = Stream.interruptWhen(`,
      },
      {
        file: `${core}/AttachStream.ts`,
        from: "Stream.suspend(() => (isWhole ? Stream.empty : from(place, false))).pipe(",
        to: "Stream.suspend(() => (isWhole ? Stream.empty : read(false))).pipe(",
      },
      {
        file: `${core}/AttachStream.ts`,
        from: `    return Stream.concat(followed, rest).pipe(
      Stream.tap((element) =>
        Effect.sync(() => {
          place = behind(element, place);
        }),
      ),
    );`,
        to: "    return Stream.concat(followed, rest);",
      },
    ],
    killedBy: [
      world("a client is told everything of a writer that deletes its session"),
      world("a client is told everything of a writer that ends behind a takeover"),
      world("all that is told as the end comes, visible"),
    ],
  },
  {
    name: "who-is-let-in-is-not-awaited",
    removes: "Who has the seat is awaited from the step in which it was given to him.",
    file: `${core}/TurnSeat.ts`,
    from: "      Effect.as(isDropped),",
    to: `      Effect.map(() => {
        this.isEntering = true;
        return isDropped;
      }),`,
    and: [
      {
        file: `${core}/TurnSeat.ts`,
        from: "this.isEntering = next !== undefined;",
        to: "this.isEntering = false;",
      },
    ],
    killedBy: [
      world("a turn that is stopped at a writer that nobody is at, and 1 behind it, who are slow"),
    ],
  },
  {
    name: "second-delete-of-a-turn-undoes-the-first",
    removes: "A turn that deleted its session did so whatever becomes of another delete of it.",
    file: `${core}/TurnInside.ts`,
    from: "for (const inside of own) inside.deletes += by;",
    to: "for (const inside of own) inside.deletes = by > 0 ? 1 : 0;",
    killedBy: [world("a walk of leases, drawn 58"), world("a walk of leases, drawn 110")],
  },
  {
    name: "a-turn-is-left-one-lease",
    removes: "A writer that ends leaves all that it holds to its turn, wherever its leases went.",
    file: `${core}/LeaseEnds.ts`,
    from: "      deferrals.add(deferral);",
    to: `      for (const one of deferrals) {
        if (one.held.writer.session === own.writer.session) deferrals.delete(one);
      }
      deferrals.add(deferral);`,
    killedBy: [world("a walk of leases, drawn 118")],
  },
];
