import {
  ChangeSchedule,
  CreateSchedule,
  CronPreview,
  PreviewQuery,
  Schedule,
  ScheduleOptions,
  ScheduleRun,
} from '@lodge/shared/schedules.ts'
import { z } from 'zod'
import { pageOf, pageQuery } from '../../db/cursor.ts'
import { del, get, patch, post } from '../../http/endpoint.ts'
import { server } from '../servers/index.ts'
import { previewOccurrences } from './preview.ts'
import { listRuns } from './runs/history.ts'
import { runNow } from './runs/run-now.ts'
import * as rules from './schedules.ts'

export const previewCron = get('/api/cron/preview', {
  summary: 'Next occurrences of a cron expression or an interval',
  access: { who: 'user' },
  query: PreviewQuery,
  reply: CronPreview,
  handle: ({ ctx, query }) => previewOccurrences(ctx, query),
})

export const listSchedules = get('/api/servers/{id}/schedules', {
  summary: 'Schedules of a server, and what they may do',
  access: { who: 'user', on: server, may: 'schedules.view' },
  reply: z.object({ items: z.array(Schedule), options: ScheduleOptions }),
  handle: ({ ctx, server }) => rules.listSchedules(ctx, server),
})

export const createSchedule = post('/api/servers/{id}/schedules', {
  summary: 'Create a schedule: tasks in order, by a cron expression or an interval',
  access: { who: 'user', on: server, may: 'schedules.manage' },
  body: CreateSchedule,
  reply: Schedule,
  status: 201,
  recorded: 'created a schedule of {target}',
  handle: ({ ctx, server, body }) => rules.createSchedule(ctx, server, body),
})

export const changeSchedule = patch('/api/servers/{id}/schedules/{scheduleId}', {
  summary: 'Change, enable or disable a schedule',
  access: { who: 'user', on: server, may: 'schedules.manage' },
  body: ChangeSchedule,
  reply: Schedule,
  recorded: 'changed a schedule of {target}',
  handle: ({ ctx, server, params, body }) =>
    rules.changeSchedule(ctx, server, params.scheduleId, body),
})

export const deleteSchedule = del('/api/servers/{id}/schedules/{scheduleId}', {
  summary: 'Delete a schedule with its history; a run that is under way is cancelled',
  access: { who: 'user', on: server, may: 'schedules.manage' },
  recorded: 'deleted a schedule of {target}',
  handle: ({ ctx, server, params }) => rules.deleteSchedule(ctx, server, params.scheduleId),
})

export const runSchedule = post('/api/servers/{id}/schedules/{scheduleId}/run', {
  summary: 'Run a schedule now, also while it is disabled',
  access: { who: 'user', on: server, may: 'schedules.run' },
  reply: z.object({ jobId: z.uuid(), runId: z.uuid() }),
  status: 202,
  recorded: 'ran a schedule of {target}',
  handle: ({ ctx, server, params }) => runNow(ctx, server, params.scheduleId),
})

export const listScheduleRuns = get('/api/servers/{id}/schedules/{scheduleId}/runs', {
  summary: 'Runs of a schedule, newest first, with the result of each task',
  access: { who: 'user', on: server, may: 'schedules.view' },
  query: z.object(pageQuery),
  reply: pageOf(ScheduleRun),
  handle: ({ ctx, server, params, query }) => listRuns(ctx, server, params.scheduleId, query),
})
