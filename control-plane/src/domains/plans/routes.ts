import { CreatePlan, EditPlan, Plan } from '@lodge/shared/plans.ts'
import { z } from 'zod'
import { del, get, post, put } from '../../http/endpoint.ts'
import { plan } from './access.ts'
import * as plans from './plans.ts'

export const listPlans = get('/api/plans', {
  summary: 'All plans with their subscriber counts',
  access: { who: 'admin', may: 'plans.view' },
  reply: z.object({ items: z.array(Plan) }),
  handle: ({ ctx }) => plans.listPlans(ctx.db),
})

export const createPlan = post('/api/plans', {
  summary: 'Create an account plan',
  access: { who: 'admin', may: 'plans.manage' },
  body: CreatePlan,
  reply: Plan,
  status: 201,
  recorded: 'created the plan {target}',
  handle: ({ ctx, body }) => plans.createPlan(ctx, body),
})

export const showPlan = get('/api/plans/{id}', {
  summary: 'One plan',
  access: { who: 'admin', may: 'plans.view', on: plan },
  reply: Plan,
  handle: ({ ctx, plan }) => plans.showPlan(ctx.db, plan),
})

export const editPlan = put('/api/plans/{id}', {
  summary: 'Change a plan; its limits reach every subscriber at once',
  access: { who: 'admin', may: 'plans.manage', on: plan },
  body: EditPlan,
  reply: Plan,
  recorded: 'changed the plan {target}',
  handle: ({ ctx, plan, body }) => plans.editPlan(ctx, plan.id, body),
})

export const removePlan = del('/api/plans/{id}', {
  summary: 'Delete a plan that was never used',
  access: { who: 'admin', may: 'plans.manage', on: plan, stepUp: true },
  recorded: 'deleted the plan {target}',
  handle: ({ ctx, plan }) => plans.removePlan(ctx, plan.id),
})

export const archivePlan = post('/api/plans/{id}/archive', {
  summary: 'Keep a plan from new customers; who has it keeps it',
  access: { who: 'admin', may: 'plans.manage', on: plan },
  reply: Plan,
  recorded: 'archived the plan {target}',
  handle: ({ ctx, plan }) => plans.archivePlan(ctx, plan.id, true),
})

export const unarchivePlan = post('/api/plans/{id}/unarchive', {
  summary: 'Bring an archived plan back',
  access: { who: 'admin', may: 'plans.manage', on: plan },
  reply: Plan,
  recorded: 'restored the plan {target}',
  handle: ({ ctx, plan }) => plans.archivePlan(ctx, plan.id, false),
})
