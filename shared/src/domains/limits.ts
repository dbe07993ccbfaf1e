import { declare } from './declare.ts'

/** How much each customer may use. */
export const limits = declare({
  permissions: {
    'limits.settings': 'Change the limit settings and defaults',
  },
  presets: {
    billing: ['limits.settings'],
  },
  problems: {
    capability_denied: { status: 403, title: 'Not allowed for this account' },
    not_allowed_by_limits: { status: 403, title: 'Not available to this account' },
    grant_required: { status: 403, title: 'A plan is required' },
    limit_exceeded: { status: 409, title: 'This would exceed a limit' },
  },
})
