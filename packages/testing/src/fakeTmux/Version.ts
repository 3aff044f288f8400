/**
 * Version: the releases of tmux that the fake can stand for, and where their answers differ.
 *
 * Everything else is as in 3.3a, against which the fake is compared byte for byte.
 */
import { outsideTheModel } from "./OutsideTheModel.js";
import type { DollarEscape } from "./Vis.js";

/** A release. */
export type TmuxVersion = "3.2a" | "3.3a" | "3.4" | "3.5a" | "3.6b" | "3.7c";

const order: ReadonlyArray<TmuxVersion> = ["3.2a", "3.3a", "3.4", "3.5a", "3.6b", "3.7c"];

/** What a release does. */
export interface VersionRules {
  readonly version: TmuxVersion;
  /** Errors in flags are those of getopt, with the usage behind. */
  readonly getoptErrors: boolean;
  /** A flag at the end of a command needs its value. */
  readonly flagNeedsValue: boolean;
  /** `new-session -s ''` makes a session without a name. */
  readonly emptyNames: boolean;
  /** `:` and `.` stay in names, and control characters are refused. */
  readonly plainNames: boolean;
  readonly dollar: DollarEscape;
  /** Printed lines have control characters in octal. */
  readonly octalOutput: boolean;
  /** `show-options -v` of a user option that is not set fails. */
  readonly unsetOptionFails: boolean;
  /** A list of nothing but `;` is an error. */
  readonly emptyCommandFails: boolean;
  /** `window-size manual` in the global options crashes the server at the next session. */
  readonly manualSizeCrashes: boolean;
  /** A directory of the socket that is missing is told, though the exit code is 0. */
  readonly tellsMissingDirectory: boolean;
  /** A paste into a pane whose program has ended crashes the server. */
  readonly deadPasteCrashes: boolean;
  /** A paste is cleaned of control characters, unless `-S` says otherwise. */
  readonly pasteIsCleaned: boolean;
  /** The `next_session_id` format and the `remain-on-exit-format` option. */
  readonly since33: boolean;
}

/** The rules of a release. */
export const rulesOf = (version: TmuxVersion): VersionRules => {
  if (!order.includes(version)) outsideTheModel(`tmux ${version} (only ${order.join(", ")})`);
  const from = (first: TmuxVersion): boolean => order.indexOf(version) >= order.indexOf(first);
  const octalOutput = from("3.4") && !from("3.6b");
  return {
    version,
    getoptErrors: !from("3.3a"),
    flagNeedsValue: from("3.4"),
    emptyNames: version === "3.2a" || version === "3.7c",
    plainNames: from("3.7c"),
    dollar: from("3.5a") ? "" : "\\",
    octalOutput,
    unsetOptionFails: from("3.3a"),
    emptyCommandFails: !from("3.3a"),
    manualSizeCrashes: from("3.3a") && !from("3.7c"),
    tellsMissingDirectory: from("3.3a"),
    deadPasteCrashes: !from("3.4"),
    pasteIsCleaned: from("3.7c"),
    since33: from("3.3a"),
  };
};
