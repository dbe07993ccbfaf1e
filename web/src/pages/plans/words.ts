import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue({
  plans: 'Plans',
  lead: 'Sets of limits that customers get together. An invitation can bring one.',
  newPlan: 'New plan',
  search: 'Search plans',
  plansFound: 'plans',
  none: 'No plans yet',
  noneText: 'A plan gives customers its limits, for example when they sign up with an invitation.',
  plan: 'Plan',
  limits: 'Limits',
  customers: 'Customers',
  created: 'Created',
  state: 'State',
  name: 'Name',
  available: 'Available',
  archived: 'Archived',
})
