import { JobAccepted } from '@lodge/shared/jobs.ts'
import { post } from '../../../http/endpoint.ts'
import { job } from '../../../jobs/board/access.ts'
import * as control from '../power/job-control.ts'

export const cancelJob = post('/api/jobs/{id}/cancel', {
  summary: 'Take a job back',
  access: { who: 'user', on: job, may: 'cancel' },
  recorded: 'cancelled a job',
  handle: ({ ctx, job }) => control.cancelJob(ctx, job),
})

export const retryJob = post('/api/jobs/{id}/retry', {
  summary: 'Try again what a failed job was to do',
  access: { who: 'user', on: job, may: 'cancel' },
  reply: JobAccepted,
  status: 202,
  recorded: 'retried a failed job',
  handle: ({ ctx, job }) => control.retryJob(ctx, job),
})
