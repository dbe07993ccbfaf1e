import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { cutQuote } from '../../../../control-plane/src/domains/support/inbound/cut-quote.ts'
import { mailOfMime } from '../../../../control-plane/src/domains/support/inbound/from-mime.ts'
import { ANSWERS } from './answers.ts'
import { ENCODED } from './encoded.ts'
import { MACHINES } from './machines.ts'
import type { Sample } from './sample.ts'
import { STRUCTURED } from './structured.ts'

/** How the desk reads a mail, limited to the properties that the sample states. */
async function readAs({ raw, ...expected }: Sample): Promise<Omit<Sample, 'raw' | 'what'>> {
  const mail = await mailOfMime(raw)
  const seen = {
    ...{ subject: mail.subject, text: cutQuote(mail.text), answers: mail.answers },
    ...{ automatic: mail.automatic, files: mail.files.map(({ name }) => name) },
  }
  const asked = Object.keys(seen).filter((field) => field in expected)
  return Object.fromEntries(Object.entries(seen).filter(([field]) => asked.includes(field)))
}

test.each([
  ['answers, of which what is new counts', ANSWERS],
  ['texts in their character sets and encodings', ENCODED],
  ['mails of several parts', STRUCTURED],
  ['mails of machines, and of people who could be taken for one', MACHINES],
])('%s are read as their senders intended', async (_kind, samples) => {
  const wrong = []
  for (const sample of samples) {
    const { raw: _, what, ...expected } = sample
    const seen = await readAs(sample).catch((error: unknown) => ({ error }))
    if (!isDeepStrictEqual(seen, expected)) wrong.push({ what, seen, expected })
  }
  expect(wrong).toEqual([])
})

test('no person is mistaken for a machine', async () => {
  const people = [...ANSWERS, ...ENCODED, ...STRUCTURED]
  const mails = await Promise.all(people.map(({ raw }) => mailOfMime(raw)))
  expect(mails.filter(({ automatic }) => automatic !== undefined)).toEqual([])
  expect(new Set(mails.map(({ from }) => from))).toEqual(new Set(['ann@example.org']))
  expect(people.length + MACHINES.length).toBeGreaterThanOrEqual(200)
})
