import { randomUUID } from 'node:crypto'
import { authPeriodicTasks } from '../../../../control-plane/src/domains/auth/periodic-tasks.ts'
import { emailPeriodicTasks } from '../../../../control-plane/src/domains/email/periodic-tasks.ts'
import { serverPeriodicTasks } from '../../../../control-plane/src/domains/servers/periodic-tasks.ts'
import { signupPeriodicTasks } from '../../../../control-plane/src/domains/signup/periodic-tasks.ts'
import type { Caller } from '../../../support/caller.ts'
import { receivedMail } from '../../../support/read-mail.ts'
import { SoftPasskey } from '../../../support/soft-passkey.ts'
import { PASSWORD } from '../../../support/stack.ts'
import { totpCode } from '../../../support/totp.ts'
import type { EquippedGround } from './equipped-ground.ts'

export const freshAddress = (): string => `${randomUUID()}@example.com`

/**
 * Sets the first administrator's password hash for somebody, who can then sign in with `PASSWORD`.
 */
export async function givePassword({ lodge }: EquippedGround, id: string): Promise<void> {
  await lodge.database.pool.query(
    `update users set password_hash = (select password_hash from users where id = $2) where id = $1`,
    [id, (await lodge.admin()).id],
  )
}

/** A customer who can sign in with `PASSWORD`. */
export async function person(ground: EquippedGround): Promise<Caller> {
  const caller = await ground.lodge.customer()
  await givePassword(ground, caller.id)
  return caller
}

/** Removes factors that earlier calls added: some callers are always the same person. */
export async function withoutFactors({ lodge }: EquippedGround, id: string): Promise<void> {
  await lodge.database.pool.query('delete from totp_factors where user_id = $1', [id])
  await lodge.database.pool.query('delete from passkeys where user_id = $1', [id])
}

/** Gives somebody an authenticator. @returns its recovery codes and its next code */
export async function giveAuthenticator(ground: EquippedGround, id: string) {
  const owner = await ground.lodge.session(id)
  await ground.lodge.database.pool.query('delete from totp_factors where user_id = $1', [id])
  const { secret } = await owner.must('POST /api/auth/totp/setup')
  // The code of the previous time step, so that the current one is still unused.
  const confirmed = { code: await totpCode(secret, -1) }
  const { recoveryCodes } = await owner.must('POST /api/auth/totp/confirm', { body: confirmed })
  return { recoveryCode: recoveryCodes[0] ?? '', code: () => totpCode(secret) }
}

/** Gives somebody a passkey. */
export async function givePasskey({ lodge }: EquippedGround, id: string): Promise<SoftPasskey> {
  const owner = await lodge.session(id)
  const key = new SoftPasskey(lodge.origin)
  const response = key.register(await owner.must('POST /api/auth/passkeys/options'))
  await owner.must('POST /api/auth/passkeys/verify', { body: { response } })
  return key
}

/** The challenge after the right password; it can be answered only from the same address. */
export async function challengeOf(
  { lodge }: EquippedGround,
  { email }: Caller,
  { address }: Caller,
): Promise<string> {
  const answer = await lodge.anonymous({ address }).must('POST /api/auth/login', {
    body: { email, password: PASSWORD, stepwise: true },
  })
  if (!answer.requires2fa) throw new Error('no second step was asked for')
  return answer.challenge
}

const MAILING = [
  ...[...authPeriodicTasks, ...signupPeriodicTasks, ...serverPeriodicTasks].filter(({ name }) =>
    ['auth.resets', 'signup.requests', 'servers.invitations'].includes(name),
  ),
  ...emailPeriodicTasks.filter(({ name }) => name === 'email.send'),
]

/** The token of the link in the newest mail to an address. */
export async function tokenMailedTo(
  { sink, lodge }: EquippedGround,
  to: string,
  subject = /./,
): Promise<string> {
  // Watchers write and send mails once a second each, which is too slow for some hundred mails.
  for (const task of MAILING) await task.run(lodge.controlPlane.services)
  const { text } = await receivedMail(sink, to, subject)
  return /#token=([\w-]+)/.exec(text)?.[1] ?? ''
}
