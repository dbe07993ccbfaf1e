import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrast, fromHex, toHex } from './oklch.ts'
import { CONTROL_PAIRS, DEFAULT_SEED, type Scheme, TEXT_PAIRS, tokens } from './tokens.ts'

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

type Pairs = typeof TEXT_PAIRS

const SCHEMES = ['light', 'dark'] as const satisfies readonly Scheme[]
const RULES = [
  { what: 'text', pairs: TEXT_PAIRS, least: 4.5 },
  { what: 'controls', pairs: CONTROL_PAIRS, least: 3 },
] as const

function tooWeak(pairs: Pairs, least: number, seed: string, scheme: Scheme): readonly string[] {
  const made = tokens(seed, scheme)
  return pairs.flatMap(([front, ground]) => {
    const ratio = contrast(made[front] ?? '', made[ground] ?? '')
    return ratio >= least ? [] : [`${front} on ${ground}: ${ratio.toFixed(2)}`]
  })
}

describe.each(RULES)('$what', ({ pairs, least }) => {
  test.each(SCHEMES)('reach their contrast in the panel as it ships, %s', (scheme) => {
    expect(tooWeak(pairs, least, DEFAULT_SEED, scheme)).toEqual([])
  })

  test('reach their contrast with any of 1,000 random accents, in both schemes', () => {
    fc.assert(
      fc.property(colour, fc.constantFrom(...SCHEMES), (seed, scheme) => {
        expect(tooWeak(pairs, least, seed, scheme)).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  test.each(['#ffd400', '#111111', '#ff69b4', '#ffffff', '#000000', '#00ff00'])(
    'reach their contrast with the accent %s',
    (seed) => {
      for (const scheme of SCHEMES) expect(tooWeak(pairs, least, seed, scheme)).toEqual([])
    },
  )
})

test('hovering, pressing and floating each differ from the surface below, in both schemes', () => {
  for (const scheme of SCHEMES) {
    const made = tokens(DEFAULT_SEED, scheme)
    const steps = ['surface', 'fill', 'fill-2'].map((name) => fromHex(made[name] ?? '').l)
    const rises = steps.map((l, at) => Math.abs(l - (steps[at - 1] ?? l)))
    for (const rise of rises.slice(1)) expect(rise, scheme).toBeGreaterThan(0.02)
  }
})

test('a colour survives the conversion to OKLCH and back', () => {
  fc.assert(
    fc.property(colour, (hex) => {
      const back = toHex(fromHex(hex))
      for (const at of [1, 3, 5]) {
        const distance =
          Number.parseInt(hex.slice(at, at + 2), 16) - Number.parseInt(back.slice(at, at + 2), 16)
        expect(Math.abs(distance)).toBeLessThanOrEqual(3)
      }
    }),
  )
})
