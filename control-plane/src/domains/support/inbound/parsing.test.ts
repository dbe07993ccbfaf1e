import { performance } from 'node:perf_hooks'
import type { Worker } from 'node:worker_threads'
import { MAX_MAIL_BYTES } from '@lodge/shared/support/inbound.ts'
import { expect, test } from 'vitest'
import { until } from '../../../../../test/support/until.ts'
import { mailOfMime } from './from-mime.ts'
import { mailParser, parseMail } from './parsing.ts'

const LIMITS = { withinMs: 60_000, heapMb: 512, idleMs: 1000 }
const HEAD = ['From: Ann <ann@example.org>', 'Message-ID: <1@x>', 'Subject: Grüße']
const raw = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`)
const LETTER = raw(...HEAD, '', 'It does not start.')

/** A mail as large as they may be, of one file. */
function largestMail(): Buffer {
  const head = raw(
    ...HEAD,
    'Content-Type: multipart/mixed; boundary="b"',
    ...['', '--b', '', 'See the picture.', '--b'],
    'Content-Type: image/png; name="a.png"',
    ...['Content-Transfer-Encoding: base64', ''],
  )
  const line = `${Buffer.alloc(57, 'picture').toString('base64')}\r\n`
  const lines = Math.floor((MAX_MAIL_BYTES - head.length - 10) / line.length)
  return Buffer.concat([head, Buffer.from(line.repeat(lines)), Buffer.from('--b--\r\n')])
}

test('everything else goes on while the largest mail is taken apart', {
  timeout: 120_000,
}, async () => {
  const largest = largestMail()
  // The thread runs already, as it does for whoever sends much.
  await parseMail(LETTER)
  // By what this thread worked, not by the clock: others use the cores as well.
  const before = performance.eventLoopUtilization()
  const mail = await parseMail(largest)
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  expect(mail.text).toBe('See the picture.')
  expect(mail.files).toHaveLength(1)
  expect(mail.files[0]?.bytes.subarray(0, 14).toString()).toBe('picturepicture')
  expect(mail.files[0]?.bytes.length).toBeGreaterThan(0.7 * MAX_MAIL_BYTES)
})

test('a mail is the same as taken apart at once, whoever else sends one', async () => {
  const mails = Array.from({ length: 12 }, (_, at) =>
    raw(...HEAD, `X-Number: ${at}`, '', `It does not start ${at}.`),
  )
  const parsed = await Promise.all(mails.map((mail) => parseMail(mail)))
  expect(parsed).toEqual(await Promise.all(mails.map((mail) => mailOfMime(mail))))
  const bounced = await parseMail(LETTER, { to: ['a@desk.example'], isBounce: true })
  expect(bounced).toMatchObject({ automatic: 'bounce', recipients: ['a@desk.example'] })
})

test('what is refused says why, and the mail after it is taken', async () => {
  const results = await Promise.allSettled([
    parseMail(raw('Subject: x', '', 'x')),
    parseMail(LETTER),
  ])
  expect(results).toMatchObject([
    { reason: { code: 'validation_failed', message: expect.stringContaining('one sender') } },
    { value: { text: 'It does not start.' } },
  ])
})

// The parser keeps each line of a text by itself.
const manyLines = () => raw(...HEAD, '', 'x\r\n'.repeat(400_000))

test('a mail that takes more memory than it may is refused, and those behind it are taken', {
  timeout: 60_000,
}, async () => {
  const parse = mailParser({ ...LIMITS, heapMb: 16 })
  const refused = parse(manyLines())
  const behind = Promise.all([parse(LETTER), parse(LETTER)])
  await expect(refused).rejects.toMatchObject({
    ...{ code: 'validation_failed', message: 'The mail cannot be read. It is too intricate' },
  })
  for (const { text } of await behind) expect(text).toBe('It does not start.')
})

test('a mail that takes longer than it may is refused, and the next one gets another thread', {
  timeout: 60_000,
}, async () => {
  const parse = mailParser({ ...LIMITS, withinMs: 500 })
  await expect(parse(manyLines())).rejects.toMatchObject({
    ...{ code: 'validation_failed', message: expect.stringContaining('more than 0.5 seconds') },
  })
  // On a busy machine, a thread may take longer to start.
  await until(() =>
    parse(LETTER).then(
      () => true,
      () => false,
    ),
  )
})

test('a thread that has been idle ends, and the next mail gets another', async () => {
  const started: Worker[] = []
  const note = (worker: Worker) => started.push(worker)
  process.on('worker', note)
  const parse = mailParser({ ...LIMITS, idleMs: 1 })
  await parse(LETTER)
  await until(() => started[0]?.threadId === -1)
  expect(await parse(LETTER)).toMatchObject({ text: 'It does not start.' })
  expect(started).toHaveLength(2)
  process.off('worker', note)
})
