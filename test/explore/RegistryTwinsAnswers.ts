/**
 * RegistryTwinsAnswers: what two registries answered, as data that can be compared, and in words
 * where they differ.
 *
 * A bug is told as one, whatever it says. What SQLite alone knows is left out: which process an
 * owner is, where its name tells that.
 */
import { Cause, type Exit, Option } from "effect";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** In memory an owner's name tells of no process. */
const unnamed = (fields: Fields): Fields => {
  if ("acquiredAt" in fields) return { ...fields, pid: null, host: null, bootId: null };
  if (fields.type === "lease") return { ...fields, pid: null };
  return fields._tag === "LeaseLost"
    ? { ...fields, holder: fields.holder === null ? null : "somebody" }
    : fields;
};

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (key, inner: unknown) => {
      if (key === "detail" || key === "message") return undefined;
      return isFields(inner) && !Array.isArray(inner) ? unnamed(inner) : inner;
    }),
  );

/** The answer as data. */
export const answerOf = (exit: Exit.Exit<unknown, unknown>): unknown => {
  if (exit._tag === "Success") return plain(exit.value);
  const failure = Cause.failureOption(exit.cause);
  return Option.isNone(failure) ? "a bug" : { failed: plain(failure.value) };
};

const text = (value: unknown): string => JSON.stringify(value) ?? "nothing";

/** Where the second answer is another than the first, and both; `null` where they are the same. */
export const difference = (memory: unknown, sqlite: unknown, at = ""): string | null => {
  if (Object.is(memory, sqlite)) return null;
  if (!isFields(memory) || !isFields(sqlite) || "failed" in memory !== "failed" in sqlite) {
    return `${at}: in memory ${text(memory)}, in SQLite ${text(sqlite)}`;
  }
  for (const key of new Set([...Object.keys(memory), ...Object.keys(sqlite)])) {
    const found = difference(memory[key], sqlite[key], `${at}.${key}`);
    if (found !== null) return found;
  }
  return null;
};
