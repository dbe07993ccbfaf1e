import type { Job } from '@lodge/shared/jobs.ts'
import { dayText, dayWords } from '../../ui/data/days.ts'
import { Empty } from '../../ui/notices/states.tsx'
import { JobRow } from './job-row.tsx'
import styles from './jobs.module.css'
import { t } from './words.ts'

interface JobListProps {
  jobs: readonly Job[]
  /** For a few jobs beside other content: without headings for days. */
  ungrouped?: boolean
  onNavigate?: () => void
}

/** Jobs as lines, newest first, grouped by day. */
export default function JobList({ jobs, ungrouped, onNavigate }: JobListProps) {
  if (jobs.length === 0) {
    return (
      <Empty title={t.none} art="jobs">
        {t.noneText}
      </Empty>
    )
  }
  const rows = (list: readonly Job[]) => (
    <ul className={styles.list}>
      {list.map((job) => (
        <JobRow key={job.id} job={job} {...(onNavigate ? { onNavigate } : {})} />
      ))}
    </ul>
  )
  if (ungrouped) return rows(jobs)
  return [...Map.groupBy(jobs, ({ createdAt }) => dayText(createdAt))].map(([day, list]) => (
    <section key={day} className={styles.group} aria-label={dayWords(list[0]?.createdAt ?? '')}>
      <h3 className={styles.day}>{dayWords(list[0]?.createdAt ?? '')}</h3>
      {rows(list)}
    </section>
  ))
}
