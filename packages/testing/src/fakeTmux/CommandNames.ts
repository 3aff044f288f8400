/**
 * CommandNames: every command that tmux has, with its alias, in tmux's order.
 *
 * An unambiguous prefix of a name is the name. The fake runs only some of them; for the others it
 * has to know that they exist.
 */

const table = `
  attach-session,attach bind-key,bind break-pane,breakp capture-pane,capturep choose-buffer
  choose-client choose-tree clear-history,clearhist clear-prompt-history,clearphist clock-mode
  command-prompt confirm-before,confirm copy-mode customize-mode delete-buffer,deleteb
  detach-client,detach display-menu,menu display-message,display display-popup,popup
  display-panes,displayp find-window,findw has-session,has if-shell,if join-pane,joinp
  kill-pane,killp kill-server kill-session kill-window,killw last-pane,lastp last-window,last
  link-window,linkw list-buffers,lsb list-clients,lsc list-commands,lscm list-keys,lsk
  list-panes,lsp list-sessions,ls list-windows,lsw load-buffer,loadb lock-client,lockc
  lock-server,lock lock-session,locks move-pane,movep move-window,movew new-session,new
  new-window,neww next-layout,nextl next-window,next paste-buffer,pasteb pipe-pane,pipep
  previous-layout,prevl previous-window,prev refresh-client,refresh rename-session,rename
  rename-window,renamew resize-pane,resizep resize-window,resizew respawn-pane,respawnp
  respawn-window,respawnw rotate-window,rotatew run-shell,run save-buffer,saveb
  select-layout,selectl select-pane,selectp select-window,selectw send-keys,send send-prefix
  server-access set-buffer,setb set-environment,setenv set-hook set-option,set
  set-window-option,setw show-buffer,showb show-environment,showenv show-hooks
  show-messages,showmsgs show-options,show show-prompt-history,showphist
  show-window-options,showw source-file,source split-window,splitw start-server,start
  suspend-client,suspendc swap-pane,swapp swap-window,swapw switch-client,switchc
  unbind-key,unbind unlink-window,unlinkw wait-for,wait
`;

const entries = table
  .trim()
  .split(/\s+/)
  .map((entry) => entry.split(","))
  .map(([name = "", alias = null]) => ({ name, alias }));

/** The full name, or what tmux says about a text that names none. */
export const findCommandName = (
  text: string,
): { readonly name: string } | { readonly error: string } => {
  const aliased = entries.find(({ alias }) => alias === text);
  if (aliased !== undefined) return { name: aliased.name };
  const exact = entries.find(({ name }) => name === text);
  const fitting = entries.filter(({ name }) => name.startsWith(text));
  const [first] = fitting;
  if (first === undefined) return { error: `unknown command: ${text}` };
  if (exact !== undefined) return { name: exact.name };
  if (fitting.length === 1) return { name: first.name };
  const names = fitting.map(({ name }) => name).join(", ");
  return { error: `ambiguous command: ${text}, could be: ${names}` };
};
