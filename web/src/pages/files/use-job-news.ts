import { JOB_ENDED } from '@lodge/shared/jobs.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { said, why } from '../../panel/said.ts'
import { q, useRefresh } from '../../query.ts'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { CHANGES } from './use-listing.ts'
import { t } from './words.ts'

/** Refreshes the files when long work ends, and reports why it failed. */
export function useJobNews(serverId: string): void {
  const { data } = useQuery(q('GET /api/jobs', { query: { limit: 25 } }))
  /** Ended jobs that are not reported. A short one may never have been seen running. */
  const known = useRef<ReadonlySet<string>>(undefined)
  const refresh = useRefresh()
  const latest = useRef(refresh)
  latest.current = refresh
  useEffect(() => {
    if (!data) return
    const ended = data.items.filter(
      (job) =>
        job.serverId === serverId && job.kind.startsWith('files.') && JOB_ENDED.includes(job.state),
    )
    const news = known.current ? ended.filter(({ id }) => !known.current?.has(id)) : []
    known.current = new Set(ended.map(({ id }) => id))
    for (const { state, failure, title } of news)
      if (state === 'failed')
        toastRefused(t.jobFailed, new Error(why(failure?.detail) ?? said(title)))
    if (news.length > 0) void latest.current(CHANGES)
  }, [data, serverId])
}
