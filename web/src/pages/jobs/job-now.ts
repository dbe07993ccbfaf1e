import type { Job } from '@lodge/shared/jobs.ts'
import { said, saidReason, why } from '../../panel/said.ts'
import { t } from './words.ts'

/** What an open job is doing or waiting for; preceded by a job's name it is a sentence. */
export function jobNow({ waitsFor, steps }: Pick<Job, 'waitsFor' | 'steps'>): string {
  // A node may disconnect in the middle of a step; then the job waits for the node.
  if (waitsFor !== null) return saidReason(waitsFor)
  const step = steps.find(({ state }) => state === 'running')
  return step ? (why(step.detail) ?? said(step.name)) : t.queued
}
