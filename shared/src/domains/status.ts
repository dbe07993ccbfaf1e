import { declare } from './declare.ts'

/** The public status page. */
export const status = declare({
  permissions: {
    'status.view': 'See drafts of the status page and how many people subscribe to it',
    'status.manage': 'Run the status page: components, incidents and maintenance',
  },
  presets: {
    operator: ['status.view', 'status.manage'],
    support_agent: ['status.view'],
    support_lead: ['status.view', 'status.manage'],
  },
})
