/**
 * StopList: the command list that ends a server which has no session, and how its answer is read.
 *
 * The check and the end are one list, so a session that another program makes in between is never
 * lost. The server says what it will do before it does it; that it is gone is for the caller to
 * see, because its clients may be cut off either way.
 */
import { type LookupFailed, type ServerId, sameServer } from "@troupe/core";
import { Either } from "effect";
import { ANY_SESSION } from "./Keeper.js";
import { both, HELLO, print, sequence, serverIs, when } from "./TmuxCommand.js";
import { type Asked, failureOf, garbled, linesOf } from "./TmuxFailure.js";
import { parseHello } from "./TmuxFormat.js";
import type { TmuxReply } from "./TmuxTransport.js";

/** What the server will do; `elsewhere` when another one answered, or none. */
export type Stopping = "stopping" | "kept" | "elsewhere";

/** The list, for `source-file -`. A connection of a program keeps no server: it comes back. */
export const stopList = (server: ServerId): string =>
  [
    print(HELLO),
    when(
      both(`#{==:${ANY_SESSION},}`, serverIs(server)),
      sequence(print("STOPPING"), "kill-server"),
      print("KEPT"),
      null,
    ),
    "",
  ].join("\n");

/** What the answer says. */
export const readStopping = (
  asked: Asked,
  server: ServerId,
  reply: TmuxReply,
): Either.Either<Stopping, LookupFailed> => {
  const [greeting, verdict] = linesOf(reply);
  const hello = parseHello(greeting);
  if (hello === null) {
    const failure = failureOf(asked, reply);
    return failure === "no-server" ? Either.right("elsewhere") : Either.left(failure);
  }
  if (!sameServer(hello.server, server)) return Either.right("elsewhere");
  if (verdict === "STOPPING") return Either.right("stopping");
  return verdict === "KEPT" ? Either.right("kept") : Either.left(garbled(asked, reply));
};
