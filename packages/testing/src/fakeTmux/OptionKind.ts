/**
 * OptionKind: what an option of tmux may hold, and in which tables it lives.
 *
 * The values of an opaque option (styles, colours, keys, hooks) are shown as they are by default;
 * to set one is outside of the model. An option of scope `pane` also lives in windows.
 */

/** Where an option is kept. */
export type OptionScope = "server" | "session" | "window" | "pane";

/** One option that tmux knows by name. `first` is its default, as text. */
export interface KnownOption {
  readonly name: string;
  readonly scope: OptionScope;
  readonly first: string | ReadonlyArray<string> | null;
  readonly kind: OptionKind;
}

/** How text becomes a value. */
export type OptionKind =
  | { readonly _tag: "Flag" }
  | { readonly _tag: "Number"; readonly minimum: number; readonly maximum: number }
  | { readonly _tag: "Choice"; readonly choices: ReadonlyArray<string> }
  | { readonly _tag: "Text"; readonly pattern: string | null }
  | { readonly _tag: "List"; readonly separators: string }
  | { readonly _tag: "Opaque" };

/** On or off. */
export const flag = (name: string, scope: OptionScope, on: boolean): KnownOption => ({
  name,
  scope,
  first: on ? "on" : "off",
  kind: { _tag: "Flag" },
});

/** A whole number within bounds. */
export const number = (
  name: string,
  scope: OptionScope,
  first: number,
  minimum: number,
  maximum: number,
): KnownOption => ({
  name,
  scope,
  first: String(first),
  kind: { _tag: "Number", minimum, maximum },
});

/** One of several words. */
export const choice = (
  name: string,
  scope: OptionScope,
  first: string,
  choices: ReadonlyArray<string>,
): KnownOption => ({ name, scope, first, kind: { _tag: "Choice", choices } });

/** Any text, or one that matches a pattern. */
export const text = (
  name: string,
  scope: OptionScope,
  first: string,
  pattern: string | null = null,
): KnownOption => ({ name, scope, first, kind: { _tag: "Text", pattern } });

/** Texts by index; set as one text with separators. */
export const list = (
  name: string,
  scope: OptionScope,
  first: ReadonlyArray<string>,
): KnownOption => ({
  name,
  scope,
  first,
  kind: { _tag: "List", separators: name === "update-environment" ? " ," : "," },
});

/** Shown, never set; `null` where even the default is too long to be of use here. */
export const opaque = (name: string, scope: OptionScope, first: string | null): KnownOption => ({
  name,
  scope,
  first,
  kind: { _tag: "Opaque" },
});
