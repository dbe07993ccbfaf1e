import { expect, test } from 'vitest'
import { isAgentAhead, type Lineage, whySetBack } from './lineage.ts'

const RECORDED: Lineage = {
  systemIdentifier: '7300000000000000001',
  timeline: 3,
  mark: 100,
  setBacks: 0,
  setBackId: null,
  agoMs: null,
}
const SAME = { systemIdentifier: '7300000000000000001', timeline: 3 }

test('only another cluster, another timeline or an older mark is a set-back', () => {
  expect(whySetBack(RECORDED, SAME, 100)).toBeUndefined()
  expect(whySetBack(RECORDED, SAME, 0)).toBeUndefined()
  expect(whySetBack(RECORDED, { ...SAME, systemIdentifier: '8' }, 100)).toBe('another_cluster')
  expect(whySetBack(RECORDED, { ...SAME, timeline: 4 }, 100)).toBe('another_timeline')
  expect(whySetBack(RECORDED, SAME, 101)).toBe('older_data')
})

test('identities that cannot be queried decide nothing; the mark still does', () => {
  const silent = { systemIdentifier: null, timeline: null }
  expect(whySetBack(RECORDED, silent, 100)).toBeUndefined()
  expect(whySetBack({ ...RECORDED, ...silent }, SAME, 100)).toBeUndefined()
  expect(whySetBack(RECORDED, silent, 101)).toBe('older_data')
})

test('an agent is ahead with a higher epoch, or with more acknowledged reports in the same one', () => {
  const known = { epoch: 5, reportThrough: 900 }
  expect(isAgentAhead({ nodeEpoch: 5, acknowledgedReport: 900 }, known)).toBe(false)
  expect(isAgentAhead({ nodeEpoch: 5, acknowledgedReport: 901 }, known)).toBe(true)
  expect(isAgentAhead({ nodeEpoch: 6, acknowledgedReport: 0 }, known)).toBe(true)
  // Its credential was renewed, which restarts the numbers of its reports.
  expect(isAgentAhead({ nodeEpoch: 4, acknowledgedReport: 5_000 }, known)).toBe(false)
  // It reports nothing, or an impossible epoch.
  expect(isAgentAhead({ nodeEpoch: 0, acknowledgedReport: 0 }, known)).toBe(false)
  expect(isAgentAhead({ nodeEpoch: 2 ** 40, acknowledgedReport: 0 }, known)).toBe(false)
})
