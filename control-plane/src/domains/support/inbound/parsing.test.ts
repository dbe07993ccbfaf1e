import { generateKeyPairSync } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { NameLookup } from '@lodge/shared/egress/lookups.ts'
import { MAX_MAIL_BYTES } from '@lodge/shared/support/inbound.ts'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { expect, test } from 'vitest'
import { until } from '../../../../../test/support/until.ts'
import { mailOfMime } from './from-mime.ts'
import { mails, mailThread, mailThreads } from './parsing.ts'

const LIMITS = { withinMs: 60_000, checkWithinMs: 60_000, heapMb: 512, idleMs: 1000 }
const { parse: parseMail } = mails
const HEAD = ['From: Ann <ann@example.org>', 'Message-ID: <1@x>', 'Subject: Grüße']
const raw = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`)
const LETTER = raw(...HEAD, '', 'It does not start.')

/**
 * Runs work and measures this thread's share of the CPU time, from 0 to 1; wall time would depend on
 * what else is running.
 */
async function weighed<T>(work: () => Promise<T>): Promise<{ result: T; share: number }> {
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
  const result = await work()
  const ownMicros = sumOf(process.threadCpuUsage(own))
  return { result, share: ownMicros / sumOf(process.cpuUsage(all)) }
}
const sumOf = ({ user, system }: NodeJS.CpuUsage): number => user + system

/** A mail of the maximum size, with one file. */
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

test('parsing the largest mail does not block this thread', async () => {
  const largest = largestMail()
  // Starts the thread first, as it would be running under load.
  await parseMail(LETTER)
  const { result: mail, share } = await weighed(() => parseMail(largest))
  expect(share).toBeLessThan(0.5)
  expect(mail.text).toBe('See the picture.')
  expect(mail.files).toHaveLength(1)
  expect(mail.files[0]?.bytes.subarray(0, 14).toString()).toBe('picturepicture')
  expect(mail.files[0]?.bytes.length).toBeGreaterThan(0.7 * MAX_MAIL_BYTES)
})

test('concurrent mails are parsed as they are on their own', async () => {
  const mails = Array.from({ length: 12 }, (_, at) =>
    raw(...HEAD, `X-Number: ${at}`, '', `It does not start ${at}.`),
  )
  const parsed = await Promise.all(mails.map((mail) => parseMail(mail)))
  expect(parsed).toEqual(await Promise.all(mails.map((mail) => mailOfMime(mail))))
  const bounced = await parseMail(LETTER, { to: ['a@desk.example'], isBounce: true })
  expect(bounced).toMatchObject({ automatic: 'bounce', recipients: ['a@desk.example'] })
})

test('a refusal gives the reason, and the next mail is parsed', async () => {
  const results = await Promise.allSettled([
    parseMail(raw('Subject: x', '', 'x')),
    parseMail(LETTER),
  ])
  expect(results).toMatchObject([
    { reason: { code: 'validation_failed', message: expect.stringContaining('one sender') } },
    { value: { text: 'It does not start.' } },
  ])
})

// The parser keeps each line of a text as a string.
const manyLines = () => raw(...HEAD, '', 'x\r\n'.repeat(400_000))

test('a mail that takes too much memory is refused, and those behind it are parsed', async () => {
  const { parse } = mailThread({ ...LIMITS, heapMb: 16 })
  const refused = parse(manyLines())
  const behind = Promise.all([parse(LETTER), parse(LETTER)])
  await expect(refused).rejects.toMatchObject({
    ...{ code: 'validation_failed', message: 'The mail cannot be read. It is too intricate' },
  })
  for (const { text } of await behind) expect(text).toBe('It does not start.')
})

test('a mail that takes too long is refused, and the next one gets another thread', async () => {
  const { parse } = mailThread({ ...LIMITS, withinMs: 500 })
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
  const { parse } = mailThread({ ...LIMITS, idleMs: 1 })
  await parse(LETTER)
  await until(() => started[0]?.threadId === -1)
  expect(await parse(LETTER)).toMatchObject({ text: 'It does not start.' })
  expect(started).toHaveLength(2)
  process.off('worker', note)
})

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const RECORD = `v=DKIM1; k=rsa; p=${keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
/** DNS that knows the key of example.org and nothing else. */
const names: NameLookup = async (name, type) => {
  if (type === 'TXT' && name === 'a._domainkey.example.org') return [[RECORD]]
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
}
const GIVEN = {
  ...{ from: 'ann@example.org', envelope: undefined, host: 'desk.test' },
  now: new Date('2026-11-27T12:00:00Z'),
}

async function signed(mail: Buffer): Promise<Buffer> {
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const { signatures } = await dkimSign(mail.toString(), {
    ...{ canonicalization: 'relaxed/relaxed', signTime: new Date('2026-11-27T11:00:00Z') },
    signatureData: [{ signingDomain: 'example.org', selector: 'a', privateKey }],
  })
  return Buffer.concat([Buffer.from(signatures), mail])
}

test('checking the signature of the largest mail does not block this thread', async () => {
  const largest = await signed(largestMail())
  await mails.check(LETTER, GIVEN, names)
  const { result, share } = await weighed(() => mails.check(largest, GIVEN, names))
  const { check } = result
  expect(share).toBeLessThan(0.5)
  expect(check).toMatchObject({ verified: true, dkim: { result: 'pass', domain: 'example.org' } })
})

test('unanswered DNS queries leave a check unsure, even of a mail without a signature', async () => {
  const silent: NameLookup = async () => {
    throw Object.assign(new Error('no answer'), { code: 'ESERVFAIL' })
  }
  const letter = await signed(LETTER)
  expect(await mails.check(letter, GIVEN, silent)).toMatchObject({ isUnsure: true })
  expect(await mails.check(LETTER, GIVEN, names)).toMatchObject({
    ...{ isUnsure: false, check: { verified: false, dkim: { result: 'none' } } },
  })
})

test('a check that waits for DNS delays no mail, and is repeated if another mail ends the thread', async () => {
  const { parse, check } = mailThread({ ...LIMITS, heapMb: 64 })
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let lookups = 0
  const slow: NameLookup = async (name, type) => {
    lookups++
    asked.resolve()
    await goOn.promise
    return names(name, type)
  }
  const checked = check(await signed(LETTER), GIVEN, slow)
  await asked.promise
  const before = lookups
  expect(await parse(LETTER)).toMatchObject({ text: 'It does not start.' })
  await expect(parse(manyLines())).rejects.toMatchObject({ code: 'validation_failed' })
  await until(() => lookups > before)
  goOn.resolve()
  expect(await checked).toMatchObject({ check: { verified: true } })
})

test('a check that takes too long is postponed', async () => {
  const { check } = mailThread({ ...LIMITS, checkWithinMs: 500 })
  const never: NameLookup = () => new Promise(() => undefined)
  await expect(check(await signed(LETTER), GIVEN, never)).rejects.toMatchObject({
    code: 'sender_unchecked',
  })
})

test('repeated checks may wait for DNS longer than an idle thread is kept', async () => {
  const { parse, check } = mailThread({ ...LIMITS, heapMb: 64, idleMs: 300 })
  const letter = await signed(LETTER)
  let isAgain = false
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const checked = asked.map((first) =>
    check(letter, GIVEN, async (name, type) => {
      first.resolve()
      if (!isAgain) return new Promise(() => undefined)
      await setTimeout(1000)
      return names(name, type)
    }),
  )
  await Promise.all(asked.map(({ promise }) => promise))
  isAgain = true
  await expect(parse(manyLines())).rejects.toMatchObject({ code: 'validation_failed' })
  expect(await Promise.all(checked)).toMatchObject([
    { check: { verified: true } },
    { check: { verified: true } },
  ])
})

test('a mail is parsed while checks of others time out one after the other', async () => {
  const { parse, check } = mailThreads({ ...LIMITS, checkWithinMs: 300 })
  const letter = await signed(LETTER)
  const never: NameLookup = () => new Promise(() => undefined)
  let isTaken = false
  const late = async (): Promise<void> => {
    await expect(check(letter, GIVEN, never)).rejects.toMatchObject({ code: 'sender_unchecked' })
    if (!isTaken) await late()
  }
  const checks = late()
  const { files } = await parse(largestMail())
  isTaken = true
  await checks
  expect(files).toHaveLength(1)
})
