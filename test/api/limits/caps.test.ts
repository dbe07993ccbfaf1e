import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import '../../../control-plane/src/api.ts'
import { declaredCaps } from '../../../control-plane/src/db/cap.ts'
import type { Caller } from '../../support/caller.ts'
import { SoftPasskey } from '../../support/soft-passkey.ts'
import { sshPublicKey } from '../../support/ssh-public-key.ts'
import { type Lodge, ORIGIN, PASSWORD, startLodge } from '../../support/stack.ts'
import { deskCounts, deskRaces } from './desk-races.ts'
import type { Race } from './race.ts'
import { statusCounts, statusRaces } from './status-races.ts'

const FREE = 3
const AT_ONCE = 40

let lodge: Lodge
let beside: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  beside = await lodge.beside()
  admin = await lodge.admin()
})
afterAll(async () => {
  await beside?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))

/** The same person at the other control plane. */
const there = (caller: Caller) =>
  beside.anonymous({ cookie: caller.cookie ?? '' }).named(caller.id, caller.email)
const either = (caller: Caller, at: number) => (at % 2 ? there(caller) : caller)
const sql = (text: string, values: unknown[]) => lodge.database.pool.query(text, values)

/** How each capped thing is created. */
const races: Readonly<Record<string, () => Promise<Race>>> = {
  ...deskRaces(() => ({ lodge, admin, sql, either })),
  ...statusRaces(() => ({ lodge, beside, admin, sql, either })),
  'API tokens': async () => ({
    of: '',
    fill: (count) =>
      sql(
        `insert into api_tokens (id, user_id, name, prefix, scopes, token_hash)
         select gen_random_uuid(), $1, 't', 'p', '{read}', decode(md5(n::text), 'hex')
         from generate_series(1, $2::int) n`,
        [admin.id, count],
      ),
    add: async (at) => {
      const body = { name: `token ${at}`, scopes: ['read' as const] }
      return (await either(admin, at).call('POST /api/tokens', { body })).status
    },
  }),
  'unsent attachments of an account': async () => {
    const person = await lodge.customer()
    await admin.must('POST /api/customers/{id}/suspend', {
      params: { id: person.id },
      body: { reasonCode: 'other' },
    })
    return {
      of: person.id,
      fill: (count) =>
        sql(
          `insert into attachments (id, uploader_id, name, type, size_bytes, sha256)
           select gen_random_uuid(), $1, 'a.txt', 'text/plain', 1, md5(n::text)
           from generate_series(1, $2::int) n`,
          [person.id, count],
        ),
      add: async (at) => {
        const response = await either(person, at).send({
          method: 'POST',
          url: '/api/suspension/attachments?name=a.txt',
          headers: { 'content-type': 'application/octet-stream' },
          payload: Buffer.from(`file ${at}`),
        })
        return response.statusCode
      },
    }
  },
  'passkeys of an account': async () => {
    const person = await lodge.customer()
    const sessions = await Promise.all(
      Array.from({ length: AT_ONCE }, () => lodge.session(person.id, person.email)),
    )
    const responses = await Promise.all(
      sessions.map(async (session, at) => ({
        from: either(session, at),
        options: await session.must('POST /api/auth/passkeys/options'),
      })),
    )
    return {
      of: person.id,
      fill: (count) =>
        sql(
          `insert into passkeys (id, user_id, name, credential_id, public_key, counter, backed_up)
           select gen_random_uuid(), $1, 'Key', md5(n::text), '', 0, false
           from generate_series(1, $2::int) n`,
          [person.id, count],
        ),
      add: async (at) => {
        const { from, options } = responses[at] ?? {}
        if (!from || !options) throw new Error('nobody asked')
        const body = { response: new SoftPasskey(ORIGIN).register(options) }
        return (await from.call('POST /api/auth/passkeys/verify', { body })).status
      },
    }
  },
  'sessions of an account': async () => {
    const email = `${randomUUID()}@example.com`
    const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
    return {
      of: id,
      fill: (count) => Promise.all(Array.from({ length: count }, () => lodge.session(id))),
      add: async (at) => {
        const body = { email, password: PASSWORD }
        const from = (at % 2 ? lodge : beside).anonymous()
        return (await from.call('POST /api/auth/login', { body })).status
      },
    }
  },
  administrators: async () => ({
    of: '',
    fill: (count) =>
      sql(
        `insert into users (id, email, role, preferences)
         select gen_random_uuid(), 'admin-' || n || '@example.com', 'admin', '{"mode":null}'
         from generate_series(1, $1::int - (select count(*)::int from users where role = 'admin')) n`,
        [count],
      ),
    add: async (at) => {
      const body = { email: `${randomUUID()}@example.com`, permissions: [] }
      return (await either(admin, at).call('POST /api/team', { body })).status
    },
  }),
  'invitation codes': async () => ({
    of: '',
    fill: (count) =>
      sql(
        `insert into signup_invites (id, code_hash, prefix, max_uses, created_by)
         select gen_random_uuid(), decode(md5(n::text), 'hex'), 'p', 1, $1
         from generate_series(1, $2::int) n`,
        [admin.id, count],
      ),
    add: async (at) =>
      (await either(admin, at).call('POST /api/signup/invites', { body: {} })).status,
  }),
  'schedules of a server': async () => {
    const node = await lodge.node()
    const templateId = (await lodge.template()).id
    const ownerId = (await lodge.customer()).id
    const id = await lodge.server({ ownerId, templateId, nodeId: node.id, start: false })
    const body = { cron: '0 0 1 1 *', tasks: [{ action: 'wait' as const, seconds: 1 }] }
    return {
      of: id,
      fill: (count) =>
        sql(
          `insert into schedules (id, server_id, cron, timezone, anchored_at, tasks, missed, enabled)
           select gen_random_uuid(), $1, '0 0 1 1 *', 'UTC', now(), '[]', 'skip', false
           from generate_series(1, $2)`,
          [id, count],
        ),
      add: async (at) =>
        (
          await either(admin, at).call('POST /api/servers/{id}/schedules', {
            params: { id },
            body,
          })
        ).status,
    }
  },
  'SSH keys of an account': async () => {
    const person = await lodge.customer()
    return {
      of: person.id,
      fill: (count) =>
        sql(
          `insert into ssh_keys (id, user_id, name, type, fingerprint, public_key)
           select gen_random_uuid(), $1, 'Key', 'ssh-ed25519', n::text, '' from generate_series(1, $2) n`,
          [person.id, count],
        ),
      add: async (at) =>
        (
          await either(person, at).call('POST /api/account/ssh-keys', {
            body: { name: 'Key', publicKey: sshPublicKey() },
          })
        ).status,
    }
  },
  'notification channels of an account': async () => {
    const person = await lodge.customer()
    return {
      of: person.id,
      fill: (count) =>
        sql(
          `insert into notification_channels (id, user_id, name, kind, target, events)
           select gen_random_uuid(), $1, n::text, 'webhook', '', '{}' from generate_series(1, $2) n`,
          [person.id, count],
        ),
      add: async (at) => {
        const url = 'https://127.0.0.1:9/'
        const body = { name: `Channel ${at}`, kind: 'webhook' as const, url, events: [] }
        for (;;) {
          const from = either(person, at)
          const { status } = await from.call('POST /api/notification-channels', { body })
          if (status !== 429) return status
          // The rate limit accepts fewer than are sent here.
          await sql('delete from rate_limits', [])
        }
      },
    }
  },
  articles: async () => ({
    of: '',
    fill: (count) =>
      sql(
        `insert into support_articles
           (id, slug, locale, title, body, plain, keywords, visibility, status, position, language, words)
         select gen_random_uuid(), 'a-' || n, 'en', 'Title', 'Text', 'Text', '[]', 'public', 'draft', 0,
           'english', '' from generate_series(1, $1) n`,
        [count],
      ),
    add: async (at) => {
      const body = { slug: `one-${at}`, locale: 'en', title: 'One', bodyMarkdown: 'Text.' }
      const { status } = await either(admin, at).call('POST /api/support/articles', { body })
      return status
    },
  }),
  'ports of a server': async () => {
    const node = await lodge.node({ portRanges: [{ from: 20_000, to: 21_000 }] })
    const agent = await lodge.standIn(node)
    const templateId = (await lodge.template()).id
    const size = { memoryMb: 128, cpuPercent: 10, diskMb: 128 }
    const ownerId = (await lodge.customer()).id
    const id = await lodge.server({ ownerId, templateId, nodeId: node.id, start: false, ...size })
    void agent
    return {
      of: id,
      fill: (count) =>
        sql(
          `insert into server_ports (server_id, "offset", node_id, host_port, container_port, protocol)
           select $1, n, $2, 20500 + n, 30000 + n, 'tcp'
           from generate_series(1, $3::int - (select count(*)::int from server_ports where server_id = $1)) n`,
          [id, node.id, count],
        ),
      add: async (at) =>
        (
          await either(admin, at).call('POST /api/servers/{id}/ports', {
            params: { id },
            body: { container: 40_000 + at, protocol: 'tcp' },
          })
        ).status,
    }
  },
}

/** A new one is accepted and an old one removed. */
const MAKES_ROOM = ['sessions of an account']

test('every declared cap is raced here', () => {
  expect(Object.keys(races).sort()).toEqual(declaredCaps.map(({ name }) => name).sort())
})

test.each(declaredCaps)(
  'there are never more than $most $name, though many are added at once on two control planes',
  async (cap) => {
    const race = await races[cap.name]?.()
    if (!race) throw new Error(`${cap.name} is not raced`)
    await race.fill(cap.most - FREE)
    const statuses = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => race.add(at)))
    const count = async () => {
      const { rows } = await sql(countOf[cap.name] ?? '', race.of === '' ? [] : [race.of])
      return Number((rows[0] as { count: number }).count)
    }
    expect(await count()).toBe(cap.most)
    const added = statuses.filter((status) => status < 300).length
    if (!MAKES_ROOM.includes(cap.name)) {
      expect(added).toBe(FREE)
      expect(new Set(statuses.filter((status) => status >= 300))).toEqual(new Set([409]))
    }
  },
)

/** Counts independently of the caps' own queries. */
const countOf: Readonly<Record<string, string>> = {
  'API tokens': 'select count(*) from api_tokens',
  'unsent attachments of an account': 'select count(*) from attachments where uploader_id = $1',
  'passkeys of an account': 'select count(*) from passkeys where user_id = $1',
  'SSH keys of an account': 'select count(*) from ssh_keys where user_id = $1',
  'sessions of an account': 'select count(*) from sessions where user_id = $1',
  administrators: `select count(*) from users where role = 'admin'`,
  'invitation codes': 'select count(*) from signup_invites',
  'notification channels of an account':
    'select count(*) from notification_channels where user_id = $1',
  ...deskCounts,
  ...statusCounts,
  articles: 'select count(*) from support_articles',
  'schedules of a server': 'select count(*) from schedules where server_id = $1',
  'ports of a server': 'select count(*) from server_ports where server_id = $1',
}
