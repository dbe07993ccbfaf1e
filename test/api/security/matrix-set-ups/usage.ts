import { USAGE_NOTICE_VERSION } from '@lodge/shared/usage-reports.ts'
import type { Admission, SetUps } from './set-up.ts'

/** Reports are agreed to, but connecting has not begun. */
async function agreed({ ground }: Admission) {
  await ground.lodge.database.pool.query(`delete from settings where area = 'usage-reports'`)
  const admin = await ground.lodge.admin()
  await admin.must('PUT /api/usage/config', { body: ground.codeHost.config })
  await admin.must('POST /api/usage/consent', {
    body: { consent: true, noticeVersion: USAGE_NOTICE_VERSION },
  })
  return admin
}

export const usageSetUps: SetUps = {
  'POST /api/usage/connect': async (admission) => {
    await agreed(admission)
    return {}
  },
  'POST /api/usage/connect/poll': async (admission) => {
    const admin = await agreed(admission)
    await admin.must('POST /api/usage/connect')
    await admission.ground.lodge.database.pool.query(
      `update settings set value = jsonb_set(value, '{challenge,askAgainAt}', '"2020-01-01T00:00:00.000Z"')
       where area = 'usage-reports'`,
    )
    return {}
  },
}
