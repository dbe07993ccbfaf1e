import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { AdminPermission, TOKEN_SCOPES } from '@lodge/shared/permissions.ts'
import type { ProblemDocument } from '@lodge/shared/problems.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../control-plane/src/api.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import {
  accessMatrix,
  type Caller as Kind,
  verdict,
} from '../../../control-plane/src/http/reference/matrix.ts'
import { lengthOf } from '../../run/lengths.ts'
import { type JoinedNode, startLodge } from '../../support/stack.ts'
import { REFUSED_BY_RULE } from '../support/refused-by-rule.ts'
import { isOwnOnly, keyOf, NOT_FOR_OWNERS, neededFor } from '../support/things.ts'
import {
  besideCookie,
  callers,
  changedBy,
  limitedTo,
  type Make,
  superAdmin,
  withHeaders,
  withoutStepUp,
} from './matrix-callers.ts'
import { type Attempt, Calls, cameUp, Refused, requestFor } from './matrix-calls.ts'
import { layGround, type MatrixGround } from './matrix-ground.ts'
import { type EquippedGround, layEquippedGround } from './matrix-set-ups/index.ts'

const endpoints: readonly Declared[] = Object.values(routes)
const permissions = AdminPermission.options

let ground: MatrixGround
let equipped: EquippedGround
beforeAll(async () => {
  ground = await layGround(await startLodge())
  equipped = await layEquippedGround()
})
afterAll(async () => {
  await ground.lodge[Symbol.asyncDispose]()
  await equipped[Symbol.asyncDispose]()
})

const refused = new Refused()

/** What can end a session, apart from signing out. */
const ENDINGS = [
  `update sessions set expires_at = now() - interval '1 second' where user_id = $1`,
  `update sessions set last_seen_at = now() - interval '12 hours 1 second' where user_id = $1`,
  `update users set state = 'unverified' where id = $1`,
  `update users set state = 'pending' where id = $1`,
  'delete from sessions where user_id = $1',
  'delete from users where id = $1',
]

const WRONG_NODES: readonly ((id: string) => string)[] = [
  () => randomUUID(),
  () => 'not-an-id',
  () => '',
  (id) => `${id}, ${id}`,
]

const NO_BEARERS = ['Bearer made-up', 'Bearer', 'Basic cm9vdDpyb290', '', 'Bearer a b']

const KINDS = lengthOf('LODGE_MATRIX_KINDS')
/**
 * The kinds whose turn it is for this endpoint: the check of a session or credential is the same for
 * all endpoints.
 */
const inTurn = <T>(kinds: readonly T[], turn: number): readonly T[] =>
  kinds.filter((_, at) => (at + turn) % kinds.length < KINDS)

const bearer = (secret: string | undefined) => ({ authorization: `Bearer ${secret}` })
const agentHeaders = ({ id, credential }: JoinedNode) => ({
  ...bearer(credential),
  'x-node-id': id,
})

/** The verdict for an administrator with every permission but the needed one. */
function withoutNeeded(spec: Declared): string {
  const needed = neededFor(spec.access)
  if (spec.access.who === 'agent') return '401'
  if (needed === undefined) return isOwnOnly(spec) ? '404' : 'yes'
  const isHidden =
    spec.access.who === 'user' &&
    !spec.access.admin &&
    ['servers.view', 'jobs.view', 'support.view', 'billing.view'].includes(needed)
  return isHidden ? '404' : '403'
}

const turns = endpoints.map((spec, turn) => [keyOf(spec), spec, turn] as const)
describe.each(turns)('%s', (_key, spec, turn) => {
  const calls = new Calls(spec)
  beforeAll(() => calls.refuse(ground, refused))
  const planned = (attempts: readonly Attempt[]) =>
    calls.plan(attempts, () => ({ ground, equipped }))

  for (const [name, make] of Object.entries<Make>(callers)) {
    // Streams are read over the network, where all callers have this machine's address.
    if (spec.streams && name === 'admin from elsewhere') continue
    const isTheirs = name === 'owner' || name.startsWith('collaborator')
    const beyond = isTheirs && NOT_FOR_OWNERS.includes(keyOf(spec))
    const expected = beyond ? '403' : verdict(spec, name as Kind)
    test(
      `responds as the matrix says: ${name}`,
      planned([{ as: name, make, expected, isShared: make === callers['super admin'] }]),
    )
  }

  test(
    'C3 L1: is not opened by all permissions but the needed one',
    planned([
      {
        as: 'admin with all other permissions',
        make: limitedTo(() => permissions.filter((one) => one !== neededFor(spec.access))),
        expected: withoutNeeded(spec),
      },
    ]),
  )

  test(
    'an expired, an idle and an ended session are anonymous',
    planned(
      inTurn(ENDINGS, turn).map((ending) => ({
        as: ending,
        make: changedBy(ending),
        expected: verdict(spec, 'anonymous'),
      })),
    ),
  )

  test(
    'half a sign-in is anonymous',
    planned([
      {
        as: 'half a sign-in',
        make: async ({ lodge, half, stranger }) => ({
          caller: lodge.anonymous({ cookie: half }),
          owner: stranger,
        }),
        expected: verdict(spec, 'anonymous'),
      },
    ]),
  )

  if ('stepUp' in spec.access && spec.access.stepUp) {
    test(
      'is closed to a session without a step-up in the last ten minutes, where one is required',
      planned([{ as: 'without a recent step-up', make: withoutStepUp, expected: '403' }]),
    )
    test('is closed to tokens where a step-up is required', () => {
      expect('token' in spec.access && spec.access.token).toBeFalsy()
    })
  }

  if (spec.access.who === 'agent' && spec.path.includes('{id}'))
    test(
      'the agent of another node finds nothing',
      planned([
        {
          as: 'another agent',
          make: withHeaders(({ otherNode }) => agentHeaders(otherNode)),
          expected: '404',
        },
      ]),
    )

  // Streams accept no tokens, and endpoints open to everybody do not authenticate.
  if (spec.streams) return

  for (const scope of TOKEN_SCOPES) {
    const expected = verdict(spec, `token ${scope}`)
    const secret = ({ tokens }: MatrixGround) => tokens[scope]
    test(
      `K1: responds as the matrix says: token ${scope}`,
      planned([
        {
          as: `token ${scope}`,
          make: withHeaders((ground) => bearer(secret(ground))),
          expected,
        },
      ]),
    )
  }

  // With any scope: the cookie sent together with a token is ignored.
  for (const scope of inTurn(TOKEN_SCOPES, turn))
    test(
      `a token reaches as much beside the cookie of a customer: ${scope}`,
      planned([
        {
          as: `token ${scope} and the cookie of a customer`,
          make: besideCookie(
            ({ lodge }) => lodge.customer(),
            ({ tokens }) => tokens[scope],
          ),
          expected: verdict(spec, `token ${scope}`),
        },
      ]),
    )
  const beyond = TOKEN_SCOPES.filter((scope) => verdict(spec, `token ${scope}`) !== 'yes')
  for (const scope of inTurn(beyond, turn))
    test(
      `a token reaches no more beside the cookie of an administrator: ${scope}`,
      planned([
        {
          as: `token ${scope} and the cookie of an administrator`,
          make: besideCookie(superAdmin, ({ tokens }) => tokens[scope]),
          expected: verdict(spec, `token ${scope}`),
          isShared: true,
        },
      ]),
    )

  test(
    'an agent cannot use the endpoints for people',
    planned([
      {
        as: 'an agent',
        make: withHeaders(({ node }) => agentHeaders(node)),
        expected: verdict(spec, 'agent'),
      },
    ]),
  )

  if (spec.access.who === 'anyone' && spec.method === 'GET') return

  test(
    'an expired and a revoked token are anonymous, also beside the cookie of an administrator',
    planned(
      inTurn([0, 1], turn).flatMap((at) => {
        const secret = ({ ended }: MatrixGround) => ended[at]
        return [
          {
            as: `ended token ${at}`,
            make: withHeaders((ground) => bearer(secret(ground))),
            expected: '401',
          },
          {
            as: `ended token ${at} and the cookie of an administrator`,
            make: besideCookie(superAdmin, secret),
            expected: '401',
            isShared: true,
          },
        ]
      }),
    ),
  )

  test(
    'an invalid bearer token is refused, whatever cookie comes with it',
    planned(
      inTurn(NO_BEARERS, turn).map((authorization) => ({
        as: `authorization "${authorization}"`,
        make: async (ground) => ({
          caller: await superAdmin(ground),
          owner: ground.stranger,
          headers: { authorization },
        }),
        expected: '401',
        isShared: true,
      })),
    ),
  )

  test(
    'the credential of a node is refused with the id of another',
    planned(
      inTurn(WRONG_NODES, turn).map((wrong) => ({
        as: `an agent with wrong id ${WRONG_NODES.indexOf(wrong)}`,
        make: withHeaders(({ node }) => ({ ...agentHeaders(node), 'x-node-id': wrong(node.id) })),
        expected: '401',
      })),
    ),
  )
})

test('C1 Panel-mistakes: things that the caller may not see respond exactly like things that do not exist', async () => {
  const caller = await ground.lodge.customer()
  // A caller who knows the digest of a content has seen it.
  const forPeople = endpoints.filter(
    ({ access, path }) => access.who !== 'agent' && !path.endsWith('/{digest}'),
  )
  for (const spec of forPeople.filter(({ path }) => path.includes('{id}'))) {
    const foreign = requestFor(spec, await refused.params(ground, spec, ground.stranger))
    const url = String(foreign.url)
    const answers = await Promise.all(
      [url, url.replace(/[0-9a-f-]{36}/, randomUUID())].map(async (url) => {
        const { statusCode, body, headers } = await caller.send({ ...foreign, url })
        const { instance, ...said } = JSON.parse(body) as ProblemDocument
        return { statusCode, said, type: headers['content-type'], instance: typeof instance }
      }),
    )
    expect(answers[0], keyOf(spec)).toEqual(answers[1])
    const refusals = spec.access.who === 'agent' ? [401] : [403, 404]
    expect(refusals, keyOf(spec)).toContain(answers[0]?.statusCode)
  }
})

test('every listed refusal by a rule occurs', () => {
  const listed = Object.entries(REFUSED_BY_RULE).flatMap(([key, { code, callers }]) =>
    callers === 'everybody' ? [`${key} ${code}`] : callers.map((as) => `${key} ${code}: ${as}`),
  )
  expect(listed.filter((one) => !cameUp.has(one))).toEqual([])
})

test('C3: the released matrix matches the declarations', async () => {
  const file = path.resolve(import.meta.dirname, '../../../control-plane/access-matrix.txt')
  expect(await readFile(file, 'utf8')).toBe(accessMatrix(routes))
})
