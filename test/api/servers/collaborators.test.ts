import { createHash, randomUUID } from 'node:crypto'
import type { ProblemDocument } from '@lodge/shared/problems.ts'
import { SERVER_PRESETS, ServerPermission, withImplied } from '@lodge/shared/server-permissions.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { receivedMail } from '../../support/read-mail.ts'
import { SmtpSink } from '../../support/smtp-sink.ts'
import { type JoinedNode, type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { share } from '../support/share.ts'

let lodge: Lodge
let admin: Caller
let node: JoinedNode
let templateId: string
let ann: Caller
let mails: SmtpSink
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  templateId = (await lodge.template()).id
  node = await lodge.node()
  await lodge.standIn(node)
  ann = await lodge.customer()
  // With a mail server links are mailed.
  mails = await new SmtpSink().listen()
  await admin.must('PUT /api/settings/mail', { body: mails.settings })
})
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))
afterAll(async () => {
  await lodge[Symbol.asyncDispose]()
  await mails[Symbol.asyncDispose]()
})

const serverOf = (owner: Caller) =>
  lodge.server({ name: 'Survival', ownerId: owner.id, templateId, nodeId: node.id, start: false })

/** The newest invitation that an address received. */
async function mailed(to: string): Promise<{ token: string; text: string }> {
  const { text } = await receivedMail(mails, to, /./)
  return { text, token: /#token=([\w-]+)/.exec(text)?.[1] ?? '' }
}

const codeOf = (answer: { body: unknown }) => (answer.body as ProblemDocument).code

describe('an invitation', () => {
  test('is listed, accepted and declined only by the signed-in invitee', async () => {
    const [owner, bob, eve] = await Promise.all([1, 2, 3].map(() => lodge.customer()))
    if (!owner || !bob || !eve) throw new Error('three people')
    const id = await serverOf(owner)
    const body = { email: bob.email, permissions: ['console.read'] as const }
    const invite = () =>
      owner.must('POST /api/servers/{id}/collaborators', {
        params: { id },
        body: { ...body, permissions: [...body.permissions] },
      })
    await invite()
    await until(async () =>
      (await bob.must('GET /api/notifications')).items.some(
        ({ type, link }) => type === 'collaborator.invited' && link === '/servers',
      ),
    )
    const [first] = (await bob.must('GET /api/invitations')).items
    expect(first).toMatchObject({ serverName: 'Survival', inviter: owner.email })
    const params = { id: first?.id ?? '' }
    expect((await eve.must('GET /api/invitations')).items).toEqual([])
    for (const stranger of [eve, owner, admin])
      expect((await stranger.call('POST /api/invitations/{id}/accept', { params })).status).toBe(
        404,
      )
    await bob.must('DELETE /api/invitations/{id}', { params })
    expect((await bob.call('POST /api/invitations/{id}/accept', { params })).status).toBe(404)
    expect((await bob.call('GET /api/servers/{id}', { params: { id } })).status).toBe(404)

    await invite()
    const [again] = (await bob.must('GET /api/invitations')).items
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        bob.call('POST /api/invitations/{id}/accept', { params: { id: again?.id ?? '' } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(3)
    expect((await bob.must('GET /api/servers/{id}/rights', { params: { id } })).role).toBe(
      'collaborator',
    )
  })

  test('reaches an account by mail, works once, and makes a collaborator', async () => {
    const id = await serverOf(ann)
    const bob = await lodge.customer()
    const invited = await ann.must('POST /api/servers/{id}/collaborators', {
      params: { id },
      body: { email: bob.email, permissions: ['console.write'] },
    })
    expect(invited).toMatchObject({ state: 'invited', userId: null, invitedBy: ann.email })
    expect((await bob.call('GET /api/servers/{id}', { params: { id } })).status).toBe(404)
    const { token, text } = await mailed(bob.email)
    expect(text).toContain('Survival')
    expect(text).toContain(ann.email)
    const about = await lodge.anonymous().must('POST /api/invitations/look', { body: { token } })
    expect(about).toMatchObject({ email: bob.email, hasAccount: true, serverName: 'Survival' })
    const accept = () => lodge.anonymous().call('POST /api/invitations/accept', { body: { token } })
    const answers = await Promise.all([accept(), accept(), accept()])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 400, 400])
    const { items } = await ann.must('GET /api/servers/{id}/collaborators', { params: { id } })
    expect(items).toMatchObject([
      { id: bob.id, state: 'active', permissions: ['console.read', 'console.write'] },
    ])
    expect(await bob.must('GET /api/servers/{id}/rights', { params: { id } })).toEqual({
      role: 'collaborator',
      permissions: ['console.read', 'console.write'],
      files: [],
      unsupported: {},
    })
    const inbox = await ann.must('GET /api/notifications', { query: {} })
    expect(inbox.items).toMatchObject([{ type: 'collaborator.added' }])
  })

  test('creates an account for a new person, with its address confirmed by the link', async () => {
    const id = await serverOf(ann)
    const email = `new-${randomUUID()}@example.com`
    await ann.must('POST /api/servers/{id}/collaborators', {
      params: { id },
      body: { email, permissions: ['power.start', 'vm.console'], invite: true },
    })
    const { token, text } = await mailed(email)
    // A container has no screen, so the mail does not mention it.
    expect(text).toContain('You may: Start.')
    const offered = await lodge.anonymous().must('POST /api/invitations/look', { body: { token } })
    expect(offered.permissions).toEqual(['power.start'])
    const without = await lodge
      .anonymous()
      .call('POST /api/invitations/accept', { body: { token } })
    expect([without.status, codeOf(without)]).toEqual([400, 'validation_failed'])
    await lodge
      .anonymous()
      .must('POST /api/invitations/accept', { body: { token, password: PASSWORD, name: 'Neo' } })
    const neo = lodge.anonymous()
    await neo.must('POST /api/auth/login', { body: { email, password: PASSWORD } })
    const { items } = await neo.must('GET /api/servers', { query: { relation: 'shared' } })
    expect(items.map((item) => item.id)).toEqual([id])
  })

  test('A2: responds alike whether the address has an account, and mails a stranger only when asked', async () => {
    const id = await serverOf(ann)
    const bob = await lodge.customer()
    const emails = [bob.email, `nobody-${randomUUID()}@example.com`]
    const answers = []
    for (const email of emails) {
      const { status, body } = await ann.call('POST /api/servers/{id}/collaborators', {
        params: { id },
        body: { email, permissions: ['metrics.view'] },
      })
      const link = typeof body.link
      answers.push({ status, ...body, link, id: '', email: '', createdAt: '', expiresAt: '' })
    }
    expect(answers[0]).toEqual(answers[1])
    await mailed(bob.email)
    expect(mails.mails.filter(({ to }) => to === emails[1])).toEqual([])
  })

  test('creates no account when the host forbids it', async () => {
    const id = await serverOf(ann)
    const email = `late-${randomUUID()}@example.com`
    await ann.must('POST /api/servers/{id}/collaborators', {
      params: { id },
      body: { email, permissions: ['power.start'], invite: true },
    })
    const { token } = await mailed(email)
    await lodge.database.pool.query(
      `insert into settings (area, value) values ('self_service', '{"collaboratorAccounts": false}')`,
    )
    const answer = await lodge
      .anonymous()
      .call('POST /api/invitations/accept', { body: { token, password: PASSWORD } })
    await lodge.database.pool.query(`delete from settings where area = 'self_service'`)
    expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden'])
  })

  test('ends when it is withdrawn, replaced or expired, or when the server is deleted', async () => {
    const id = await serverOf(ann)
    const bob = await lodge.customer()
    let invited = 0
    const invite = async () => {
      const { id: row } = await ann.must('POST /api/servers/{id}/collaborators', {
        params: { id },
        body: { email: bob.email, permissions: ['power.start'] },
      })
      invited += 1
      await until(() => mails.mails.filter(({ to }) => to === bob.email).length === invited)
      const { token } = await mailed(bob.email)
      return { row, token }
    }
    const refused = async (token: string) => {
      const answer = await lodge
        .anonymous()
        .call('POST /api/invitations/accept', { body: { token } })
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_token'])
    }
    const first = await invite()
    const second = await invite()
    await refused(first.token)
    await ann.must('DELETE /api/servers/{id}/collaborators/{userId}', {
      params: { id, userId: second.row },
    })
    await refused(second.token)
    const third = await invite()
    await lodge.database.pool.query(
      `update server_invitations set expires_at = now() - interval '1 second' where id = $1`,
      [third.row],
    )
    await refused(third.token)
    await refused('made-up')
  })

  test('CVE-2025-64423: stores no token: the database contains nothing that opens it', async () => {
    const id = await serverOf(ann)
    const bob = await lodge.customer()
    await ann.must('POST /api/servers/{id}/collaborators', {
      params: { id },
      body: { email: bob.email, permissions: ['power.start'] },
    })
    const { token } = await mailed(bob.email)
    const { rows } = await lodge.database.pool.query<{ token_hash: Buffer }>(
      'select * from server_invitations where server_id = $1',
      [id],
    )
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(rows[0]?.token_hash).toEqual(createHash('sha256').update(token).digest())
  })

  test('is limited per server, people and open invitations together', async () => {
    const id = await serverOf(ann)
    await admin.must('PATCH /api/customers/{id}', {
      params: { id: ann.id },
      body: { quota: { maxServerCollaborators: 2 } },
    })
    const invite = () =>
      ann.call('POST /api/servers/{id}/collaborators', {
        params: { id },
        body: { email: `${randomUUID()}@example.com`, permissions: ['power.start'] },
      })
    const answers = await Promise.all(Array.from({ length: 12 }, invite))
    const refusals = answers.filter((answer) => answer.status !== 201)
    expect(refusals.length).toBe(10)
    expect(refusals[0]?.body).toMatchObject({
      code: 'limit_exceeded',
      detail: 'This would exceed the limit of 2 people per server (2 in use, 1 requested)',
    })
    await admin.must('PATCH /api/customers/{id}', {
      params: { id: ann.id },
      body: { quota: { maxServerCollaborators: null, mayShare: false } },
    })
    const denied = await invite()
    expect([denied.status, codeOf(denied)]).toEqual([403, 'capability_denied'])
    await admin.must('PATCH /api/customers/{id}', {
      params: { id: ann.id },
      body: { quota: { mayShare: null } },
    })
  })

  test('is accepted as long as there is room, whoever else is invited', async () => {
    const owner = await lodge.customer()
    const params = { id: await serverOf(owner) }
    const [bob, eve] = [await lodge.customer(), await lodge.customer()]
    for (const { email } of [bob, eve]) {
      const body = { email, permissions: ['power.start' as const] }
      await owner.must('POST /api/servers/{id}/collaborators', { params, body })
    }
    const body = { quota: { maxServerCollaborators: 1 } }
    await admin.must('PATCH /api/customers/{id}', { params: { id: owner.id }, body })
    const accept = async (person: Caller) => {
      const [own] = (await person.must('GET /api/invitations')).items
      return person.call('POST /api/invitations/{id}/accept', { params: { id: own?.id ?? '' } })
    }
    expect((await accept(bob)).status).toBe(200)
    expect(await accept(eve)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})

describe('a collaborator', () => {
  test('sees shared servers beside their own, and their jobs', async () => {
    const [id, bob] = [await serverOf(ann), await lodge.customer()]
    const own = await serverOf(bob)
    await share(lodge, id, ann, bob, ['power.start'])
    const ids = async (query: object) =>
      (await bob.must('GET /api/servers', { query })).items.map((item) => item.id).toSorted()
    expect(await ids({})).toEqual([id, own].toSorted())
    expect(await ids({ relation: 'own' })).toEqual([own])
    expect(await ids({ relation: 'shared' })).toEqual([id])
    const jobs = await bob.must('GET /api/jobs', { query: { serverId: id } })
    expect(jobs.items.map((job) => job.kind)).toEqual(['server.create'])
  })

  test('needs the permission of each power action, and no other', async () => {
    const [id, bob] = [await serverOf(ann), await lodge.customer()]
    await share(lodge, id, ann, bob, ['power.start'])
    const act = (action: 'start' | 'stop' | 'kill' | 'restart' | 'reinstall' | 'suspend') =>
      bob.call('POST /api/servers/{id}/actions', { params: { id }, body: { action } })
    expect((await act('start')).status).toBe(202)
    for (const action of ['stop', 'kill', 'restart', 'reinstall', 'suspend'] as const) {
      const answer = await act(action)
      expect([answer.status, codeOf(answer)]).toEqual([403, 'permission_required'])
    }
  })

  test('B1: cannot use a ticket, a role or a hold of the server to exceed their permissions', async () => {
    const [id, bob] = [await serverOf(ann), await lodge.customer()]
    await share(lodge, id, ann, bob, SERVER_PRESETS.full ?? [])
    const owned = await Promise.all([
      bob.call('DELETE /api/me/servers/{id}', { params: { id } }),
      bob.call('POST /api/me/servers/{id}/restore', { params: { id } }),
    ])
    expect(owned.map((answer) => answer.status)).toEqual([404, 404])
    const hosts = await bob.call('PATCH /api/servers/{id}', {
      params: { id },
      body: { memoryMb: 128 },
    })
    expect(hosts.status).toBe(403)
  })

  test('B1: may leave, but nobody can change their own permissions', async () => {
    const [id, bob] = [await serverOf(ann), await lodge.customer()]
    await share(lodge, id, ann, bob, SERVER_PRESETS.full ?? [])
    const own = await bob.call('PATCH /api/servers/{id}/collaborators/{userId}', {
      params: { id, userId: bob.id },
      body: { permissions: ['power.start'] },
    })
    expect([own.status, codeOf(own)]).toEqual([409, 'conflict'])
    await bob.must('DELETE /api/servers/{id}/rights', { params: { id } })
    expect((await bob.call('GET /api/servers/{id}', { params: { id } })).status).toBe(404)
  })

  test('B1: cannot give a permission they do not hold, in any combination', async () => {
    const [id, bob, carl] = [await serverOf(ann), await lodge.customer(), await lodge.customer()]
    await share(lodge, id, ann, bob, ['collaborators.manage'])
    await share(lodge, id, ann, carl, ['power.start'])
    const some = fc.uniqueArray(fc.constantFrom(...ServerPermission.options), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(some, some, some, async (held, before, wanted) => {
        const holds = new Set(withImplied([...held, 'collaborators.manage']))
        await put(id, bob.id, [...holds])
        await put(id, carl.id, withImplied(before))
        const params = { id, userId: carl.id }
        const answer = await bob.call('PATCH /api/servers/{id}/collaborators/{userId}', {
          params,
          body: { permissions: wanted },
        })
        const touched = new Set(withImplied(wanted)).symmetricDifference(
          new Set(withImplied(before)),
        )
        const allowed = [...touched].every((one) => holds.has(one))
        expect(answer.status).toBe(allowed ? 200 : 403)
        const { rows } = await lodge.database.pool.query<{ permissions: string[] }>(
          'select permissions from server_collaborators where server_id = $1 and user_id = $2',
          [id, carl.id],
        )
        expect(new Set(rows[0]?.permissions)).toEqual(
          new Set(withImplied(allowed ? wanted : before)),
        )
      }),
      { numRuns: 60 },
    )
  })

  test('restricted to folders cannot give access to others', async () => {
    const [id, bob, carl] = [await serverOf(ann), await lodge.customer(), await lodge.customer()]
    await share(lodge, id, ann, bob, ['collaborators.manage', 'files.write'])
    await ann.must('PATCH /api/servers/{id}/collaborators/{userId}', {
      params: { id, userId: bob.id },
      body: {
        files: [
          { path: '/', access: 'none' },
          { path: '/plugins', access: 'write' },
        ],
      },
    })
    const invite = (files: { path: string; access: 'none' | 'read' | 'write' }[]) =>
      bob.call('POST /api/servers/{id}/collaborators', {
        params: { id },
        body: { email: carl.email, permissions: ['files.write'], files },
      })
    expect((await invite([])).status).toBe(403)
    expect((await invite([{ path: '/', access: 'read' }])).status).toBe(403)
    const narrower = await invite([
      { path: '/', access: 'none' },
      { path: '/plugins/maps', access: 'write' },
    ])
    expect(narrower.status).toBe(201)
  })
})

const put = (id: string, userId: string, permissions: readonly string[]) =>
  lodge.database.pool.query(
    'update server_collaborators set permissions = $3 where server_id = $1 and user_id = $2',
    [id, userId, permissions],
  )
