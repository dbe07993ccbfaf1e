import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertMissing } from '../../../control-plane/src/domains/attachments/previews/preview-store.ts'
import type { Caller } from '../../support/caller.ts'
import { picture } from '../../support/pictures.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { openEvents } from '../support/event-stream.ts'

let lodge: Lodge
let admin: Caller
let customer: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())
beforeEach(async () => {
  await lodge.database.pool.query('delete from attachments')
  customer = await lodge.customer()
})

async function upload(name: string, bytes: Buffer): Promise<string> {
  const answer = await customer.send({
    method: 'POST',
    url: `/api/support/tickets/new/attachments?name=${name}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: bytes,
  })
  expect(answer.statusCode).toBe(201)
  return answer.json<{ id: string }>().id
}

/** A ticket with a file, and its preview. */
async function ticketWith(name: string, bytes: Buffer) {
  const fileId = await upload(name, bytes)
  const { id } = await customer.must('POST /api/support/tickets', {
    body: { subject: 'A picture', bodyMarkdown: 'Look', attachments: [fileId] },
  })
  const url = `/api/support/tickets/${id}/attachments/${fileId}`
  return {
    id,
    fileId,
    get: (query: string, by = customer) => by.send({ method: 'GET', url: `${url}${query}` }),
    async preview() {
      const { messages } = await customer.must('GET /api/support/tickets/{id}', { params: { id } })
      return messages[0]?.attachments[0]?.preview
    },
  }
}

test('an image is visible only to its uploader before it is sent', async () => {
  const fileId = await upload('lobby.png', await picture(20, 10))
  const url = `/api/support/tickets/new/attachments/${fileId}`
  const get = (by: Caller, query = '') => by.send({ method: 'GET', url: `${url}${query}` })
  await until(async () => (await get(customer, '?preview=true')).statusCode === 200)
  expect((await get(customer)).statusCode).toBe(200)
  for (const other of [admin, await lodge.customer()])
    for (const query of ['', '?preview=true'])
      expect((await get(other, query)).statusCode).toBe(404)
  // Once it is sent it belongs to its message.
  const { id } = await customer.must('POST /api/support/tickets', {
    body: { subject: 'A picture', bodyMarkdown: 'Look', attachments: [fileId] },
  })
  expect((await get(customer)).statusCode).toBe(404)
  const sent = `/api/support/tickets/${id}/attachments/${fileId}`
  expect((await admin.send({ method: 'GET', url: sent })).statusCode).toBe(200)
})

const isKnown = (ticket: { preview(): Promise<{ state: string } | undefined> }) =>
  until(async () => {
    const preview = await ticket.preview()
    return preview?.state === 'waiting' ? undefined : preview
  })

test('an image is shown as a re-rendered copy, and its original can only be downloaded', async () => {
  const stream = await openEvents(lodge, admin)
  const original = await picture(2000, 1000)
  const ticket = await ticketWith('lobby.png', original)
  expect(await isKnown(ticket)).toEqual({ state: 'made', width: 1600, height: 800 })
  await stream.next(
    ({ event, data }) => event === 'ticket' && (data as { id: string }).id === ticket.id,
  )
  stream.close()
  for (const reader of [customer, admin]) {
    const shown = await ticket.get('?preview=true', reader)
    expect(shown.statusCode).toBe(200)
    expect(shown.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': expect.stringMatching(/^inline; /),
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 1600 })
    const saved = await ticket.get('', reader)
    expect(saved.headers['content-disposition']).toMatch(/^attachment; /)
    expect(saved.rawPayload.equals(original)).toBe(true)
  }
  const other = await lodge.customer()
  expect((await ticket.get('?preview=true', other)).statusCode).toBe(404)
})

test('an image that cannot be shown is marked so, and can be downloaded unchanged', async () => {
  const broken = (await picture()).subarray(0, 60)
  const ticket = await ticketWith('half.png', broken)
  expect(await isKnown(ticket)).toEqual({ state: 'impossible' })
  expect((await ticket.get('?preview=true')).statusCode).toBe(404)
  expect((await ticket.get('')).rawPayload.equals(broken)).toBe(true)
  const text = await ticketWith('a.txt', Buffer.from('hello'))
  expect(await text.preview()).toEqual({ state: 'none' })
  expect((await text.get('?preview=true')).statusCode).toBe(404)
})

const references = async (fileId: string) => {
  const { rows } = await lodge.database.pool.query<{ sha256: string }>(
    'select sha256 from blob_references where owner_id = $1 order by sha256',
    [fileId],
  )
  return rows.map(({ sha256 }) => sha256)
}

test('a preview counts towards no limit, and is deleted with its image', async () => {
  const ticket = await ticketWith('lobby.png', await picture())
  await isKnown(ticket)
  const { rows } = await lodge.database.pool.query<{
    file: string
    preview: string
    owned: number
  }>(
    `select a.sha256 as file, p.sha256 as preview,
       (select sum(size_bytes)::int - a.size_bytes from attachments where uploader_id = a.uploader_id) as owned
     from attachments a join attachment_previews p on p.attachment_id = a.id where a.id = $1`,
    [ticket.fileId],
  )
  const [kept] = rows
  expect(await references(ticket.fileId)).toEqual([kept?.file, kept?.preview].toSorted())
  expect(kept?.owned).toBe(0)
  await admin.must('DELETE /api/support/tickets/{id}', { params: { id: ticket.id } })
  expect(await references(ticket.fileId)).toEqual([])
  const left = await lodge.database.pool.query('select from attachment_previews')
  expect(left.rowCount).toBe(0)
})

test('images from before previews get one later', async () => {
  const ticket = await ticketWith('lobby.png', await picture())
  await isKnown(ticket)
  await lodge.database.pool.query('delete from attachment_previews')
  expect(await ticket.preview()).toEqual({ state: 'none' })
  expect(await insertMissing(lodge.controlPlane.services.db)).toBe(1)
  expect(await insertMissing(lodge.controlPlane.services.db)).toBe(0)
  expect(await isKnown(ticket)).toMatchObject({ state: 'made' })
})

test('an image that repeatedly crashed control planes gets no preview', async () => {
  const ticket = await ticketWith('lobby.png', await picture())
  await isKnown(ticket)
  const attempted = (attempts: number) =>
    lodge.database.pool.query(
      `update attachment_previews set attempts = $1, state = 'waiting', due_at = now(),
         sha256 = null, width = null, height = null`,
      [attempts],
    )
  await attempted(2)
  expect(await isKnown(ticket)).toMatchObject({ state: 'made' })
  await attempted(3)
  expect(await isKnown(ticket)).toEqual({ state: 'impossible' })
})
