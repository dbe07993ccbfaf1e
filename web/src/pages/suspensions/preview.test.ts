import { expect, test } from 'vitest'
import { thumbnailSize } from './preview.ts'

test.each([
  [1600, 800, 240, 120],
  [300, 900, 60, 180],
  [1600, 1200, 240, 180],
  [64, 32, 64, 32],
  [1600, 1, 240, 1],
])('a preview of %i × %i pixels is shown as %i × %i', (width, height, wide, high) => {
  const made = { state: 'made' as const, width, height }
  expect(thumbnailSize(made)).toEqual({ width: wide, height: high })
})
