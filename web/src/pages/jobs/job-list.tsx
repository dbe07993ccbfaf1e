import type { Job } from '@lodge/shared/jobs.ts'
import { Empty } from '../../ui/notices/states.tsx'
import { JobRow } from './job-row.tsx'
import styles from './jobs.module.css'

/** A list of jobs, newest first. */
export default function JobList({
  jobs,
  onNavigate,
}: {
  jobs: readonly Job[]
  onNavigate?: () => void
}) {
  if (jobs.length === 0) {
    return (
      <Empty title="No jobs yet" art="jobs">
        Installing, starting, moving and deleting show up here with their progress.
      </Empty>
    )
  }
  return (
    <ul className={styles.list}>
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} {...(onNavigate ? { onNavigate } : {})} />
      ))}
    </ul>
  )
}
