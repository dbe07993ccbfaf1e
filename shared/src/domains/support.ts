import { declare } from './declare.ts'

/** Help for customers. */
export const support = declare({
  permissions: {
    'articles.manage': 'Write, publish and delete help articles',
  },
  presets: {
    support_agent: ['articles.manage'],
    support_lead: ['articles.manage'],
    content: ['articles.manage'],
  },
})
