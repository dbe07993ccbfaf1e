import { defineDomain } from '../../domain.ts'
import { pageBudgets } from './budgets.ts'
import { markPage } from './mark.ts'
import * as routes from './routes.ts'
import { pageFrames } from './served.ts'

/**
 * Pages that plugins add to the panel, each in a frame without an origin, and their questions to
 * their plugins.
 */
export const pluginPages = defineDomain({
  name: 'plugin-pages',
  headings: [
    {
      name: 'Pages of plugins',
      description: 'What plugins add to the panel, and what these pages ask their plugins.',
      paths: ['/api/plugin-pages'],
    },
  ],
  routes: [routes],
  budgets: pageBudgets,
  served: pageFrames,
  page: markPage,
})
