/**
 * ServerKeys: the names of formats about the server, its buffers and its clients.
 */
import type { FormatKey } from "./FormatKeys.js";
import { bufferSample } from "./PasteBuffers.js";

/** By name. */
export const serverKeys: Readonly<Record<string, FormatKey>> = {
  buffer_created: ({ server }) => {
    const top = server.buffers.top();
    return top === null ? null : { seconds: top.created };
  },
  buffer_name: ({ server }) => server.buffers.top()?.name ?? null,
  buffer_sample: ({ server }) => {
    const top = server.buffers.top();
    return top === null ? null : bufferSample(top);
  },
  buffer_size: ({ server }) => {
    const top = server.buffers.top();
    return top === null ? null : String(top.data.length);
  },
  client_activity: ({ client }) => (client === null ? null : { seconds: client.created }),
  client_created: ({ client }) => (client === null ? null : { seconds: client.created }),
  client_name: ({ client }) => client?.name ?? null,
  client_pid: ({ client }) => (client === null ? null : String(client.pid)),
  client_session: ({ client }) => client?.session?.name ?? null,
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
