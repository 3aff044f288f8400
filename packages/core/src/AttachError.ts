/**
 * AttachError: why nobody is attached although the session is there: where the caller is, or that
 * he is gone.
 *
 * It is found out before anything is done.
 */
import { Schema } from "effect";

const where = { session: Schema.NullOr(Schema.String), attempted: Schema.String };

/** The caller is inside another tmux server, and did not ask for one inside the other. */
export class Nested extends Schema.TaggedError<Nested>()("Nested", {
  ...where,
  socket: Schema.String,
}) {
  override get message(): string {
    return `this runs inside another tmux (${this.socket}), in which session ${this.session} would be nested`;
  }
}

/** The caller is in the very session. `why` says by what that is known. */
export class SelfAttach extends Schema.TaggedError<SelfAttach>()("SelfAttach", {
  ...where,
  why: Schema.Literal("pane", "environment", "terminal"),
}) {
  override get message(): string {
    const why = {
      pane: "TMUX_PANE is a pane of it",
      environment: "the environment bears its mark",
      terminal: "the terminal is one of its own",
    }[this.why];
    return `this runs in session ${this.session} itself: ${why}`;
  }
}

/** The peer of the client is gone: nothing was bound. Also told of one that could not be served. */
export class ClientGone extends Schema.TaggedError<ClientGone>()("ClientGone", {
  ...where,
  client: Schema.String,
}) {
  override get message(): string {
    return `client ${this.client} of session ${this.session} is gone`;
  }
}
