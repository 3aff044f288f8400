/**
 * Strftime: dates in templates of display-message and in `#{t:}`, in the C locale and UTC.
 *
 * A conversion that strftime(3) does not know stays as it is, as glibc leaves it, but for the width
 * that it asked for. Alternative forms are outside of the model.
 */
import { outsideTheModel } from "./OutsideTheModel.js";

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const dayMs = 86_400_000;

/** Civil fields of an instant in UTC. */
interface Fields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
  readonly yearday: number;
  readonly seconds: number;
}

// Days to a civil date without a clock or a Date (Howard Hinnant's algorithm).
const civil = (epochDays: number): { year: number; month: number; day: number } => {
  const shifted = epochDays + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 2 : shiftedMonth - 10;
  return {
    year: yearOfEra + era * 400 + (month < 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
};

const leap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const lengths = (year: number) => [31, leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30];

const fieldsOf = (seconds: number): Fields => {
  const epochDays = Math.floor((seconds * 1000) / dayMs);
  const rest = seconds - epochDays * 86_400;
  const date = civil(epochDays);
  const before = lengths(date.year).slice(0, date.month);
  return {
    ...date,
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    weekday: (((epochDays + 4) % 7) + 7) % 7,
    yearday: before.reduce((sum, length) => sum + length, 0) + date.day - 1,
    seconds,
  };
};

const isoWeek = (f: Fields): { year: number; week: number } => {
  const weekday = (f.weekday + 6) % 7;
  const week = Math.floor((f.yearday - weekday + 10) / 7);
  const length = (year: number) => (leap(year) ? 366 : 365);
  if (week < 1) {
    return {
      year: f.year - 1,
      week: Math.floor((f.yearday + length(f.year - 1) - weekday + 10) / 7),
    };
  }
  if (week === 53 && f.yearday - weekday + 3 >= length(f.year))
    return { year: f.year + 1, week: 1 };
  return { year: f.year, week };
};

type Field = readonly [value: number, width: number, pad: "0" | " "];

const numbers: Record<string, (f: Fields) => Field> = {
  d: (f) => [f.day, 2, "0"],
  e: (f) => [f.day, 2, " "],
  H: (f) => [f.hour, 2, "0"],
  I: (f) => [f.hour % 12 || 12, 2, "0"],
  k: (f) => [f.hour, 2, " "],
  l: (f) => [f.hour % 12 || 12, 2, " "],
  j: (f) => [f.yearday + 1, 3, "0"],
  m: (f) => [f.month + 1, 2, "0"],
  M: (f) => [f.minute, 2, "0"],
  S: (f) => [f.second, 2, "0"],
  s: (f) => [f.seconds, 1, "0"],
  u: (f) => [f.weekday || 7, 1, "0"],
  w: (f) => [f.weekday, 1, "0"],
  y: (f) => [f.year % 100, 2, "0"],
  Y: (f) => [f.year, 1, "0"],
  C: (f) => [Math.floor(f.year / 100), 2, "0"],
  g: (f) => [isoWeek(f).year % 100, 2, "0"],
  G: (f) => [isoWeek(f).year, 1, "0"],
  V: (f) => [isoWeek(f).week, 2, "0"],
  U: (f) => [Math.floor((f.yearday + 7 - f.weekday) / 7), 2, "0"],
  W: (f) => [Math.floor((f.yearday + 7 - ((f.weekday + 6) % 7)) / 7), 2, "0"],
};

const texts: Record<string, (f: Fields) => string> = {
  a: (f) => (days[f.weekday] ?? "").slice(0, 3),
  A: (f) => days[f.weekday] ?? "",
  b: (f) => (months[f.month] ?? "").slice(0, 3),
  h: (f) => (months[f.month] ?? "").slice(0, 3),
  B: (f) => months[f.month] ?? "",
  p: (f) => (f.hour < 12 ? "AM" : "PM"),
  P: (f) => (f.hour < 12 ? "am" : "pm"),
  n: () => "\n",
  t: () => "\t",
  Z: () => "UTC",
  z: () => "+0000",
  "%": () => "%",
};

const composed: Record<string, string> = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  r: "%I:%M:%S %p",
  R: "%H:%M",
  T: "%H:%M:%S",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

const convert = (f: Fields, flag: string, width: number, letter: string): string | null => {
  const number = numbers[letter]?.(f);
  if (number !== undefined) {
    const [value, digits, pad] = number;
    if (flag === "-") return String(value).padStart(width, " ");
    const filled = flag === "_" ? " " : flag === "0" ? "0" : pad;
    return String(value).padStart(Math.max(digits, width), filled);
  }
  const whole = composed[letter];
  const text = whole === undefined ? texts[letter]?.(f) : strftimeFields(whole, f);
  if (text === undefined) return null;
  return (flag === "^" ? text.toUpperCase() : text).padStart(width, flag === "0" ? "0" : " ");
};

const strftimeFields = (template: string, f: Fields): string =>
  template.replace(
    /%([-_0^#]*)([0-9]*)([EO]?)([\s\S]?)/gu,
    (all: string, flags: string, width: string, modifier: string, letter: string) => {
      const flag = flags.slice(-1);
      const known = convert(f, flag, Number(width), letter);
      if (known === null) return all.padStart(Number(width), flag === "0" ? "0" : " ");
      if (modifier !== "" || flag === "#") outsideTheModel(`the strftime conversion ${all}`);
      return known;
    },
  );

/** Expands a template at an instant, in whole seconds since 1970. */
export const strftime = (template: string, seconds: number): string =>
  strftimeFields(template, fieldsOf(seconds));

/** As ctime(3), without its newline. */
export const ctime = (seconds: number): string => strftime("%a %b %e %H:%M:%S %Y", seconds);
