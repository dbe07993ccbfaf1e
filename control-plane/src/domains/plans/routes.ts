import { CreatePlan, EditPlan, Plan, ReorderPlans, ReplacePrices } from '@lodge/shared/plans.ts'
import { z } from 'zod'
import { del, get, post, put } from '../../http/endpoint.ts'
import { plan } from './access.ts'
import * as plans from './plans.ts'
import { replacePrices as replace } from './replace-prices.ts'

export const listPlans = get('/api/plans', {
  summary: 'All plans with their prices and subscriber counts',
  access: { who: 'admin', may: 'plans.view' },
  reply: z.object({ items: z.array(Plan) }),
  handle: ({ ctx }) => plans.listPlans(ctx.db),
})

export const createPlan = post('/api/plans', {
  summary: 'Create a plan',
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
  summary: 'Change a plan; what is left out stays, and limits reach every subscriber at once',
  access: { who: 'admin', may: 'plans.manage', on: plan },
  body: EditPlan,
  reply: Plan,
  recorded: 'changed the plan {target}',
  handle: ({ ctx, plan, body }) => plans.editPlan(ctx, plan, body),
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

export const duplicatePlan = post('/api/plans/{id}/duplicate', {
  summary: 'Copy a plan with its prices; the copy is hidden and not sold',
  access: { who: 'admin', may: 'plans.manage', on: plan },
  reply: Plan,
  status: 201,
  recorded: 'copied the plan {target}',
  handle: ({ ctx, plan }) => plans.duplicatePlan(ctx, plan),
})

export const replacePrices = put('/api/plans/{id}/prices', {
  summary: 'Replace the prices of a plan; who subscribed at an old one keeps it',
  access: { who: 'admin', may: 'plans.manage', on: plan },
  body: ReplacePrices,
  reply: Plan,
  recorded: 'changed the prices of the plan {target}',
  handle: ({ ctx, plan, body }) => replace(ctx, plan.id, body.prices),
})

export const reorderPlans = post('/api/plans/reorder', {
  summary: 'Put plans in an order; those not named follow in theirs',
  access: { who: 'admin', may: 'plans.manage' },
  body: ReorderPlans,
  reply: z.object({ items: z.array(Plan) }),
  recorded: 'changed the order of plans',
  handle: ({ ctx, body }) => plans.reorderPlans(ctx, body.ids),
})
