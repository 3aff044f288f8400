/**
 * Environment: the variables of the server or of a session, as tmux keeps them.
 *
 * A variable may be hidden (not given to panes) or cleared (known to be absent, shown as `-NAME`).
 */
import { compareBytes } from "./ByteOrder.js";

/** `value` is `null` for a cleared variable. */
export interface Variable {
  readonly name: string;
  readonly value: string | null;
  readonly hidden: boolean;
}

/** A set of variables. */
export class Environment {
  private readonly variables = new Map<string, Variable>();

  constructor(initial: Iterable<readonly [string, string]> = []) {
    for (const [name, value] of initial) this.set(name, value);
  }

  find(name: string): Variable | null {
    return this.variables.get(name) ?? null;
  }

  set(name: string, value: string, hidden = false): void {
    this.variables.set(name, { name, value, hidden });
  }

  /** Takes NAME=value; anything else is ignored, as tmux does. */
  put(assignment: string, hidden = false): void {
    const equals = assignment.indexOf("=");
    if (equals >= 0) this.set(assignment.slice(0, equals), assignment.slice(equals + 1), hidden);
  }

  clear(name: string): void {
    const hidden = this.variables.get(name)?.hidden ?? false;
    this.variables.set(name, { name, value: null, hidden });
  }

  unset(name: string): void {
    this.variables.delete(name);
  }

  /** In the order in which tmux lists them. */
  list(): ReadonlyArray<Variable> {
    return [...this.variables.values()].sort((a, b) => compareBytes(a.name, b.name));
  }

  /** Overrides with everything that another one has. */
  copyFrom(other: Environment): void {
    for (const variable of other.variables.values()) this.variables.set(variable.name, variable);
  }

  /** What a process gets. */
  exported(): Map<string, string> {
    const out = new Map<string, string>();
    for (const { hidden, name, value } of this.list()) {
      if (!hidden && value !== null && name !== "") out.set(name, value);
    }
    return out;
  }
}
