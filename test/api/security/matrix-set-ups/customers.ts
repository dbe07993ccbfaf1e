import { randomUUID } from 'node:crypto'
import { PASSWORD } from '../../../support/stack.ts'
import type { EquippedGround } from './equipped-ground.ts'
import {
  freshAddress,
  giveAuthenticator,
  givePasskey,
  givePassword,
  tokenMailedTo,
} from './people.ts'
import type { Admission, SetUp, SetUps } from './set-up.ts'

/** The customer in the path is in this state. */
const customerIn =
  (state: 'pending' | 'unverified'): SetUp =>
  async ({ ground, params }) => {
    await ground.lodge.database.pool.query('update users set state = $2 where id = $1', [
      params.id,
      state,
    ])
    return {}
  }

/** The token of an invitation to a server, for somebody without an account. */
async function invitationToken({ ground }: Admission): Promise<string> {
  const { lodge, templateId, node } = ground
  const owner = await lodge.customer()
  const id = await lodge.server({ ownerId: owner.id, templateId, nodeId: node.id })
  const email = freshAddress()
  await owner.must('POST /api/servers/{id}/collaborators', {
    params: { id },
    body: { email, permissions: ['console.read'], invite: true },
  })
  return tokenMailedTo(ground, email)
}

const ADMINISTRATOR = `select 1 from users where id = $1 and role = 'admin'`

/** Password and code of a person who is set up with them. */
async function proofOf(ground: EquippedGround, id: string) {
  await givePassword(ground, id)
  const { recoveryCode: code } = await giveAuthenticator(ground, id)
  return { password: PASSWORD, code }
}

async function giveBack({ lodge }: EquippedGround, rootId: string): Promise<void> {
  await lodge.database.pool.query('update users set super_admin = false where super_admin')
  await lodge.database.pool.query('update users set super_admin = true where id = $1', [rootId])
}

/** Accounts, invitations and the team. */
export const customerSetUps: SetUps = {
  'POST /api/customers/{id}/approve': customerIn('pending'),
  'POST /api/customers/{id}/reject': customerIn('pending'),
  'POST /api/customers/{id}/mark-verified': customerIn('unverified'),
  'POST /api/customers/{id}/resend-verification': customerIn('unverified'),
  'DELETE /api/customers/{id}/second-factors': async ({ ground }) => {
    const { id } = await ground.lodge.customer()
    await givePasskey(ground, id)
    return { params: { id } }
  },
  'DELETE /api/team/{id}/second-factors': async ({ ground }) => {
    const { id } = await ground.lodge.limitedAdmin([])
    await givePasskey(ground, id)
    return { params: { id } }
  },
  'POST /api/invitations/look': async (admission) => ({
    body: { token: await invitationToken(admission) },
  }),
  'POST /api/invitations/accept': async (admission) => ({
    body: { token: await invitationToken(admission), password: PASSWORD },
  }),
  'POST /api/team': async () => ({
    body: { email: `${randomUUID()}@example.com`, permissions: [] },
  }),
  'POST /api/team/transfer': async ({ ground, who }) => {
    const successor = await ground.lodge.limitedAdmin([])
    await giveAuthenticator(ground, successor.id)
    return { body: { userId: successor.id, ...(await proofOf(ground, who.caller.id)) } }
  },
  'POST /api/team/transfer/confirm': async ({ ground, who }) => {
    const { lodge } = ground
    const { id, email } = who.caller
    const proof = await proofOf(ground, id)
    const { rowCount } = await lodge.database.pool.query(ADMINISTRATOR, [id])
    if (rowCount === 0 || id === (await lodge.admin()).id)
      return { body: { token: 'none', ...proof } }
    const root = await lodge.session((await lodge.admin()).id)
    const body = { userId: id, ...(await proofOf(ground, root.id)) }
    await root.must('POST /api/team/transfer', { body })
    const token = await tokenMailedTo(ground, email, /super administrator/)
    return {
      body: { token, ...proof },
      // The other callers need the first administrator to keep the account.
      after: () => giveBack(ground, root.id),
    }
  },
}
