/** Marks of browsers and systems, the most telling first: many name others that they are like. */
export const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
  ['curl', 'curl'],
] as const
export const SYSTEMS = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** What `deviceOf` says of a user agent that reveals nothing. */
export const UNKNOWN_DEVICE = 'Unknown device'

/** Browser and operating system, as far as the user agent reveals them. */
export function deviceOf(userAgent: string): string {
  const browser = BROWSERS.find(([mark]) => new RegExp(`\\b${mark}/`).test(userAgent))
  const system = SYSTEMS.find(([mark]) => new RegExp(`\\b${mark}\\b`).test(userAgent))
  const words = [browser, system].flatMap((found) => (found ? [found[1]] : []))
  return words.length > 0 ? words.join(' on ') : UNKNOWN_DEVICE
}
