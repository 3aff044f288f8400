/**
 * AttachRefusal: what who is not let in is told, from the action of the attachment table.
 *
 * Each is a different thing to do: ask for another writer, try again later, or nothing at all,
 * since nobody is there to be told. Pure.
 */
import { ClientGone } from "./AttachError.js";
import type { AttachmentAction, AttachmentState } from "./AttachmentState.js";
import { InterruptSettling } from "./LeaseError.js";
import { Closing, NotFound } from "./SessionError.js";

/** Why a client is not attached; nothing was changed then. */
export type AttachRefused = NotFound | InterruptSettling | Closing | ClientGone;

const attempted = "attach";

/** The refusal that the action is; `null` where it is none. */
export const refusalOf = (
  action: AttachmentAction,
  state: AttachmentState,
  { client, session }: { readonly client: string; readonly session: string },
): AttachRefused | null => {
  const where = { session, attempted };
  switch (action) {
    case "refuse: stale":
      return new NotFound({ ...where, stale: true });
    case "refuse: closing":
      return new Closing(where);
    case "refuse: client gone":
      return new ClientGone({ ...where, client });
    case "refuse: settling": {
      if (state._tag !== "Interrupting") return new Closing(where);
      const { settlesBy, turn } = state;
      return new InterruptSettling({ ...where, turn, settlesBy });
    }
    default:
      return null;
  }
};
