import type { InjectOptions } from 'fastify'
import { until } from '../../../support/until.ts'
import { jobEnd } from '../../../support/vm-world.ts'
import type { Admission, Prepared, SetUp, SetUps } from './set-up.ts'

const FILES = '/api/servers/{id}/files'
const TUS = { 'tus-resumable': '1.0.0' }
const PART = { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
const ANNOUNCED = {
  ...TUS,
  'upload-length': '64',
  'upload-metadata': `path ${Buffer.from('/uploaded').toString('base64')}`,
}

/** Nobody else has a server of this name. */
const SERVER = { name: 'Files' }

/**
 * One container server with one file, on a node that supports files: it is transferred from owner to
 * owner.
 */
async function withFile({ ground, who, params }: Admission): Promise<{ readonly id: string }> {
  const { lodge, templateId, places } = ground
  const admin = await lodge.admin()
  const { rows } = await lodge.database.pool.query<{ id: string }>(
    'update servers set owner_id = $1 where name = $2 returning id',
    [who.owner, SERVER.name],
  )
  let serverId = rows[0]?.id
  if (serverId === undefined) {
    const body = { ...SERVER, ownerId: who.owner, templateId, nodeId: places.here.id }
    const made = await admin.must('POST /api/servers', { body })
    await jobEnd(admin, made.jobId, 'done')
    serverId = made.serverId
  }
  // The next caller needs it alone, without anything left by the one before.
  await until(async () => {
    const { rowCount } = await lodge.database.pool.query(
      'select from jobs where server_id = $1 and ended_at is null',
      [serverId],
    )
    return rowCount === 0
  })
  for (const path of ['/made', '/moved', '/copied', '/sample.tar.gz', '/extracted', '/uploaded'])
    await admin.call('POST /api/servers/{id}/files/delete', {
      params: { id: serverId },
      body: { paths: [path], permanent: true },
    })
  await admin.send({
    method: 'PUT',
    url: `/api/servers/${serverId}/files/content?path=/sample`,
    payload: Buffer.from('sample'),
    headers: { 'content-type': 'application/octet-stream' },
  })
  return { ...params, id: serverId }
}

const onFile =
  (more: Omit<Prepared, 'params'> = {}): SetUp =>
  async (admission) => ({ params: await withFile(admission), ...more })

/** The request is about deleted files. */
const onDeleted: SetUp = async (admission) => {
  const params = await withFile(admission)
  const admin = await admission.ground.lodge.admin()
  const { deletionId } = await admin.must('POST /api/servers/{id}/files/delete', {
    params,
    body: { paths: ['/sample'] },
  })
  return { params, body: { ids: [deletionId] } }
}

/** The request is about an upload that has received nothing yet. */
const onUpload =
  (more: Pick<InjectOptions, 'headers' | 'payload'>): SetUp =>
  async (admission) => {
    const params = await withFile(admission)
    const admin = await admission.ground.lodge.admin()
    const { headers } = await admin.send({
      method: 'POST',
      url: `/api/servers/${params.id}/files/uploads`,
      headers: ANNOUNCED,
    })
    return {
      params: { ...params, upload: String(headers.location).split('/').at(-1) ?? '' },
      ...more,
    }
  }

export const fileSetUps: SetUps = {
  [`GET ${FILES}`]: onFile(),
  [`GET ${FILES}/stat`]: onFile(),
  [`GET ${FILES}/usage`]: onFile(),
  [`GET ${FILES}/space`]: onFile(),
  [`GET ${FILES}/content`]: onFile(),
  [`GET ${FILES}/download`]: onFile(),
  [`POST ${FILES}/search`]: onFile(),
  [`PUT ${FILES}/content`]: onFile(),
  [`POST ${FILES}/mkdir`]: onFile({ body: { path: '/made' } }),
  [`POST ${FILES}/rename`]: onFile({ body: { moves: [{ from: '/sample', to: '/moved' }] } }),
  [`POST ${FILES}/chmod`]: onFile(),
  [`POST ${FILES}/copy`]: onFile({ body: { copies: [{ from: '/sample', to: '/copied' }] } }),
  [`POST ${FILES}/delete`]: onFile({ body: { paths: ['/sample'] } }),
  [`GET ${FILES}/bin`]: onFile(),
  [`POST ${FILES}/bin/restore`]: onDeleted,
  [`POST ${FILES}/bin/delete`]: onDeleted,
  [`POST ${FILES}/bin/empty`]: onFile(),
  [`POST ${FILES}/archive`]: onFile({ body: { paths: ['/sample'], to: '/sample.tar.gz' } }),
  [`POST ${FILES}/extract`]: onFile({ body: { path: '/sample', to: '/extracted' } }),
  [`POST ${FILES}/pull`]: onFile({ body: { url: 'https://127.0.0.1:9/', to: '/pulled' } }),
  [`POST ${FILES}/uploads`]: onFile({ headers: ANNOUNCED }),
  [`GET ${FILES}/uploads/{upload}`]: onUpload({}),
  [`PATCH ${FILES}/uploads/{upload}`]: onUpload({ headers: PART, payload: Buffer.alloc(64) }),
  [`DELETE ${FILES}/uploads/{upload}`]: onUpload({ headers: TUS }),
}
