import { defineDomain } from '../../domain.ts'
import { seedBuiltInTemplates } from './built-in.ts'
import * as routes from './routes.ts'
import { hasBuiltInTemplates } from './store.ts'

/** Recipes of container servers. */
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
    // Templates of an older Lodge remain usable while they are updated in the background.
    if (await hasBuiltInTemplates(ctx.db)) return bringUpToDate
    await bringUpToDate()
  },
})
