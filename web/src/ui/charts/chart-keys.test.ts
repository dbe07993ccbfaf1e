import { expect, test } from 'vitest'
import { type Crosshair, NO_CROSSHAIR, pressed } from './chart-keys.ts'
import { groupMarks } from './chart-marks.ts'
import { moved, reachable, selected, zoomed } from './chart-window.ts'

const bounds = { from: 0, to: 100_000 }
const window = { from: 50_000, to: 60_000 }
const times = [50_000, 52_000, 54_000, 56_000, 58_000, 60_000]
const press = (key: string, crosshair: Crosshair = NO_CROSSHAIR, shiftKey = false) =>
  pressed({ key, shiftKey }, crosshair, { times, window, bounds })
const cross = (at: number, anchor?: number): Crosshair => ({ at, anchor })

test('the arrow keys go from value to value, beginning with the newest', () => {
  expect(press('ArrowLeft')).toEqual({ crosshair: cross(60_000) })
  expect(press('ArrowLeft', cross(56_000))).toEqual({ crosshair: cross(54_000) })
  expect(press('ArrowRight', cross(60_000))).toEqual({ crosshair: cross(60_000) })
  expect(press('Home', cross(56_000))).toEqual({ crosshair: cross(50_000) })
  expect(press('End', cross(50_000))).toEqual({ crosshair: cross(60_000) })
  expect(press('PageDown', cross(58_000))).toEqual({ crosshair: cross(50_000) })
})

test('with Shift they select, and Enter zooms into the selection', () => {
  expect(press('ArrowLeft', cross(56_000), true)).toEqual({ crosshair: cross(54_000, 56_000) })
  expect(press('ArrowLeft', cross(54_000, 56_000), true)).toEqual({
    crosshair: cross(52_000, 56_000),
  })
  expect(press('Enter', cross(52_000, 56_000))).toEqual({ window: { from: 52_000, to: 56_000 } })
  expect(press('Enter', cross(52_000))).toBeUndefined()
})

test('Escape clears the selection, then the crosshair, then the zoom', () => {
  expect(press('Escape', cross(52_000, 56_000))).toEqual({ crosshair: cross(52_000) })
  expect(press('Escape', cross(52_000))).toEqual({ crosshair: NO_CROSSHAIR })
  expect(press('Escape')).toEqual({ window: null })
})

test('plus keeps the crosshair at its place on the screen, and other keys do nothing', () => {
  expect(press('+', cross(52_000))).toEqual({ window: { from: 51_000, to: 56_000 } })
  expect(press('-')).toEqual({ window: { from: 45_000, to: 65_000 } })
  expect(press('a')).toBeUndefined()
})

test('a window never leaves the kept range, nor becomes too short to show anything', () => {
  expect(moved(window, 0.5, bounds)).toEqual({ from: 55_000, to: 65_000 })
  expect(moved({ from: 95_000, to: 100_000 }, 0.5, bounds)).toEqual({ from: 95_000, to: 100_000 })
  expect(zoomed(bounds, 2, undefined, bounds)).toEqual(bounds)
  const short = selected(99_999, 99_990, bounds)
  expect(short.to - short.from).toBeGreaterThanOrEqual(120)
  expect(short.to).toBeLessThanOrEqual(bounds.to)
})

test('a URL outside of the kept range shows the nearest time', () => {
  expect(reachable(window, bounds)).toBe(window)
  expect(reachable({ from: -500, to: 9500 }, bounds)).toEqual({ from: -500, to: 9500 })
  expect(reachable({ from: -9000, to: -5000 }, bounds)).toEqual({ from: 0, to: 4000 })
  expect(reachable({ from: 200_000, to: 204_000 }, bounds)).toEqual({ from: 96_000, to: 100_000 })
  expect(reachable({ from: -10, to: 300_000 }, bounds)).toEqual(bounds)
  expect(reachable({ from: 5000, to: 5002 }, bounds)).toEqual({ from: 4941, to: 5061 })
})

test('marks that would overlap are grouped, in the colour of the most severe', () => {
  const mark = (at: number, tone: 'ok' | 'err' | 'info') =>
    ({ id: String(at), at, tone, word: 'Started', detail: '' }) as const
  const groups = groupMarks(
    [mark(59_000, 'ok'), mark(51_000, 'info'), mark(51_200, 'err'), mark(10, 'ok')],
    window,
    500,
    26,
  )
  expect(groups.map(({ marks, tone }) => [marks.length, tone])).toEqual([
    [2, 'err'],
    [1, 'ok'],
  ])
  expect(groups[1]?.place).toBeCloseTo(0.9)
})
