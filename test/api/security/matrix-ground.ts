import { AdminPermission, TOKEN_SCOPES } from '@lodge/shared/permissions.ts'
import { type Caller, requestOf } from '../../support/caller.ts'
import { type JoinedNode, type Lodge, PASSWORD } from '../../support/stack.ts'
import { totpCode } from '../../support/totp.ts'
import type { Ground } from '../support/things.ts'

/** A panel on which every endpoint is called as every kind of caller. */
export interface MatrixGround extends Ground {
  readonly otherNode: JoinedNode
  /** The id of a person who owns things and calls nothing. */
  readonly stranger: string
  /** Secrets of API tokens, by scope. */
  readonly tokens: Readonly<Record<string, string>>
  /** Secrets of ended tokens. */
  readonly ended: readonly string[]
  /** The cookie of a person who has entered the password but not yet the second factor. */
  readonly half: string
}

const BAD_LOGIN = { email: 'nobody@example.com', password: 'wrong' }

export async function layGround(lodge: Lodge): Promise<MatrixGround> {
  const node = await lodge.node()
  const { id: templateId } = await lodge.template()
  const otherNode = await lodge.node()
  // The first sign-in computes the dummy hash, so that later calls need not.
  await lodge.anonymous().send(requestOf('POST /api/auth/login', { body: BAD_LOGIN }))
  const admin = await lodge.admin()
  await admin.must('PUT /api/settings/security', {
    body: { administratorAddresses: ['10.0.0.0/8', '127.0.0.0/8'], auditDays: 730 },
  })
  // Their calls are not part of the matrix: a new password, for example, ends the tokens of its
  // account.
  const creator = await lodge.limitedAdmin(AdminPermission.options)
  const tokens: Record<string, string> = {}
  for (const scope of TOKEN_SCOPES) {
    const made = await creator.must('POST /api/tokens', { body: { name: scope, scopes: [scope] } })
    tokens[scope] = made.secret
  }
  const ended: string[] = []
  for (const end of [
    `update api_tokens set expires_at = now() - interval '1 second' where id = $1`,
    'delete from api_tokens where id = $1',
  ]) {
    const body = { name: 'ended', scopes: [...TOKEN_SCOPES] }
    const made = await creator.must('POST /api/tokens', { body })
    await lodge.database.pool.query(end, [made.id])
    ended.push(made.secret)
  }
  const stranger = (await lodge.customer()).id
  const half = await halfSignIn(lodge, admin)
  return { lodge, node, templateId, otherNode, stranger, tokens, ended, half }
}

async function halfSignIn(lodge: Lodge, admin: Caller): Promise<string> {
  const email = 'half@example.com'
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  const person = await lodge.session(id, email)
  const { secret } = await person.must('POST /api/auth/totp/setup')
  const code = await totpCode(secret)
  await person.must('POST /api/auth/totp/confirm', { body: { code } })
  const answer = await lodge.anonymous().must('POST /api/auth/login', {
    body: { email, password: PASSWORD, stepwise: true },
  })
  if (!answer.requires2fa) throw new Error('no second step was asked for')
  return answer.challenge
}
