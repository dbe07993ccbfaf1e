import { DOCUMENT_PATH } from './equipped-ground.ts'
import { tokenMailedTo } from './people.ts'
import type { Admission, SetUp, SetUps } from './set-up.ts'

/** The node in the path has a connected agent. */
const onRealNode: SetUp = async ({ ground }) => ({ params: { id: ground.places.here.id } })

async function enrollmentToken({ ground }: Admission): Promise<string> {
  const admin = await ground.lodge.admin()
  const { id } = await admin.must('POST /api/nodes', {
    body: {
      name: crypto.randomUUID(),
      location: 'Here',
      memoryMb: 1024,
      cpuPercent: 100,
      diskMb: 1024,
      portRanges: [{ from: 25_000, to: 25_100 }],
    },
  })
  const { token } = await admin.must('POST /api/nodes/{id}/enrollment', { params: { id } })
  const inside = Buffer.from(token.slice('lodge1.'.length), 'base64url').toString()
  return (JSON.parse(inside) as { t: string }).t
}

/** Nodes, servers of containers, templates, plans, jobs and mail. */
export const panelSetUps: SetUps = {
  'POST /api/agent/enroll': async (admission) => ({
    body: { token: await enrollmentToken(admission), agentVersion: '0.1.0' },
  }),
  'POST /api/nodes/{id}/checks': onRealNode,
  'GET /api/nodes/{id}/log': onRealNode,
  'POST /api/nodes/{id}/images/free': onRealNode,
  'POST /api/failover/run': async ({ ground }) => ({
    body: { nodeId: ground.places.here.id, confirm: 'here' },
  }),
  'POST /api/failover/plan': async ({ ground }) => ({ body: { nodeId: ground.places.here.id } }),
  'POST /api/email/outbox/{id}/retry': async ({ ground }) => {
    const { email } = await ground.lodge.customer()
    await ground.lodge.anonymous().must('POST /api/auth/forgot', { body: { email } })
    await tokenMailedTo(ground, email)
    const { rows } = await ground.lodge.database.pool.query<{ id: string }>(
      `update email_messages set state = 'failed' where to_address = $1 returning id`,
      [email],
    )
    return { params: { id: rows[0]?.id ?? '' } }
  },
  'DELETE /api/servers/{id}/sftp/password': async ({ ground, who, params }) => {
    await ground.lodge.database.pool.query(
      `insert into sftp_passwords (id, server_id, user_id, password_hash)
       values (gen_random_uuid(), $1, $2, gen_random_uuid()::text::bytea) on conflict do nothing`,
      [params.id, who.caller.id],
    )
    return {}
  },
  'POST /api/jobs/{id}/retry': async ({ ground, params }) => {
    await ground.lodge.database.pool.query(
      `update jobs set state = 'failed', kind = 'server.stop', ended_at = now() where id = $1`,
      [params.id],
    )
    return {}
  },
  'POST /api/servers': async ({ ground }) => ({
    body: {
      name: 'One',
      ownerId: ground.stranger,
      templateId: ground.templateId,
      nodeId: ground.node.id,
    },
  }),
  'POST /api/me/servers': async ({ ground }) => ({
    body: { name: 'One', templateId: ground.templateId },
  }),
  'POST /api/me/servers/{id}/restore': async ({ who, params }) => {
    await who.caller.must('DELETE /api/me/servers/{id}', { params: { id: params.id ?? '' } })
    return {}
  },
  'POST /api/servers/{id}/cancel-deletion': async ({ ground, params }) => {
    await ground.lodge.database.pool.query(
      `update servers set delete_at = now() + interval '1 day' where id = $1`,
      [params.id],
    )
    return {}
  },
  'DELETE /api/servers/{id}/ports/{offset}': async ({ ground, params }) => {
    const id = params.id ?? ''
    const admin = await ground.lodge.admin()
    const { offset } = await admin.must('POST /api/servers/{id}/ports', {
      params: { id },
      body: { container: 4000, protocol: 'tcp' },
    })
    return { params: { id, offset: String(offset) } }
  },
  'POST /api/plans/{id}/unarchive': async ({ ground, params }) => {
    await (await ground.lodge.admin()).must('POST /api/plans/{id}/archive', {
      params: { id: params.id ?? '' },
    })
    return {}
  },
  'POST /api/templates/{id}/apply': async () => ({ body: { confirm: true } }),
  'POST /api/templates/fetch': async ({ ground }) => ({
    body: { address: ground.files.url(DOCUMENT_PATH) },
  }),
  'PUT /api/settings/mail': async ({ ground }) => ({ body: ground.sink.settings }),
  'POST /api/settings/mail/test': async () => ({}),
}
