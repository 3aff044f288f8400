/**
 * ClientKeys: the names of formats about a client.
 *
 * Without one each is blank. No client of the fake has a terminal, so what only a terminal knows is
 * blank too.
 */
import type { FormatClient } from "./AttachedClient.js";
import type { FormatContext } from "./FormatContext.js";
import type { FormatKey, FormatValue } from "./FormatKeys.js";

const about =
  (say: (client: FormatClient, context: FormatContext) => FormatValue): FormatKey =>
  (context) =>
    context.client === null ? null : say(context.client, context);

const bit = (value: boolean): string => (value ? "1" : "0");
const isUtf8 = ({ server }: FormatContext): boolean => server.machine.settings.utf8;
const always = (text: string): FormatKey => about(() => text);

const flags = ({ flags: said, session }: FormatClient, context: FormatContext): string =>
  [
    ...(session === null ? [] : ["attached", "focused", "control-mode", ...said]),
    ...(isUtf8(context) ? ["UTF-8"] : []),
  ].join(",");

const lastSession = ({ lastSession: last }: FormatClient): string | null =>
  last?.alive === true ? last.name : null;

/** By name. */
export const clientKeys: Readonly<Record<string, FormatKey>> = {
  client_activity: about(({ created }) => ({ seconds: created })),
  client_cell_height: () => null,
  client_cell_width: () => null,
  client_control_mode: about(({ session }) => bit(session !== null)),
  client_created: about(({ created }) => ({ seconds: created })),
  client_discarded: always("0"),
  client_flags: about(flags),
  client_height: () => null,
  client_key_table: always("root"),
  client_last_session: about(lastSession),
  client_name: about(({ name }) => name),
  client_pid: about(({ pid }) => String(pid)),
  client_prefix: always("0"),
  client_readonly: always("0"),
  client_session: about(({ session }) => session?.name ?? null),
  client_termfeatures: always(""),
  client_termname: about(
    (_, { server }) => server.machine.settings.clientEnvironment.TERM || "unknown",
  ),
  client_termtype: always(""),
  client_tty: always(""),
  client_uid: about((_, { server }) => String(server.machine.settings.uid)),
  client_user: about((_, { server }) => server.machine.settings.user),
  client_utf8: about((_, context) => bit(isUtf8(context))),
  client_width: always("80"),
  client_written: always("0"),
  window_bigger: always("0"),
  window_offset_x: () => null,
  window_offset_y: () => null,
};
