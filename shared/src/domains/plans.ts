import { declare } from './declare.ts'

/** What customers may rent. */
export const plans = declare({
  permissions: {
    'plans.view': 'See plans and how many customers have them',
    'plans.manage': 'Create, change and archive plans',
  },
  presets: {
    billing: ['plans.view', 'plans.manage'],
  },
})
