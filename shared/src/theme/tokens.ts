import { contrast, fromHex, type Oklch, readableOn, toHex } from './oklch.ts'

/**
 * Every colour of the panel, derived from two accents in OKLCH. Names are the CSS variables without
 * their prefix `--l-`; values are `#rrggbb`. All of `TEXT_PAIRS` and `CONTROL_PAIRS` are readable
 * for any accent.
 */
export type Tokens = Readonly<Record<string, string>>
export type Scheme = 'light' | 'dark'

/** The accent of actions, links and what is selected. */
export const DEFAULT_SEED = '#3b5bdb'
/** The second accent: the mark, favourites, the second line of a chart. Never for a state. */
export const SECOND_SEED = '#e0632b'

/** The meanings of colours besides the accent; each is always shown with an icon and a word. */
export const TONES = ['ok', 'warn', 'err', 'info', 'pend', 'idle'] as const
export type Tone = (typeof TONES)[number]

const HUES: Record<Tone, { h: number; c: number }> = {
  ok: { h: 155, c: 0.13 },
  warn: { h: 72, c: 0.13 },
  err: { h: 24, c: 0.18 },
  info: { h: 240, c: 0.12 },
  pend: { h: 300, c: 0.13 },
  idle: { h: 262, c: 0.012 },
}

/** Three steps of surfaces: the page, what lies on it, what floats above. */
const SURFACES = ['bg', 'surface', 'overlay'] as const
/** Anything that text can stand on; the fills are for hovering, pressing and wells. */
const GROUNDS = [...SURFACES, 'fill', 'fill-2'] as const

/** Pairs that must be readable (4.5:1), as [text, background]. */
export const TEXT_PAIRS: readonly (readonly [string, string])[] = [
  ...GROUNDS.flatMap((ground) =>
    ['text', 'text-2', 'text-3', 'link'].map((text) => [text, ground] as const),
  ),
  ['accent-fg', 'accent'],
  ['accent-fg', 'accent-hover'],
  ['accent-soft-fg', 'accent-soft'],
  ['second-soft-fg', 'second-soft'],
  ['danger-fg', 'danger'],
  ['danger-fg', 'danger-hover'],
  ['hint-fg', 'hint'],
  ...TONES.flatMap((tone) => [
    [`${tone}-fg`, `${tone}-soft`] as const,
    ...GROUNDS.map((ground) => [tone, ground] as const),
  ]),
  ['term-fg', 'term-bg'],
  ['term-dim', 'term-bg'],
]

/** Pairs that must be told apart (3:1): outlines of fields, marks, focus, lines of charts. */
export const CONTROL_PAIRS: readonly (readonly [string, string])[] = [
  ...SURFACES.map((ground) => ['line-control', ground] as const),
  ...GROUNDS.flatMap((ground) =>
    ['mark', 'focus', 'second', ...Array.from({ length: 8 }, (_, at) => `chart-${at + 1}`)].map(
      (mark) => [mark, ground] as const,
    ),
  ),
  ['mark-fg', 'mark'],
]

const TERMINAL_HUES: readonly (readonly [string, number, number])[] = [
  ['red', 25, 0.16],
  ['green', 150, 0.15],
  ['yellow', 90, 0.13],
  ['blue', 255, 0.14],
  ['magenta', 320, 0.15],
  ['cyan', 205, 0.1],
]

/**
 * Colours of a solid button: a background near the desired colour and a text that is readable on it
 * and on its hover.
 */
function solid(name: string, colour: Oklch, scheme: Scheme): Record<string, string> {
  const hover = (l: number): Oklch => ({ ...colour, l: l + (scheme === 'dark' ? 0.04 : -0.05) })
  for (let offset = 0; offset < 0.6; offset += 0.01) {
    for (const l of [colour.l - offset, colour.l + offset]) {
      if (l < 0.2 || l > 0.92) continue
      const ground = toHex({ ...colour, l })
      const over = toHex(hover(l))
      for (const text of ['#ffffff', '#0b0d10']) {
        if (contrast(text, ground) >= 4.6 && contrast(text, over) >= 4.6) {
          return { [name]: ground, [`${name}-hover`]: over, [`${name}-fg`]: text }
        }
      }
    }
  }
  return { [name]: '#1c1e22', [`${name}-hover`]: '#000000', [`${name}-fg`]: '#ffffff' }
}

function grounds(hue: number, scheme: Scheme): Record<(typeof GROUNDS)[number], string> {
  const at = (l: number, c: number): string => toHex({ l, c, h: hue })
  return scheme === 'light'
    ? {
        bg: at(0.981, 0.003),
        surface: '#ffffff',
        overlay: '#ffffff',
        fill: at(0.968, 0.004),
        'fill-2': at(0.945, 0.006),
      }
    : {
        bg: at(0.168, 0.006),
        surface: at(0.2, 0.007),
        overlay: at(0.232, 0.008),
        fill: at(0.24, 0.008),
        'fill-2': at(0.282, 0.01),
      }
}

/** Lines: `line` separates data, `line-strong` outlines buttons and overlays, `line-control` fields. */
function lines(hue: number, scheme: Scheme, on: readonly string[]): Record<string, string> {
  const light = scheme === 'light'
  return {
    line: toHex({ l: light ? 0.922 : 0.272, c: 0.007, h: hue }),
    'line-strong': toHex({ l: light ? 0.868 : 0.352, c: 0.01, h: hue }),
    'line-control': readableOn({ l: light ? 0.72 : 0.52, c: 0.014, h: hue }, on, 3.05),
  }
}

/** All tokens of one scheme. `seed` is the accent as `#rrggbb`; it is kept where it is readable. */
export function tokens(seed: string, scheme: Scheme, second = SECOND_SEED): Tokens {
  const brand = fromHex(seed)
  const light = scheme === 'light'
  const base = grounds(brand.h, scheme)
  const every = GROUNDS.map((ground) => base[ground])
  const text = (l: number, c: number): string => readableOn({ l, c, h: brand.h }, every, 4.6)
  const tinted = (h: number, c: number): Record<'main' | 'soft' | 'fg' | 'line', string> => {
    const soft = toHex({ l: light ? 0.962 : 0.29, c: Math.min(c, light ? 0.026 : 0.045), h })
    return {
      main: readableOn({ l: light ? 0.56 : 0.76, c, h }, every, 4.6),
      soft,
      fg: readableOn({ l: light ? 0.44 : 0.85, c: Math.min(c, 0.12), h }, [soft], 4.6),
      line: toHex({ l: light ? 0.88 : 0.4, c: Math.min(c, light ? 0.06 : 0.07), h }),
    }
  }
  const seen = (colour: Oklch): string => readableOn(colour, every, 3.1)
  const accent = tinted(brand.h, Math.min(brand.c, 0.17))
  const other = fromHex(second)
  const ember = tinted(other.h, Math.min(other.c, 0.17))
  const mark = seen({ ...brand, l: light ? Math.min(brand.l, 0.56) : 0.66 })
  const ink = text(light ? 0.235 : 0.945, 0.01)
  const terminalGround = toHex({ l: light ? 0.205 : 0.145, c: 0.008, h: brand.h })
  return {
    ...base,
    ...lines(
      brand.h,
      scheme,
      SURFACES.map((ground) => base[ground]),
    ),
    text: ink,
    'text-2': text(light ? 0.45 : 0.755, 0.012),
    'text-3': text(light ? 0.54 : 0.69, 0.012),
    hint: light
      ? toHex({ l: 0.26, c: 0.012, h: brand.h })
      : toHex({ l: 0.93, c: 0.006, h: brand.h }),
    'hint-fg': light ? '#ffffff' : toHex({ l: 0.2, c: 0.01, h: brand.h }),
    link: accent.main,
    ...solid('accent', { ...brand, l: Math.min(0.75, Math.max(0.4, brand.l)) }, scheme),
    ...solid('danger', { l: light ? 0.54 : 0.56, c: 0.19, h: 25 }, scheme),
    'accent-soft': accent.soft,
    'accent-soft-fg': accent.fg,
    'accent-line': accent.line,
    mark,
    'mark-fg': contrast('#ffffff', mark) >= 3.1 ? '#ffffff' : '#0b0d10',
    second: seen({ ...other, l: light ? 0.6 : 0.74 }),
    'second-soft': ember.soft,
    'second-soft-fg': ember.fg,
    focus: seen({ ...brand, l: light ? 0.56 : 0.72 }),
    ...Object.fromEntries(
      TONES.flatMap((tone) => {
        const made = tinted(HUES[tone].h, HUES[tone].c)
        return [
          [tone, made.main],
          [`${tone}-soft`, made.soft],
          [`${tone}-fg`, made.fg],
          [`${tone}-line`, made.line],
        ]
      }),
    ),
    'term-bg': terminalGround,
    'term-fg': '#dde1e8',
    'term-dim': '#8d95a3',
    ...Object.fromEntries(
      TERMINAL_HUES.flatMap(([name, h, c]) => [
        [`term-${name}`, readableOn({ l: 0.72, c, h }, [terminalGround], 4.6)],
        [`term-bright-${name}`, readableOn({ l: 0.83, c, h }, [terminalGround], 4.6)],
      ]),
    ),
    ...Object.fromEntries(
      [brand.h, other.h, 165, 320, 205, 85, 25, 290].map((h, index) => [
        `chart-${index + 1}`,
        seen({ l: light ? 0.58 : 0.74, c: 0.15, h }),
      ]),
    ),
  }
}
