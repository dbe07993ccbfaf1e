import type { Readable } from 'node:stream'
import { type FileErrorCode, FileProblem, fileHeaders } from '@lodge/shared/files.ts'
import type { z } from 'zod'
import { standingMark, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { Problem } from '../../problem.ts'
import { rightsMark, type SharedServer } from '../servers/index.ts'
import { requireFiles } from './access.ts'

/** Fits a list of 1,000 entries with the longest paths. */
const MAX_JSON_BYTES = 16 * 1024 * 1024
const MAX_PROBLEM_BYTES = 65_536
const ANSWER_MS = 15_000

/** A request to the file service of a server's node: `shared/src/files.ts`. */
interface Ask {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: readonly (readonly [name: string, value: string | undefined])[]
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly json?: unknown
  readonly body?: Readable
  /** Whether it changes anything. */
  readonly writes?: boolean
  /** Whether it takes as long as its bytes take. */
  readonly streams?: boolean
  /** Overrides the default timeout. */
  readonly timeoutMs?: number
}

/** A node's response. Only checked parts of it are ever sent on. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
}

/**
 * Sends a request to the node as the caller, with their rights.
 * @throws {Problem} the node's refusal, or why the node cannot be reached
 */
export async function askNode(
  ctx: Ctx<User>,
  server: SharedServer,
  http: Exchange,
  ask: Ask,
): Promise<Answered> {
  const { method = 'GET', writes = false, streams = false, timeoutMs, json, body } = ask
  const { rules, may } = await requireFiles(ctx, server, writes)
  const { sessionId } = ctx.actor
  const long = streams || timeoutMs !== undefined
  const answer = await ctx.fleet.callNode({
    nodeId: server.nodeId,
    serverId: server.id,
    kind: 'files',
    userKey: ctx.actor.id,
    ...(sessionId !== undefined && { sessionKey: sessionId }),
    standing: standingMark(ctx.actor),
    ...(server.rights && { rights: rightsMark(server.rights) }),
    writes,
    long,
    method,
    path: ask.path + queryOf(ask.query ?? []),
    headers: definedOf({
      ...fileHeaders(rules, may),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...ask.headers,
    }),
    ...(json !== undefined && { body: Buffer.from(JSON.stringify(json)) }),
    ...(body !== undefined && { body }),
    ...(!streams && { timeoutMs: timeoutMs ?? ANSWER_MS }),
    gone: goneOf(http),
  })
  if (answer.status >= 200 && answer.status < 300) return answer
  throw await refusalOf(answer)
}

/** Requests JSON. */
export async function askJson<S extends z.ZodType>(
  schema: S,
  ...given: Parameters<typeof askNode>
): Promise<z.output<S>> {
  return parse(schema, await textOf(await askNode(...given), MAX_JSON_BYTES))
}

/** @throws {Problem} node_protocol_error */
export function parse<S extends z.ZodType>(schema: S, text: string): z.output<S> {
  const parsed = schema.safeParse(jsonOf(text))
  if (!parsed.success) throw strange()
  return parsed.data
}

/** For responses that no file service sends. */
export const strange = () =>
  new Problem(
    'node_protocol_error',
    'The node did not answer as it should: update its agent if that does not end',
  )

export async function textOf({ body }: Pick<Answered, 'body'>, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > maxBytes) {
      body.destroy()
      throw strange()
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Faults of the file service itself, about which the caller can do nothing. */
const FAULTS = ['invalid_file_request', 'file_service_failed', 'pull_failed'] as const
const isFault = (code: FileErrorCode): code is (typeof FAULTS)[number] =>
  FAULTS.some((fault) => fault === code)

async function refusalOf(answer: Answered): Promise<Problem> {
  // An agent from before the file service treats every relay as a console.
  if (answer.status === 426) {
    answer.body.destroy()
    return new Problem(
      'unsupported_on_node',
      'The agent of this node is too old for this: update it',
    )
  }
  const said = FileProblem.safeParse(jsonOf(await textOf(answer, MAX_PROBLEM_BYTES)))
  if (!said.success) return strange()
  const { code, detail, offsetBytes } = said.data
  if (isFault(code)) return strange()
  const words = detail.replaceAll('\0', '').slice(0, 1_000)
  return new Problem(code, words, {
    ...(offsetBytes !== undefined && { fields: { offsetBytes } }),
  })
}

const queryOf = (query: NonNullable<Ask['query']>): string => {
  const given = query.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return given.length > 0 ? `?${given.join('&')}` : ''
}

const definedOf = (given: NonNullable<Ask['headers']>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

/** Aborted when the caller has left. */
function goneOf({ reply }: Exchange): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort(new Problem('node_unavailable', 'The caller has gone')))
  return gone.signal
}
