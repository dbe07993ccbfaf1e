import { createHash, randomUUID } from 'node:crypto'
import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { adminCounterpart } from '@lodge/shared/server-permission-list.ts'
import { ServerPermission } from '@lodge/shared/server-permissions.ts'
import type { Access } from '../../../control-plane/src/http/access.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import { articleOf } from '../../support/article.ts'
import { pluginOf } from '../../support/plugin.ts'
import { sshPublicKey } from '../../support/ssh-public-key.ts'
import { DOCUMENT, type JoinedNode, type Lodge } from '../../support/stack.ts'
import { appealFileOf } from './appeal-things.ts'
import { creditNoteOf, invoiceOf, providerEvent, subscriptionOf } from './billing-things.ts'
import { channelOf, deliveryTo, sampleChannel } from './channel-things.ts'
import {
  DESK_BESIDE,
  DESK_MAKES,
  deskBodies,
  fileIn,
  heldMailOf,
  macroOf,
  messageIn,
  tierOf,
} from './desk-things.ts'
import { freshNetwork } from './fresh-network.ts'
import { panelBodies } from './panel-bodies.ts'
import type { Overrides } from './samples.ts'
import { STATUS_MAKES, updateIn } from './status-things.ts'

export const keyOf = (spec: Pick<Declared, 'method' | 'path'>) => `${spec.method} ${spec.path}`

/** Where the servers of the checks are created. */
export interface Ground {
  readonly lodge: Lodge
  readonly node: JoinedNode
  readonly templateId: string
}

/** The icon of a template that has one of its own. */
const PICTURE = 'data:image/gif;base64,R0lGODlhAwACAPAAAP8AAAAAACH5BAAAAAAALAAAAAADAAIAAAIChF8AOw=='

type Make = (ground: Ground, ownerId: string) => Promise<string>

async function one(lodge: Lodge, sql: string, ...values: unknown[]): Promise<string> {
  const { rows } = await lodge.database.pool.query<{ id: string }>(sql, values)
  if (!rows[0]) throw new Error(`nothing came of ${sql}`)
  return rows[0].id
}

async function makeServer({ lodge, node, templateId }: Ground, ownerId: string): Promise<string> {
  const admin = await lodge.session((await lodge.admin()).id)
  const { serverId } = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId, templateId, nodeId: node.id },
  })
  return serverId
}

const makeNode: Make = ({ lodge }) =>
  one(
    lodge,
    `insert into nodes (id, name, location, memory_mb, cpu_percent, disk_mb, port_ranges)
     values (gen_random_uuid(), gen_random_uuid(), 'Here', 64, 10, 64, '[]') returning id`,
  )

/** How to create the things in paths, by the name of their resource or by the beginning of the path. */
const MAKES: Readonly<Record<string, Make>> = {
  server: makeServer,
  job: async (ground, ownerId) => {
    const serverId = await makeServer(ground, ownerId)
    return one(ground.lodge, 'select id from jobs where server_id = $1', serverId)
  },
  node: makeNode,
  customer: async ({ lodge }) => (await lodge.customer()).id,
  template: async ({ lodge }) => (await lodge.template()).id,
  administrator: async ({ lodge }) => (await lodge.limitedAdmin([])).id,
  medium: ({ lodge }) =>
    one(
      lodge,
      `insert into vm_media (id, name, kind, url, sha256, state)
       values (gen_random_uuid(), gen_random_uuid(), 'iso', 'https://example.com/', gen_random_uuid(), 'checking')
       returning id`,
    ),
  network: ({ lodge }) =>
    one(
      lodge,
      `insert into vm_networks (id, name, mode, libvirt_name, subnet, prefix_length, gateway, pool_from, pool_to)
       values (gen_random_uuid(), gen_random_uuid(), 'nat', 'lodge0', 0, 24, 1, 2, 3) returning id`,
    ),
  profile: ({ lodge }) =>
    one(
      lodge,
      `insert into vm_profiles (id, name, description, hardware)
       values (gen_random_uuid(), gen_random_uuid(), '',
         (select hardware from vm_profiles where built_in limit 1)) returning id`,
    ),
  invite: ({ lodge }) =>
    one(
      lodge,
      `insert into signup_invites (id, code_hash, prefix)
       values (gen_random_uuid(), gen_random_uuid()::text::bytea, 'x') returning id`,
    ),
  heldMail: ({ lodge }) => heldMailOf(lodge),
  macro: ({ lodge }) => macroOf(lodge),
  plan: ({ lodge }) =>
    one(
      lodge,
      `insert into plans (id, name, kind) values (gen_random_uuid(), gen_random_uuid(), 'account') returning id`,
    ),
  invitation: async (ground, ownerId) =>
    one(
      ground.lodge,
      `insert into server_invitations (id, server_id, email, permissions, new_account, expires_at)
       select gen_random_uuid(), $1, email, '{console.read}', false, now() + interval '1 day'
       from users where id = $2 returning id`,
      await makeServer(ground, (await ground.lodge.admin()).id),
      ownerId,
    ),
  message: ({ lodge }) =>
    one(
      lodge,
      `insert into email_messages (id, template, to_address, subject, state, priority, message_id, expires_at)
       values (gen_random_uuid(), 'test', 'a@example.com', 'Test', 'failed', 0, gen_random_uuid(), now() + interval '1 day')
       returning id`,
    ),
  channel: ({ lodge }, ownerId) => channelOf(lodge, ownerId),
  ...DESK_MAKES,
  ...STATUS_MAKES,
  subscription: ({ lodge }, ownerId) => subscriptionOf(lodge, ownerId),
  invoice: ({ lodge }, ownerId) => invoiceOf(lodge, ownerId),
  creditNote: ({ lodge }, ownerId) => creditNoteOf(lodge, ownerId),
  '/api/auth/sessions/': async ({ lodge }, ownerId) => {
    await lodge.session(ownerId)
    return one(
      lodge,
      'select id from sessions where user_id = $1 order by created_at desc, id limit 1',
      ownerId,
    )
  },
  '/api/auth/passkeys/': ({ lodge }, ownerId) =>
    one(
      lodge,
      `insert into passkeys (id, user_id, name, credential_id, public_key, counter, backed_up)
       values (gen_random_uuid(), $1, 'Key', gen_random_uuid(), '\\x00', 0, false) returning id`,
      ownerId,
    ),
  '/api/account/ssh-keys/': ({ lodge }, ownerId) =>
    one(
      lodge,
      `insert into ssh_keys (id, user_id, name, type, fingerprint, public_key)
       values (gen_random_uuid(), $1, 'Key', 'ssh-ed25519', gen_random_uuid(), '') returning id`,
      ownerId,
    ),
  '/api/tokens/': async ({ lodge }) =>
    one(
      lodge,
      `insert into api_tokens (id, user_id, name, prefix, scopes, token_hash)
       values (gen_random_uuid(), $1, 'Token', 'lodge_x', '{read}', decode(md5(random()::text), 'hex')) returning id`,
      (await lodge.admin()).id,
    ),
  '/api/suspension/attachments/': ({ lodge }, ownerId) => appealFileOf(lodge, ownerId),
  '/api/branding/history/': ({ lodge }) =>
    one(
      lodge,
      `insert into branding_versions (revision, id, document, author, reason)
       select coalesce(max(revision), 0) + 1, gen_random_uuid(), $1, 'root', '' from branding_versions
       returning id`,
      DEFAULT_BRANDING,
    ),
  '/api/nodes/': makeNode,
  '/api/support/tiers/': ({ lodge }) => tierOf(lodge),
  '/api/templates/': async ({ lodge }) => (await lodge.template({ icon: PICTURE })).id,
  '/api/agent/servers/': async (ground, ownerId) => {
    const id = await makeServer(ground, ownerId)
    await one(
      ground.lodge,
      `update servers set kind = 'vm', template_id = null, template_version = null where id = $1 returning id`,
      id,
    )
    return one(
      ground.lodge,
      `insert into machines (server_id, uuid, hostname, profile_id, network_id, address, mac, vcpus,
         disks, boot_order, nat_rules, stop)
       select $1, gen_random_uuid(), 'guest', (select id from vm_profiles where built_in limit 1), $2,
         2, gen_random_uuid(), 1, '[]', '[]', '[]', '{}' returning server_id as id`,
      id,
      await MAKES.network?.(ground, ownerId),
    )
  },
}

/** Things that belong to the thing whose id precedes them in the path. */
const WITHIN: Readonly<Record<string, Make>> = {
  userId: ({ lodge }, serverId) =>
    one(
      lodge,
      `insert into server_invitations (id, server_id, email, permissions, new_account, expires_at)
       values (gen_random_uuid(), $1, gen_random_uuid()::text, '{collaborators.view}', false, now() + interval '1 day')
       returning id`,
      serverId,
    ),
  scheduleId: ({ lodge }, serverId) =>
    one(
      lodge,
      `insert into schedules (id, server_id, cron, timezone, anchored_at, tasks, missed, enabled)
       values (gen_random_uuid(), $1, '30 4 * * *', 'UTC', now(), $2, 'skip', false) returning id`,
      serverId,
      JSON.stringify([
        { action: 'wait', seconds: 1, conditions: [], otherwise: 'skip', continueOnFailure: false },
      ]),
    ),
  serverId: ({ lodge }, nodeId) =>
    one(
      lodge,
      `insert into storage_copies (server_id, node_id, kind, placement_generation)
       values (gen_random_uuid(), $1, 'container', 1) returning server_id as id`,
      nodeId,
    ),
  attachmentId: async ({ lodge }, ofId) => (await fileIn(lodge, ofId)) ?? appealFileOf(lodge, ofId),
  messageId: ({ lodge }, ticketId) => messageIn(lodge, ticketId),
  updateId: ({ lodge }, incidentId) => updateIn(lodge, incidentId),
  deliveryId: ({ lodge }, channelId) => deliveryTo(lodge, channelId),
  slug: ({ lodge }) => articleOf(lodge),
  eventId: ({ lodge }) => providerEvent(lodge),
  plugin: ({ lodge }) => pluginOf(lodge),
  noteId: ({ lodge }, customerId) =>
    one(
      lodge,
      `insert into customer_notes (id, customer_id, content) values (gen_random_uuid(), $1, 'Note') returning id`,
      customerId,
    ),
}

const HARDWARE = {
  ...{ machine: 'q35', firmware: { kind: 'bios' }, tpm: false, cpuModel: 'host' },
  ...{ diskBus: 'virtio', nicModel: 'virtio', video: 'vga', guestAgent: false },
}

/** Values of path parameters that are not ids. */
const NAMED: Readonly<Record<string, string>> = {
  backupId: randomUUID(),
  offset: '0',
  template: 'password_reset',
  page: 'sample',
  snapshot: randomUUID(),
  token: 'sample',
  upload: 'x'.repeat(43),
  sha256: '0'.repeat(64),
  sha: '0'.repeat(64),
  provider: 'sample',
  kind: 'mark',
  revision: '1',
  digest: createHash('sha256').update(PICTURE).digest('hex').slice(0, 16),
}

const nameOf = (access: Access): string | undefined =>
  'on' in access ? access.on?.name : undefined

const makeOf = (spec: Declared): string | undefined =>
  nameOf(spec.access) ?? Object.keys(MAKES).find((beginning) => spec.path.startsWith(beginning))

/** What the path of an endpoint is about: endpoints of which this is equal take the same parameters. */
export const thingOf = (spec: Declared): string =>
  [makeOf(spec), ...(spec.path.match(/\{\w+\}/g) ?? [])].join(' ')

/** Path parameters of an endpoint, for something that belongs to `ownerId`. */
export async function paramsFor(
  ground: Ground,
  spec: Declared,
  ownerId: string,
): Promise<Record<string, string>> {
  const key = makeOf(spec)
  const params: Record<string, string> = {}
  for (const [, name = ''] of spec.path.matchAll(/\{(\w+)\}/g)) {
    const make = name === 'id' ? MAKES[key ?? ''] : undefined
    const within = WITHIN[name]
    const value = make
      ? await make(ground, ownerId)
      : within
        ? await within(ground, params.id ?? '')
        : NAMED[name]
    if (value === undefined) throw new Error(`say in MAKES what ${keyOf(spec)} is about`)
    params[name] = value
  }
  return params
}

/** Bodies of endpoints whose schemas do not say enough. */
export const BODIES: Overrides = {
  'POST /api/servers/{id}/schedules': () => ({
    cron: '30 4 * * *',
    tasks: [{ action: 'wait', seconds: 1 }],
  }),
  'POST /api/notification-channels': sampleChannel,
  'POST /api/account/ssh-keys': () => ({ name: 'Key', publicKey: sshPublicKey() }),
  'POST /api/virtualization/media': () => ({
    name: randomUUID(),
    url: 'https://example.com/one.iso',
    sha256: createHash('sha256').update(randomUUID()).digest('hex'),
    kind: 'iso',
  }),
  'POST /api/virtualization/networks': () => freshNetwork(),
  'POST /api/virtualization/profiles': () => ({ name: randomUUID(), hardware: HARDWARE }),
  'POST /api/servers/{id}/files/chmod': () => ({ paths: ['/sample'], mode: '0644' }),
  'POST /api/servers/{id}/files/bin/restore': () => ({ ids: [randomUUID()] }),
  'POST /api/servers/{id}/files/bin/delete': () => ({ ids: [randomUUID()] }),
  'POST /api/servers/{id}/vm/disks': () => ({ disks: [{ sizeMb: 1 }] }),
  'POST /api/templates': () => DOCUMENT,
  'PUT /api/templates/{id}': () => DOCUMENT,
  'POST /api/servers/{id}/collaborators': () => ({
    email: `${randomUUID()}@example.com`,
    permissions: ['collaborators.view'],
  }),
  ...panelBodies,
  ...deskBodies,
  'POST /api/templates/import': () => ({ document: DOCUMENT }),
  // On this machine, so nothing is fetched.
  'POST /api/templates/fetch': () => ({ address: 'https://127.0.0.1:9/egg.json' }),
  // The only action that a token can use here.
  'POST /api/servers/{id}/actions': () => ({ action: 'suspend' }),
  'POST /api/servers/{id}/clone': () => ({ name: 'Two' }),
  'POST /api/servers': () => ({ name: 'One', ownerId: randomUUID(), templateId: randomUUID() }),
}

/** The permission with which an administrator does this to things of others; undefined when none is needed. */
export function neededFor(access: Access): AdminPermission | undefined {
  if (access.who === 'admin') return access.may
  if (access.who !== 'user') return undefined
  if (access.admin) return access.admin
  if (!access.on || access.own) return undefined
  if (access.on.name === 'server')
    return adminCounterpart(ServerPermission.optional().parse(access.may))
  if (access.on.name === 'ticket') return 'support.view'
  if (access.on.name === 'invoice' || access.on.name === 'creditNote') return 'billing.view'
  if (access.on.name === 'job') return access.may === undefined ? 'jobs.view' : 'jobs.manage'
  throw new Error(`say here what an administrator needs for a ${access.on.name}`)
}

/** The permission an administrator needs to see the thing at all. */
const SEEING: Readonly<Record<string, AdminPermission>> = {
  server: 'servers.view',
  job: 'jobs.view',
  node: 'nodes.view',
  template: 'templates.view',
  ticket: 'support.view',
}

/** What the body or the thing requires in addition to the endpoint. */
const BESIDE: Readonly<Record<string, readonly AdminPermission[]>> = {
  ...DESK_BESIDE,
  'POST /api/tokens': ['servers.view'],
  'POST /api/servers/{id}/actions': ['servers.suspend'],
  'POST /api/jobs/{id}/retry': ['servers.view', 'servers.power'],
}

/** Every permission an administrator needs to be admitted. */
export function enoughFor(spec: Declared): AdminPermission[] {
  const all = [
    neededFor(spec.access),
    SEEING[nameOf(spec.access) ?? ''],
    ...(BESIDE[keyOf(spec)] ?? []),
  ]
  return [...new Set(all.filter((permission) => permission !== undefined))]
}

/** What a collaborator needs for this; undefined when being one suffices. */
export function neededOfCollaborator(access: Access): ServerPermission | undefined {
  if (access.who !== 'user' || access.may === undefined) return undefined
  return access.on?.name === 'job' ? 'power.stop' : ServerPermission.parse(access.may)
}

/** Endpoints whose body decides what the owner may do with their own thing. */
export const NOT_FOR_OWNERS: readonly string[] = ['POST /api/servers/{id}/actions']

/** Paths about one's own things, where another person's does not exist. */
export const isOwnOnly = ({ access }: Declared): boolean =>
  access.who === 'user' && access.own === true
