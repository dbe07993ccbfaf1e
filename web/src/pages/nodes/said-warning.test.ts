import { DRIVER_WARNINGS, warningText } from '@lodge/shared/driver-warnings.ts'
import { ENGLISH, loadTranslations, speak } from '@lodge/shared/words/bind.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saidWarnings } from './said-warning.ts'

beforeAll(() => loadTranslations('de'))
afterAll(() => speak(ENGLISH))

const values = { why: 'nft: no such table', server: 'a1', since: '2026-01-02T03:04:05.000Z' }
const all = (Object.keys(DRIVER_WARNINGS) as (keyof typeof DRIVER_WARNINGS)[]).map((code) => ({
  code,
  values,
}))

test('every warning is shown in the panel’s language, with its subject', () => {
  speak(ENGLISH)
  const english = saidWarnings(all, 'sentences')
  speak('de')
  const german = saidWarnings(all, 'sentences')
  expect(german).toHaveLength(all.length)
  for (const [at, { code }] of all.entries()) {
    if (code !== 'firewall') expect(german[at], code).not.toBe(english[at])
    if (DRIVER_WARNINGS[code].includes('{why}')) expect(german[at]).toContain(values.why)
    if (DRIVER_WARNINGS[code].includes('{server}')) expect(german[at]).toContain(values.server)
  }
})

test('warnings of earlier and later agents are shown as they are', () => {
  expect(saidWarnings([], 'Docker has no limits.')).toEqual(['Docker has no limits.'])
  const known = { code: 'no_seccomp', values: {} } as const
  const sentences = `${warningText(known)} The moon is full.`
  expect(saidWarnings([known, { code: 'full_moon', values: {} }], sentences)).toEqual([sentences])
  expect(saidWarnings([], '')).toEqual([])
})
