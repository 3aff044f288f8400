/**
 * @troupe/core: sessions, their actors and their lifecycle, over ports. In the order of the flow.
 */
// What a caller says and gets

export * from "./Host.js";
export * from "./Identity.js";
export * from "./Ids.js";
// What it decides
export * from "./Lifecycle.js";
export * from "./ProcessTable.js";
export * from "./Registry.js";
export * from "./Session.js";
export * from "./SessionError.js";
export * from "./SessionEvents.js";
export * from "./SessionName.js";
// The service
export * from "./Sessions.js";
export * from "./SessionView.js";
export * from "./Settings.js";
// The ports
export * from "./Tmux.js";
