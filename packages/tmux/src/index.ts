/**
 * @troupe/tmux: core's `Tmux` over a transport, and the transports.
 */
export * from "./TmuxTransport.js";
