import { defineDomain } from '../../domain.ts'
import * as routes from './routes.ts'

/** The administrators and what each may do. */
export const team = defineDomain({
  name: 'team',
  headings: [{ name: 'Administration', paths: ['/api/team'] }],
  routes: [routes],
})
