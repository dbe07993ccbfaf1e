/** Colour arithmetic of the token generator: OKLCH to sRGB, gamut fitting and WCAG contrast. */

export interface Oklch {
  /** Lightness, 0 to 1. */
  readonly l: number
  /** Chroma, 0 to about 0.37. */
  readonly c: number
  /** Hue in degrees. */
  readonly h: number
}

type Rgb = readonly [number, number, number]

const encode = (value: number): number =>
  value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
const decode = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4

/** Linear sRGB of an OKLCH colour; channels leave 0..1 outside the gamut. */
function linear({ l, c, h }: Oklch): Rgb {
  const angle = (h * Math.PI) / 180
  const a = c * Math.cos(angle)
  const b = c * Math.sin(angle)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

const fits = (rgb: Rgb): boolean => rgb.every((value) => value >= -0.0005 && value <= 1.0005)

/** `#rrggbb` of a colour; lowers the chroma until it fits into sRGB. */
export function toHex(colour: Oklch): string {
  let chroma = colour.c
  while (chroma > 0 && !fits(linear({ ...colour, c: chroma }))) chroma = Math.max(0, chroma - 0.004)
  const bytes = linear({ ...colour, c: chroma }).map((value) =>
    Math.round(255 * encode(Math.min(1, Math.max(0, value)))),
  )
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function channels(hex: string): Rgb {
  const at = (index: number): number =>
    decode(Number.parseInt(hex.slice(index, index + 2), 16) / 255)
  return [at(1), at(3), at(5)]
}

/** OKLCH of `#rrggbb`. */
export function fromHex(hex: string): Oklch {
  const [red, green, blue] = channels(hex)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  const hue = (Math.atan2(b, a) * 180) / Math.PI
  return { l, c: Math.hypot(a, b), h: hue < 0 ? hue + 360 : hue }
}

function luminance(hex: string): number {
  const [red, green, blue] = channels(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG contrast ratio of two `#rrggbb` colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/**
 * The colour itself, or the nearest one (moving its lightness away from the backgrounds) whose
 * contrast with every background reaches the ratio. `#rrggbb`.
 */
export function readableOn(colour: Oklch, backgrounds: readonly string[], ratio: number): string {
  const worst = (hex: string): number => Math.min(...backgrounds.map((back) => contrast(hex, back)))
  const walk = (step: number): string | undefined => {
    for (let l = colour.l; l >= 0 && l <= 1; l += step) {
      const hex = toHex({ ...colour, l })
      if (worst(hex) >= ratio) return hex
    }
    return undefined
  }
  const darkGround = Math.max(...backgrounds.map(luminance)) < 0.18
  const first = darkGround ? walk(0.01) : walk(-0.01)
  const fallback = worst('#000000') > worst('#ffffff') ? '#000000' : '#ffffff'
  return first ?? (darkGround ? walk(-0.01) : walk(0.01)) ?? fallback
}
