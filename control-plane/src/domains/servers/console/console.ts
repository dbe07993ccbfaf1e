import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { THE_HOST } from '@lodge/shared/accounts.ts'
import { standingMark, type User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import { TaskFailure } from '../../../fleet/tasks.ts'
import { notFound, Problem } from '../../../problem.ts'
import type { Services } from '../../../services.ts'
import { asActor, findUser } from '../../customers/index.ts'
import { requireOnNode } from '../abilities.ts'
import { permits, type SharedServer } from '../access/access.ts'
import { rightsMark } from '../access/rights.ts'
import { findRights } from '../access/store.ts'
import { insertTicket, redeemTicket } from '../ticket-store.ts'
import { findView, type ServerView } from '../view/view.ts'

const TICKET_MS = 30_000
type ConsoleKind = 'console' | 'install_log' | 'vnc' | 'serial'
/** WebSocket subprotocol by kind; a screen sends RFB in binary messages. */
const PROTOCOLS: Readonly<Record<ConsoleKind, string>> = {
  console: 'lodge.console.v1',
  install_log: 'lodge.console.v1',
  serial: 'lodge.serial.v1',
  vnc: 'lodge.vnc.v1',
}
/** Kinds that require the permission for the screen. */
const isOfMachine = (kind: string): boolean => kind === 'vnc' || kind === 'serial'
const hashOf = (ticket: string): string => createHash('sha256').update(ticket).digest('hex')

/** A single-use ticket for one console, valid for half a minute, for the requesting session. */
export async function createTicket(ctx: Ctx<User>, server: SharedServer, kind: ConsoleKind) {
  requireNode(server)
  if (kind !== 'vnc') await requireOnNode(ctx, server, 'console')
  const ticket = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.now.getTime() + TICKET_MS)
  await insertTicket(ctx.db, {
    tokenHash: hashOf(ticket),
    serverId: server.id,
    userId: ctx.actor.id,
    sessionId: ctx.actor.sessionId,
    kind,
    mayWrite: mayWrite(ctx.actor, server, kind),
    expiresAt,
  })
  return {
    ticket,
    url: '/api/relay',
    protocol: PROTOCOLS[kind],
    expiresAt: expiresAt.toISOString(),
  }
}

/**
 * Redeems the ticket in a WebSocket's subprotocols and connects the browser to the node. The ticket
 * is bound to the session, so a stolen one is useless elsewhere.
 */
export async function openConsole(
  services: Services,
  user: User,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const offered = (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
  const ticket = offered.find((name) => name.startsWith('ticket.'))?.slice('ticket.'.length)
  const row = ticket && (await redeemTicket(services.db, hashOf(ticket)))
  if (!row || row.userId !== user.id || row.sessionId !== user.sessionId) {
    throw new Problem('invalid_token', 'The console ticket no longer works: open the console again')
  }
  const server = await findView(services.db, row.serverId)
  // Checked again, because rights may have been revoked since the ticket was issued.
  const shared = server && (await withRights(services.db, user, server))
  if (!shared || !permits(user, shared, readRight(row.kind))) throw notFound('server')
  await services.fleet.openRelay(
    {
      nodeId: shared.nodeId,
      serverId: shared.id,
      kind: row.kind,
      mayWrite: row.mayWrite && mayWrite(user, shared, row.kind),
      userKey: user.id,
      sessionKey: user.sessionId,
      standing: standingMark(user),
      ...(shared.rights && { rights: rightsMark(shared.rights) }),
      person: shownAs(user, shared),
      protocol: PROTOCOLS[row.kind],
    },
    request,
    socket,
    head,
  )
}

/** Customers learn that the host has typed, not who of them. */
const shownAs = (user: User, server: ServerView): string =>
  user.role === 'admin' && user.id !== server.ownerId ? THE_HOST : user.email

type Person = Pick<User, 'id' | 'role' | 'superAdmin' | 'permissions' | 'suspended'>

const withRights = async (
  db: Db,
  { id }: Pick<Person, 'id'>,
  server: ServerView,
): Promise<SharedServer> => ({
  ...server,
  rights: (await findRights(db, server.id, id)) ?? null,
})

const readRight = (kind: string) => (isOfMachine(kind) ? 'vm.console' : 'console.read')

const mayWrite = (person: Person, server: SharedServer, kind: string): boolean =>
  kind !== 'install_log' &&
  permits(person, server, isOfMachine(kind) ? 'vm.console' : 'console.write') &&
  // The console of a suspended server is read-only.
  !server.holds.some((hold) => hold.kind === 'suspension')

/** Closes consoles of people who have lost the permission. */
export async function recheckConsoles({ db, fleet }: Services): Promise<number> {
  let ended = 0
  const users = rememberEach((id) => findUser(db, id))
  const servers = rememberEach((id) => findView(db, id))
  for (const relay of fleet.openRelays()) {
    const [user, server] = [await users(relay.userKey), await servers(relay.serverId)]
    const person = user && asActor(user)
    const shared = person && server && (await withRights(db, person, server))
    if (shared && !person.suspended && permits(person, shared, readRight(relay.kind))) continue
    ended += fleet.closeRelay(relay.id)
  }
  return ended
}

/** Looks each id up once, however many consoles one person or server has open. */
function rememberEach<Found>(find: (id: string) => Promise<Found>): (id: string) => Promise<Found> {
  const found = new Map<string, Promise<Found>>()
  return (id) => {
    const known = found.get(id) ?? find(id)
    found.set(id, known)
    return known
  }
}

/** @throws {Problem} if the server takes no commands now, whoever sends them */
export async function requireCommandable(ctx: Ctx, server: ServerView): Promise<void> {
  requireNode(server)
  if (server.holds.some((hold) => hold.kind === 'suspension'))
    throw new Problem('hold_active', 'The server is suspended', { fields: { holds: server.holds } })
  await requireOnNode(ctx, server, 'console')
}

export async function sendCommand(
  ctx: Ctx<User>,
  server: ServerView,
  command: string,
): Promise<void> {
  await requireCommandable(ctx, server)
  await onNode(() =>
    ctx.fleet.runTask(
      server.nodeId,
      {
        serverId: server.id,
        work: {
          $case: 'sendCommand',
          value: { text: command, person: shownAs(ctx.actor, server) },
        },
      },
      { timeoutMs: 10_000 },
    ),
  )
}

export async function readLogs(
  ctx: Ctx,
  server: ServerView,
  lines: number,
  source: 'run' | 'install',
): Promise<{ lines: string[] }> {
  requireNode(server)
  await requireOnNode(ctx, server, 'console')
  const done = await onNode(() =>
    ctx.fleet.ask(
      server.nodeId,
      { serverId: server.id, work: { $case: 'readLogs', value: { lines, source } } },
      { timeoutMs: 10_000 },
    ),
  )
  return { lines: done.output?.$case === 'logs' ? done.output.value.lines : [] }
}

/** @throws {Problem} node_unavailable */
export function requireNode(server: ServerView): void {
  if (server.nodeOnline) return
  throw new Problem(
    'node_unavailable',
    `The node ${server.nodeName} is not connected: try again when it is back`,
    { retryAfterSeconds: 15 },
  )
}

/** Maps a node's known refusal codes to problems. */
async function onNode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error
    if (error.code === 'not_running')
      throw new Problem('invalid_state', 'The server is not running: start it first')
    if (error.code === 'not_found')
      throw new Problem('invalid_state', 'There is no output yet: start the server')
    if (error.code === 'rate_limited')
      throw new Problem('rate_limited', 'Too many commands: wait a moment', {
        retryAfterSeconds: 2,
      })
    if (error.code === 'unsupported')
      throw new Problem(
        'unsupported_on_node',
        'The agent of this node is too old for this: update it',
      )
    throw new Problem('driver_unavailable', 'The node could not do this: try again in a moment', {
      retryAfterSeconds: 5,
    })
  }
}
