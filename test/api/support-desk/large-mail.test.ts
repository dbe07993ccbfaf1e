import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { MAX_MAIL_BYTES } from '@lodge/shared/support/inbound.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESK, type MailStage, openMailStage } from './mail-stage.ts'

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })

let stage: MailStage
beforeAll(async () => {
  stage = await openMailStage()
  const record = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  stage.names.zone.set('a._domainkey.example.com', `v=DKIM1; k=rsa; p=${record}`)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

/** Signs and sends a mail as another mail server does, in a thread of its own. */
const SERVER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const nodemailer = require('nodemailer')
  parentPort.once('message', async () => {
    const { port, from, to, raw, dkim } = workerData
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true, dkim })
    await transport.sendMail({ envelope: { from, to: [to] }, raw: Buffer.from(raw) })
    transport.close()
  })
  parentPort.postMessage('ready')`

/** A mail near the size limit, with one file of this line. */
function mailOf(from: string, name: string, line: Buffer): Buffer {
  const head = [
    ...[`From: ${from}`, `To: ${DESK}`, `Message-ID: <${randomUUID()}@example.com>`],
    ...['Subject: Its log', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b"'],
    ...['', '--b', '', 'All of it.', '--b'],
    `Content-Type: application/octet-stream; name="${name}"`,
    ...['Content-Transfer-Encoding: base64', '', ''],
  ].join('\r\n')
  const encoded = `${line.toString('base64')}\r\n`
  const lines = Math.floor((MAX_MAIL_BYTES - 8192) / encoded.length)
  return Buffer.from(`${head}${encoded.repeat(lines)}--b--\r\n`)
}

/** Sampling each turn would use all the CPU time itself. */
const LOOK_MS = 2

/** CPU time of this thread. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** How long this machine takes to copy these bytes now, which differs several times over. */
function copyingMs(bytes: Buffer): number {
  const before = usedMs()
  Buffer.from(bytes)
  return usedMs() - before
}

/**
 * Measures the longest uninterrupted computation of this thread until the returned function is
 * called, as CPU time, since others use the cores as well. Computations within two milliseconds of
 * each other count as one.
 */
function watchTurns(): () => number {
  let [most, before, isOn] = [0, usedMs(), true]
  const turn = () => {
    const now = usedMs()
    most = Math.max(most, now - before)
    before = now
    if (isOn) setTimeout(turn, LOOK_MS)
  }
  setTimeout(turn, LOOK_MS)
  return () => {
    isOn = false
    return most
  }
}

test.each([
  ['server.log', 'text/plain', Buffer.alloc(57, '2026-11-27 all is well\n')],
  ['screen.png', 'image/png', Buffer.alloc(57, '\x89PNG\r\n\x1a\n\0', 'latin1')],
])(
  'nobody waits while the largest mail with %s is received, checked and kept',
  async (name, type, line) => {
    const { lodge, agent } = stage
    const from = `${randomUUID()}@example.com`
    const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const raw = mailOf(from, name, line)
    const server = new Worker(SERVER, {
      eval: true,
      workerData: {
        ...{ port: lodge.controlPlane.services.smtp.port, from, to: DESK, raw },
        dkim: { domainName: 'example.com', keySelector: 'a', privateKey },
      },
    })
    await once(server, 'message')
    const watched = watchTurns()
    server.postMessage('go')
    await once(server, 'exit')
    // A part of a mail is copied in a turn, and garbage collection may fall into it.
    expect(watched()).toBeLessThan(Math.max(200, 20 * copyingMs(raw)))

    const { rows } = await lodge.database.pool.query<{ id: string }>(
      'select id from support_tickets where requester_email = $1',
      [from],
    )
    const params = { id: rows[0]?.id ?? '' }
    const { messages } = await agent.must('GET /api/support/tickets/{id}', { params })
    expect(messages[0]?.sender).toMatchObject({ dkim: { result: 'pass', domain: 'example.com' } })
    expect(messages[0]?.attachments).toMatchObject([{ name, type }])
    expect(messages[0]?.attachments[0]?.sizeBytes).toBeGreaterThan(0.7 * MAX_MAIL_BYTES)
  },
)
