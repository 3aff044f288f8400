/**
 * ServerKeys: the names of formats about the server and its buffers.
 */
import type { FormatKey } from "./FormatKeys.js";
import { bufferSample } from "./PasteBuffers.js";

/** By name. */
export const serverKeys: Readonly<Record<string, FormatKey>> = {
  buffer_created: ({ buffer }) => (buffer === null ? null : { seconds: buffer.created }),
  buffer_name: ({ buffer }) => buffer?.name ?? null,
  buffer_sample: ({ buffer }) => (buffer === null ? null : bufferSample(buffer)),
  buffer_size: ({ buffer }) => (buffer === null ? null : String(buffer.data.length)),
  config_files: () => "/dev/null",
  host: ({ server }) => server.machine.settings.host,
  host_short: ({ server }) => server.machine.settings.host.replace(/\..*$/, ""),
  next_session_id: ({ server }) => (server.rules.since33 ? `$${server.nextSession}` : null),
  pid: ({ server }) => String(server.pid),
  socket_path: ({ server }) => server.machine.settings.socket,
  start_time: ({ server }) => ({ seconds: server.started }),
  uid: ({ server }) => String(server.machine.settings.uid),
  user: ({ server }) => server.machine.settings.user,
  version: ({ server }) => server.rules.version,
};
