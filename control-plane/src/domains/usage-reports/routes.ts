import {
  UsageChallenge,
  UsageConfig,
  UsageConsent,
  UsagePoll,
  UsageStanding,
} from '@lodge/shared/usage-reports.ts'
import { get, post, put } from '../../http/endpoint.ts'
import { connect, poll } from './connect.ts'
import { configure, decide } from './consent.ts'
import { showStanding } from './standing.ts'

const access = { who: 'admin', may: 'usage.manage' } as const

export const showUsage = get('/api/usage', {
  summary: 'How it stands with reports of usage, and what one would contain',
  access,
  reply: UsageStanding,
  handle: ({ ctx }) => showStanding(ctx),
})

export const configureUsage = put('/api/usage/config', {
  summary: 'Say where reports of usage go; agreeing starts anew for another place',
  access: { ...access, stepUp: true },
  body: UsageConfig,
  reply: UsageStanding,
  recorded: 'changed where reports of usage go',
  handle: async ({ ctx, body }) => {
    await configure(ctx, body)
    return showStanding(ctx)
  },
})

export const consentToUsage = post('/api/usage/consent', {
  summary: 'Agree to reports of usage as the present notice describes them, or withdraw',
  access: { ...access, stepUp: true },
  body: UsageConsent,
  reply: UsageStanding,
  recorded: 'decided on reports of usage',
  handle: async ({ ctx, body }) => {
    await decide(ctx, body)
    return showStanding(ctx)
  },
})

export const connectUsage = post('/api/usage/connect', {
  summary: 'Begin to connect to the code-hosting service, with a code to enter there',
  access: { ...access, stepUp: true },
  reply: UsageChallenge,
  waits: true,
  recorded: 'began to connect reports of usage',
  handle: ({ ctx }) => connect(ctx),
})

export const pollUsage = post('/api/usage/connect/poll', {
  summary: 'Ask once whether the code was entered',
  access,
  reply: UsagePoll,
  waits: true,
  recorded: false,
  handle: ({ ctx }) => poll(ctx),
})
