import { defineDomain } from '../../domain.ts'
import { seedBuiltInTemplates } from './built-in.ts'
import * as routes from './routes.ts'
import { hasBuiltInTemplates } from './store.ts'

/** What container servers are made from. */
export const templates = defineDomain({
  name: 'templates',
  headings: [
    {
      name: 'Templates',
      description: 'What container servers are made from.',
      paths: ['/api/templates'],
    },
  ],
  routes: [routes],
  async start(ctx) {
    const bringUpToDate = () => seedBuiltInTemplates(ctx)
    // Those of an older Lodge serve until they are brought up to date.
    if (await hasBuiltInTemplates(ctx.db)) return bringUpToDate
    await bringUpToDate()
  },
})
