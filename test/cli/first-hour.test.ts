/**
 * The document of a first hour is what happens in one.
 *
 * With TROUPE_GOLDEN=write it is written anew, to be read before it is kept.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { atStage } from "../support/InProcess.js";
import { firstHour } from "./FirstHour.js";
import { Transcript } from "./Transcript.js";

const path = fileURLToPath(new URL("../../docs/first-hour.md", import.meta.url));

it(
  "the first hour is as it is told",
  atStage(async (stage) => {
    const text = await firstHour(new Transcript(stage));
    if (process.env.TROUPE_GOLDEN === "write") writeFileSync(path, text);
    expect(text).toBe(readFileSync(path, "utf8"));
  }),
);
