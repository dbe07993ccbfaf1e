import { contrast, fromHex, type Oklch, readableOn, toHex } from './oklch.ts'

/**
 * Every colour of the panel, derived from one brand colour. Names are the CSS variables without
 * their prefix `--l-`; values are `#rrggbb`. All text pairs of `TEXT_PAIRS` reach 4.5:1 for any
 * brand colour.
 */
export type Tokens = Readonly<Record<string, string>>
export type Scheme = 'light' | 'dark'

export const DEFAULT_SEED = '#2f5fd0'

/** The meanings of colours besides the accent; each is always shown with an icon and a word. */
export const TONES = ['ok', 'warn', 'err', 'info', 'pend', 'idle'] as const
export type Tone = (typeof TONES)[number]

const HUES: Record<Tone, { h: number; c: number }> = {
  ok: { h: 152, c: 0.13 },
  warn: { h: 70, c: 0.13 },
  err: { h: 25, c: 0.17 },
  info: { h: 245, c: 0.13 },
  pend: { h: 295, c: 0.12 },
  idle: { h: 260, c: 0.012 },
}

const GROUNDS = ['bg', 'surface', 'surface-2', 'surface-3'] as const

/** Pairs that must be readable, as [text, background]. */
export const TEXT_PAIRS: readonly (readonly [string, string])[] = [
  ...GROUNDS.flatMap((ground) =>
    ['text', 'text-2', 'text-3', 'link'].map((text) => [text, ground] as const),
  ),
  ['accent-fg', 'accent'],
  ['accent-fg', 'accent-hover'],
  ['accent-soft-fg', 'accent-soft'],
  ['danger-fg', 'danger'],
  ['danger-fg', 'danger-hover'],
  ...TONES.flatMap((tone) => [
    [`${tone}-fg`, `${tone}-soft`] as const,
    ...GROUNDS.map((ground) => [tone, ground] as const),
  ]),
  ['term-fg', 'term-bg'],
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

function grounds(hue: number, scheme: Scheme): Record<string, string> {
  const at = (l: number, c: number): string => toHex({ l, c, h: hue })
  return scheme === 'light'
    ? {
        bg: at(0.978, 0.004),
        surface: '#ffffff',
        'surface-2': at(0.97, 0.005),
        'surface-3': at(0.948, 0.008),
        line: at(0.908, 0.008),
        'line-strong': at(0.82, 0.012),
      }
    : {
        bg: at(0.185, 0.008),
        surface: at(0.215, 0.009),
        'surface-2': at(0.24, 0.01),
        'surface-3': at(0.272, 0.012),
        line: at(0.305, 0.012),
        'line-strong': at(0.4, 0.015),
      }
}

/** All tokens of one scheme. `seed` is the brand colour as `#rrggbb`; it is kept where it is readable. */
export function tokens(seed: string, scheme: Scheme): Tokens {
  const brand = fromHex(seed)
  const light = scheme === 'light'
  const base = grounds(brand.h, scheme)
  const every = GROUNDS.map((ground) => base[ground] ?? '#ffffff')
  const text = (l: number, c: number): string => readableOn({ l, c, h: brand.h }, every, 4.6)
  const tinted = (h: number, c: number): Record<'main' | 'soft' | 'fg' | 'line', string> => {
    const soft = toHex({ l: light ? 0.955 : 0.285, c: Math.min(c, light ? 0.03 : 0.05), h })
    return {
      main: readableOn({ l: light ? 0.55 : 0.76, c, h }, every, 4.6),
      soft,
      fg: readableOn({ l: light ? 0.45 : 0.84, c, h }, [soft], 4.6),
      line: toHex({ l: light ? 0.86 : 0.4, c: Math.min(c, 0.07), h }),
    }
  }
  const accent = tinted(brand.h, Math.min(brand.c, 0.16))
  const terminalGround = toHex({ l: light ? 0.21 : 0.16, c: 0.012, h: brand.h })
  return {
    ...base,
    text: text(light ? 0.24 : 0.94, 0.012),
    'text-2': text(light ? 0.42 : 0.78, 0.014),
    'text-3': text(light ? 0.52 : 0.7, 0.014),
    link: accent.main,
    ...solid('accent', { ...brand, l: Math.min(0.75, Math.max(0.4, brand.l)) }, scheme),
    ...solid('danger', { l: light ? 0.54 : 0.58, c: 0.19, h: 26 }, scheme),
    'accent-soft': accent.soft,
    'accent-soft-fg': accent.fg,
    'accent-line': accent.line,
    focus: readableOn({ ...brand, l: light ? 0.55 : 0.75 }, every, 3.1),
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
    'term-fg': '#dfe3ea',
    'term-dim': '#8d95a3',
    ...Object.fromEntries(
      TERMINAL_HUES.flatMap(([name, h, c]) => [
        [`term-${name}`, readableOn({ l: 0.72, c, h }, [terminalGround], 4.6)],
        [`term-bright-${name}`, readableOn({ l: 0.83, c, h }, [terminalGround], 4.6)],
      ]),
    ),
    ...Object.fromEntries(
      [brand.h, 152, 60, 320, 205, 25, 100, 280].map((h, index) => [
        `chart-${index + 1}`,
        readableOn({ l: light ? 0.56 : 0.74, c: 0.14, h }, every, 3.1),
      ]),
    ),
  }
}
