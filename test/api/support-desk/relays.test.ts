import { randomUUID } from 'node:crypto'
import nodemailer from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESK, type MailStage, openMailStage } from './mail-stage.ts'

let stage: MailStage
beforeAll(async () => {
  stage = await openMailStage({ LODGE_INBOUND_TRUSTED_RELAYS: '127.0.0.0/8' })
  stage.names.zone.set('example.com', 'v=spf1 ip4:8.8.4.0/24 -all')
  stage.names.zone.set('_dmarc.example.com', 'v=DMARC1; p=none')
})
afterAll(() => stage?.[Symbol.asyncDispose]())

/**
 * Forwards a mail with these received fields, as a relay does. @returns the desk's verdict on its
 * sender
 */
async function passOn(...fields: string[]) {
  const { lodge, agent } = stage
  const from = `${randomUUID()}@example.com`
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: lodge.controlPlane.services.smtp.port ?? 0,
    ignoreTLS: true,
  })
  const raw = [
    ...fields,
    ...[`From: ${from}`, `To: ${DESK}`, `Message-ID: <${randomUUID()}@example.com>`],
    ...['Subject: My server', '', 'It does not start.', ''],
  ].join('\r\n')
  await transport.sendMail({ envelope: { from, to: [DESK] }, raw })
  transport.close()
  const { rows } = await lodge.database.pool.query<{ id: string }>(
    'select id from support_tickets where requester_email = $1',
    [from],
  )
  const params = { id: rows[0]?.id ?? '' }
  const { messages } = await agent.must('GET /api/support/tickets/{id}', { params })
  return messages[0]?.sender
}
const receivedFrom = (client: string) =>
  `Received: from ${client}\r\n\tby relay.example with ESMTP id 1; Fri, 27 Nov 2026 12:00:00 +0000`
const received = (address: string) => receivedFrom(`mx.example.com (mx.example.com [${address}])`)

test('SPF is checked for the server that handed a mail to a trusted relay', async () => {
  expect(await passOn(received('8.8.4.4'))).toMatchObject({
    ...{ verified: true, spf: { result: 'pass', domain: 'example.com' } },
  })
  expect(await passOn(received('9.9.9.9'), received('8.8.4.4'))).toMatchObject({
    ...{ verified: false, spf: { result: 'fail', domain: 'example.com' } },
  })
})

test('the header fields of Exim are parsed, whether the client has a name or not', async () => {
  const passed = { verified: true, spf: { result: 'pass', domain: 'example.com' } }
  for (const client of ['[8.8.4.4] (helo=mx.example.com)', 'mx.example.com ([8.8.4.4])'])
    expect(await passOn(receivedFrom(client)), client).toMatchObject(passed)
  expect(await passOn(receivedFrom('[9.9.9.9] (helo=mx.example.com)'))).toMatchObject({
    ...{ verified: false, spf: { result: 'fail', domain: 'example.com' } },
  })
})

test('the verdict is unknown for a server that the relay does not name, or with a private address', async () => {
  const unknown = { verified: false, spf: { result: 'none', domain: null } }
  expect(await passOn()).toMatchObject(unknown)
  expect(await passOn('Received: by relay.example; Fri, 27 Nov 2026 12:00:00 +0000')).toMatchObject(
    unknown,
  )
  expect(await passOn(received('10.0.0.7'), received('8.8.4.4'))).toMatchObject(unknown)
})
