import {
  ChangeRule,
  Rule,
  RuleRun,
  TriedRule,
  TryRule,
  WriteRule,
} from '@lodge/shared/support/rules/rule.ts'
import { z } from 'zod'
import { del, get, post, put } from '../../../http/endpoint.ts'
import * as rules from './rules.ts'

export const listSupportRules = get('/api/support/rules', {
  summary: 'What the desk does by itself, in the order in which it does it',
  access: { who: 'admin', may: 'support.settings' },
  reply: z.object({ items: z.array(Rule) }),
  handle: ({ ctx }) => rules.listRules(ctx),
})

export const createSupportRule = post('/api/support/rules', {
  summary: 'Create a rule of the desk, behind the others',
  access: { who: 'admin', may: 'support.settings' },
  body: WriteRule,
  reply: Rule,
  status: 201,
  recorded: 'created a rule of the support desk',
  handle: ({ ctx, body }) => rules.createRule(ctx, body),
})

export const trySupportRule = post('/api/support/rules/try', {
  summary: 'Say whether a rule would do something to a ticket, without changing it',
  access: { who: 'admin', may: 'support.settings' },
  body: TryRule,
  reply: TriedRule,
  recorded: false,
  handle: ({ ctx, body }) => rules.tryRule(ctx, body.rule, body.ticketId),
})

export const changeSupportRule = put('/api/support/rules/{id}', {
  summary: 'Change, enable, disable or reorder a rule of the desk; what is left out stays',
  access: { who: 'admin', may: 'support.settings', on: rules.rule },
  body: ChangeRule,
  reply: Rule,
  recorded: 'changed the rule {target} of the support desk',
  handle: ({ ctx, rule, body }) => rules.changeRule(ctx, rule.id, body),
})

export const deleteSupportRule = del('/api/support/rules/{id}', {
  summary: 'Delete a rule of the desk',
  access: { who: 'admin', may: 'support.settings', on: rules.rule },
  recorded: 'deleted the rule {target} of the support desk',
  handle: ({ ctx, rule }) => rules.deleteRule(ctx, rule.id),
})

export const listRuleRuns = get('/api/support/rules/{id}/runs', {
  summary: 'What a rule did to which tickets, the newest first',
  access: { who: 'admin', may: 'support.settings', on: rules.rule },
  reply: z.object({ items: z.array(RuleRun) }),
  handle: ({ ctx, rule }) => rules.runsOf(ctx, rule),
})
