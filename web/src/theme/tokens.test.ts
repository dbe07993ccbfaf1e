import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrast, fromHex, toHex } from './oklch.ts'
import { TEXT_PAIRS, tokens } from './tokens.ts'

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

function weakest(seed: string, scheme: 'light' | 'dark'): { ratio: number; pair: string } {
  const made = tokens(seed, scheme)
  return TEXT_PAIRS.map(([text, ground]) => ({
    ratio: contrast(made[text] ?? '', made[ground] ?? ''),
    pair: `${text} on ${ground}`,
  })).reduce((a, b) => (a.ratio < b.ratio ? a : b))
}

describe('tokens', () => {
  test('any of 1,000 random brand colours gives readable text in both schemes', () => {
    fc.assert(
      fc.property(colour, fc.constantFrom('light' as const, 'dark' as const), (seed, scheme) => {
        const { ratio, pair } = weakest(seed, scheme)
        expect(ratio, pair).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 1000 },
    )
  })

  test.each(['#ffd400', '#111111', '#ff69b4', '#ffffff', '#000000', '#00ff00'])(
    'the brand colour %s gives readable text',
    (seed) => {
      expect(weakest(seed, 'light').ratio).toBeGreaterThanOrEqual(4.5)
      expect(weakest(seed, 'dark').ratio).toBeGreaterThanOrEqual(4.5)
    },
  )
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
