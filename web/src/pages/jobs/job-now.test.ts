import { expect, test } from 'vitest'
import { jobNow } from './job-now.ts'

const step = {
  name: 'Start',
  state: 'running',
  percent: null,
  detail: 'Waiting until it runs',
} as const
const REASON = 'node-1 is not connected: it goes on when the node is back'

test('an open job shows what it waits for, even in the middle of a step', () => {
  expect(jobNow({ waitsFor: REASON, steps: [{ ...step, state: 'waiting' }] })).toBe(REASON)
  expect(jobNow({ waitsFor: REASON, steps: [step] })).toBe(REASON)
})

test('otherwise it shows its current step', () => {
  expect(jobNow({ waitsFor: null, steps: [step] })).toBe('Waiting until it runs')
  expect(jobNow({ waitsFor: null, steps: [{ ...step, detail: null }] })).toBe('Start')
  expect(jobNow({ waitsFor: null, steps: [] })).toBe('Waiting for its turn')
})
