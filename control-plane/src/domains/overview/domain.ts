import { defineDomain } from '../../domain.ts'
import { fleetFigures } from './figures.ts'
import * as routes from './routes.ts'

/** The whole installation at a glance. */
export const overview = defineDomain({
  name: 'overview',
  headings: [{ name: 'Administration', paths: ['/api/overview', '/api/activity'] }],
  routes: [routes],
  figures: fleetFigures,
})
