import type { Reply } from '../../api.ts'
import { said, saidReason } from '../../panel/said.ts'
import { t } from './words.ts'

type Attention = Reply<'GET /api/overview'>['attention'][number]

/** The title of a problem, in the panel's language. */
export function saidTitle({ kind, title }: Pick<Attention, 'kind' | 'title'>): string {
  if (kind === 'job_failed') {
    const [, job = '', times = '1'] = /^(.*) failed(?: (\d+) times)?$/s.exec(title) ?? []
    return job === '' ? title : t.jobFailed({ job: said(job), count: Number(times) })
  }
  if (kind === 'preflight_failed') {
    const [, node = '', found = ''] = /^(.*?): (.*)$/s.exec(title) ?? []
    return found === '' ? title : t.checkFailed({ node, found: saidReason(found) })
  }
  return saidReason(title)
}
