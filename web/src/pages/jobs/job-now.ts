import type { Job } from '@lodge/shared/jobs.ts'

/** What an open job does now, or what it waits for; with the name of a job before it a sentence. */
export function jobNow({ waitsFor, steps }: Pick<Job, 'waitsFor' | 'steps'>): string {
  // A node may go away in the midst of a step, and then that is what everything waits for.
  if (waitsFor !== null) return waitsFor
  const step = steps.find(({ state }) => state === 'running')
  return step ? (step.detail ?? step.name) : 'Waiting for its turn'
}
